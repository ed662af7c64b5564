// A running sum whose last loop only reduces what it made: that is left to reduce.block. want: parallel
// chain: reduce.block@loop:i,scan.block@C
#pragma regraph size(n=60000) size(n=1) size(n=700) input(x: uniform(-50, 49)) input(start: uniform(0, 40)) role(at: out)
long scan_beside_sum(const int *x, const int *start, long *at, int n)
{
    long s = 0, best = 0;
    int groups = 0;
    for (int i = 0; i < n; i++) {
        if (start[i] == 0) {
            s = 0;
            groups++;
        }
        s += x[i];
        at[i] = s;
        if (at[i] > best) best = at[i];
    }
    return best * 1000 + groups;
}
