// Flags that only the last element decides: edges of stretches, also by two flags and three values. want: parallel
#pragma regraph size(n=60000) size(n=1) size(n=700) input(x: uniform(0, 9)) role(edge: out)
int flags_of_last(const int *x, int n, unsigned char *edge)
{
    int high = 0, last = 2, rises = 0;
    for (int i = 0; i < n; i++) {
        edge[i] = 0;
        if (x[i] > 5) {
            if (high == 0) rises++;
            high = 1;
        } else {
            if (high && x[i] < 3) edge[i] = 1;
            high = 0;
        }
        if (last != 2 && x[i] == 0) edge[i] += 2;
        if (x[i] == 4)
            last = 2;
        else if (x[i] & 1) {
            last = 1;
        } else
            last = 0;
    }
    return rises;
}
