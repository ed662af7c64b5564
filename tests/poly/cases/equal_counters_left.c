// A counter that a loop moves along with its own, declared in its head; and one of another type that goes the other way. want: parallel
#pragma regraph size(n=400) size(n=1) size(n=5) size(n=7)
void equal_counters_left(int n, const int *restrict x, int *restrict y, long *restrict z, int *restrict o)
{
    int t = 0;
    if (n > 2)
        for (int k = 0; t < n && x[t] != 1234567; k++, t++) y[t] = x[t] + k;
    o[0] = t;
    unsigned k = 0;
    long d = n - 1;
    while (d >= 0 && x[d] != 1234567) {
        z[k] = d;
        k++;
        d--;
    }
    o[1] = (int)d;
    for (int i = 0; i < n; i++) y[i] += 1;
}
