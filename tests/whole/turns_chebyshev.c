#include <stdio.h>
#include <stdlib.h>
/* Recurrence over three rows for each signal: p[k+1] = f(p[k], p[k-1]) (Chebyshev filter of graph signals on a line). */
void chebyshev(int nsig, int n, int order, const double *coef, const double *x, double *y)
{
    double *t0 = malloc(n * sizeof *t0), *t1 = malloc(n * sizeof *t1), *t2 = malloc(n * sizeof *t2);
    for (int s = 0; s < nsig; s++) {
        const double *in = x + (long)s * n;
        double *out = y + (long)s * n;
        for (int i = 0; i < n; i++) t0[i] = in[i];
        for (int i = 0; i < n; i++) {
            double left = i > 0 ? t0[i - 1] : 0, right = i < n - 1 ? t0[i + 1] : 0;
            t1[i] = 0.5 * (left + right);
            out[i] = coef[0] * t0[i] + coef[1] * t1[i];
        }
        for (int k = 2; k < order; k++) {
            for (int i = 0; i < n; i++) {
                double left = i > 0 ? t1[i - 1] : 0, right = i < n - 1 ? t1[i + 1] : 0;
                t2[i] = left + right - t0[i];
                out[i] += coef[k] * t2[i];
            }
            double *r = t0;
            t0 = t1;
            t1 = t2;
            t2 = r;
        }
    }
    free(t0); free(t1); free(t2);
}
int main(void)
{
    int ns = 500, n = 200, order = 9;
    double *c = malloc(order * sizeof *c), *x = malloc(ns * n * sizeof *x), *y = malloc(ns * n * sizeof *y), s = 0;
    for (int i = 0; i < order; i++) c[i] = 1.0 / (1 + i);
    for (int i = 0; i < ns * n; i++) x[i] = (i * 37 % 101) / 101.0;
    chebyshev(ns, n, order, c, x, y);
    for (int i = 0; i < ns * n; i++) s += y[i];
    printf("%.6f\n", s);
    return 0;
}
