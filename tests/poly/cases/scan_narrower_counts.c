// Counts of fewer bits than what they are added to, and sums of more bits on the way to fewer, are scanned. want: parallel
#pragma regraph size(n=6000) size(n=1) size(n=2) size(n=70) extent(x: n) extent(out: 2*n)
void scan_narrower_counts(const int *x, unsigned n, long *out)
{
    unsigned long sum = 3;
    unsigned many = 0, state = 7;
    int step = 0;
    for (unsigned i = 0; i < n; i++) {
        many += x[i] > 50;
        step += x[i];
        sum += many;
        sum += step;
        out[i] = (long)sum;
    }
    for (unsigned i = 0; i < n; i++) {
        unsigned long t = state * 5ul + x[i];
        state = t;
        out[n + i] = (long)(t >> 3);
    }
}
