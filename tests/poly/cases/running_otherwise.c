// The longest stretch is asked for where one ends, in the other arm than the one that counts. want: parallel
#pragma regraph size(n=60000) size(n=1) size(n=700) input(x: uniform(-3, 20))
int running_otherwise(const int *x, int n, int *first)
{
    int best = 0, from = -1, len = 0;
    for (int i = 0; i < n; i++) {
        if (x[i] > 0) {
            len++;
        } else {
            if (len > best) {
                best = len;
                from = i - len;
            }
            len = 0;
        }
    }
    if (len > best) {
        best = len;
        from = n - len;
    }
    *first = from;
    return best;
}
