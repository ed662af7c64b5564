// Cumulative sums above a floor, in doubles and in 64 bits, that data set anew in a statement of their own. want: parallel
// chain: scan.block@C
#pragma regraph size(n=60000) size(n=1) size(n=700) input(x: uniform(-50, 49)) input(gap: uniform(0, 40)) role(up: out) role(level: out)
void scan_resets_floor(const int *x, const int *gap, double *up, long *level, int n)
{
    double s = 3.0;
    long v = -2000000000000;
    for (int i = 0; i < n; i++) {
        s = gap[i] == 0 ? 0.5 * x[i] : s;
        v = gap[i] == 1 ? -3000000000000 : v;
        s = s + 0.25 * x[i] > 0 ? s + 0.25 * x[i] : 0;
        v = v + x[i] > -1000000000001 * gap[i] ? v + x[i] : -1000000000001 * gap[i];
        up[i] = s;
        level[i] = v;
    }
}
