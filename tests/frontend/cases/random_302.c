/* Generated (seed 302): loops of every style, jumps, walking pointers, helpers on arrays. */
#include <math.h>
#include <stddef.h>
#pragma regraph size(n=37, m=23) extent(A: n*m) extent(B: n*m) extent(v: n) extent(w: m) extent(g: 3) require(n >= 3 && m >= 3)
static double hlp(double a, double b) { double r = a; for (int q = 0; q < 3; q++) r = r * 0.5 + b; return r > 1 ? 1 : r; }
static void addrow(double *d, const double *s, int len, double a) { for (int q = 0; q < len; q++) d[q] += 0.25 * s[q] + 0.5 * a; }
static double sumrow(const double *x, int len) { double s = 0; const double *e = x + len; while (x < e) s += *x++; return s / len; }
double f(int n, int m, double *A, double *B, double C[n][m], double *v, double *w, const double *g)
{
    double s0 = 0, t0, t1;
    if (((B[0 * m + m - 1] < -0.5 && A[(n - 1) * m + m - 1] < 0.25) || B[0 * m + m - 1] > -0.5)) {
        for (int a1 = 0, b2 = m - 1; a1 < m; a1++, b2--) w[a1] = 0.5 * C[0][b2] + a1;
    } else {
        int i4;
        for (i4 = 1; i4 < m - 1; i4 += 2) {
            s0 = 0.25 * A[(n - 1) * m + m - 1];
        }
    }
    unsigned k7 = 0;
    for (int a5 = 0; a5 < n; a5++)
        for (int b6 = 0; b6 < m; b6++) {
            A[k7] = 0.5 * A[k7];
            k7 += 1;
        }
    for (int i8 = 1; i8 < n - 1; i8 += 1) {
        s0 += 0.5 * s0;
        double d9 = 0.125;
    }
    for (size_t k12 = 0; k12 < n * m; k12++) B[k12] = 0.5 * A[k12] + s0 * 0.125;
    if ((A[0 * m + m - 1] < 0.25 && C[n - 1][m - 1] > 0.25)) {
        double *k15 = A;
        for (int a13 = 0; a13 < n; a13++) {
            for (int b14 = 0; b14 < m; b14++)
                *k15++ = 0.5 * v[a13];
        }
    }
    return s0;
}

