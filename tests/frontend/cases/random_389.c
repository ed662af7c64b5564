/* Generated (seed 389): loops of every style, jumps, walking pointers, helpers on arrays. */
#include <math.h>
#include <stddef.h>
#pragma regraph size(n=37, m=23) extent(A: n*m) extent(B: n*m) extent(v: n) extent(w: m) extent(g: 3) require(n >= 3 && m >= 3)
static double hlp(double a, double b) { double r = a; for (int q = 0; q < 3; q++) r = r * 0.5 + b; return r > 1 ? 1 : r; }
static void addrow(double *d, const double *s, int len, double a) { for (int q = 0; q < len; q++) d[q] += 0.25 * s[q] + 0.5 * a; }
static double sumrow(const double *x, int len) { double s = 0; const double *e = x + len; while (x < e) s += *x++; return s / len; }
double f(int n, int m, double *A, double *B, double C[n][m], double *v, double *w, const double *g)
{
    double s0 = 0, t0, t1;
    if (((v[0] < -0.5 && B[(n - 1) * m + 0] > 0) && B[(n - 1) * m + 1] > 0)) {
        t0 = g[2];
        if (((B[1 * m + m - 1] > 0.25 || A[0 * m + m - 1] < -0.5) || (A[0 * m + 1] < -0.5 || B[1 * m + m - 1] < -0.5))) {
            for (int i1 = n - 2; i1 >= 1; i1--) {
                s0 -= 0.25 * 0.5;
            }
        }
    } else {
        t1 = (((v[n - 1] > 0 || w[m - 1] > 0) || (v[0] > 0.25 || A[(n - 1) * m + 0] > 0.25)) ? (v[n - 1] - A[1 * m + 1]) : v[n - 1]);
    }
    for (int i2 = 1; n - 1 > i2; i2++) {
        double *p3 = &B[i2 * m];
        w[1] = 0.5 * C[i2][1];
        if (B[i2 * m + 0] < 0) {
            B[(i2 - 1) * m + 1] *= 0.5;
            for (int i4 = 1; i4 < m - 1; i4 += 1) {
                v[i2] *= 0.5;
                double d5 = ((double)n + p3[i4]);
            }
        }
    }
    for (int a6 = 0; a6 < n; a6++) addrow(A + a6 * m, B + a6 * m, m, A[0 * m + 1]);
    for (int a9 = 0; a9 < n; a9++) addrow(B + a9 * m, w, m, A[1 * m + 1]);
    return s0;
}

