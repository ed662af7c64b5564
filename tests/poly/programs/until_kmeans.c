/* k-means in one dimension: assign, recompute centres with atomics, stop when they rest; returns early */
#include <math.h>
#define K 8
#pragma regraph size(n=100000, maxit=12) extent(x: n) extent(c: 8) extent(which: n)
int kmeans(int n, int maxit, const double *x, double *c, int *which)
{
    double sum[K]; int cnt[K];
    for (int it = 0; it < maxit; it++) {
        for (int k = 0; k < K; k++) { sum[k] = 0; cnt[k] = 0; }
        for (int i = 0; i < n; i++) {
            int best = 0; double bd = fabs(x[i] - c[0]);
            for (int k = 1; k < K; k++) { double d = fabs(x[i] - c[k]); if (d < bd) { bd = d; best = k; } }
            which[i] = best;
        }
        for (int i = 0; i < n; i++) { sum[which[i]] += x[i]; cnt[which[i]]++; }
        double shift = 0;
        for (int k = 0; k < K; k++) {
            double m = cnt[k] > 0 ? sum[k] / cnt[k] : c[k];
            shift += fabs(m - c[k]);
            c[k] = m;
        }
        if (shift < 1e-3) return it + 1;
    }
    return maxit;
}
