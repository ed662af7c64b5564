/* Generated (seed 351): loops of every style, jumps, walking pointers, helpers on arrays. */
#include <math.h>
#include <stddef.h>
#pragma regraph size(n=37, m=23) extent(A: n*m) extent(B: n*m) extent(v: n) extent(w: m) extent(g: 3) require(n >= 3 && m >= 3)
static double hlp(double a, double b) { double r = a; for (int q = 0; q < 3; q++) r = r * 0.5 + b; return r > 1 ? 1 : r; }
static void addrow(double *d, const double *s, int len, double a) { for (int q = 0; q < len; q++) d[q] += 0.25 * s[q] + 0.5 * a; }
static double sumrow(const double *x, int len) { double s = 0; const double *e = x + len; while (x < e) s += *x++; return s / len; }
double f(int n, int m, double *A, double *B, double C[n][m], double *v, double *w, const double *g)
{
    double s0 = 0, t0, t1;
    w[m - 1] -= 0.25 * A[0 * m + m - 1];
    for (int a1 = 0; a1 < n; a1++) { const double *b2 = C[a1]; double *k3 = B + (n - 1 - a1) * m; for (int b2c = m; b2c--;) k3[b2c] = b2[b2c] * 0.5; }
    for (long i4 = 1; m - 1 > i4; i4++) {
        B[0 * m + i4 - 1] -= 0.25 * fabs(v[1]);
    }
    for (int a5 = 0; a5 < n; a5++) {
        double k7 = v[a5], b6s;
        if (k7 < -0.5) b6s = 0; else if (k7 < 0) b6s = k7; else if (k7 < (B[0 * m + 0] + ((g[2] * w[m - 1]) + (A[(n - 1) * m + m - 1] - C[0][0])))) { b6s = 1; } else b6s = -k7;
        v[a5] = b6s; }
    return s0;
}

