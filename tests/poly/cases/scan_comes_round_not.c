// Carried numbers of fewer bits than those that they go into may come round on the way. want: sequential
#pragma regraph size(n=600) size(n=1) size(n=2) size(n=70) extent(x: n) extent(out: 2*n)
void scan_comes_round_not(const int *x, unsigned n, long *out)
{
    unsigned long sum = 3;
    unsigned state = 7;
    long a = 3;
    for (unsigned i = 0; i < n; i++) {
        state = state * 1664525u + 1013904223u;
        sum += state;
        out[i] = (long)(sum >> 3) + x[i];
    }
    for (unsigned i = 0; i < n; i++) {
        out[n + i] = a + x[i];
        long end = (int)a + 1000000000l;
        a = end;
    }
}
