// The largest so far, and where it was met first, of every element: one scan, then another. want: parallel
// chain: scan.block@C
// shows: best_at
#pragma regraph size(n=5000) size(n=33) size(n=1)
void highest(const double *x, int n, double *high, long *at)
{
    double best = x[0];
    long where = 0;
    high[0] = best;
    at[0] = 0;
    for (int i = 1; i < n; i++) {
        if (x[i] > best) {
            best = x[i];
            where = i;
        }
        high[i] = best;
        at[i] = where;
    }
}
