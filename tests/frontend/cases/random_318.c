/* Generated (seed 318): loops of every style, jumps, walking pointers, helpers on arrays. */
#include <math.h>
#include <stddef.h>
#pragma regraph size(n=37, m=23) extent(A: n*m) extent(B: n*m) extent(v: n) extent(w: m) extent(g: 3) require(n >= 3 && m >= 3)
static double hlp(double a, double b) { double r = a; for (int q = 0; q < 3; q++) r = r * 0.5 + b; return r > 1 ? 1 : r; }
static void addrow(double *d, const double *s, int len, double a) { for (int q = 0; q < len; q++) d[q] += 0.25 * s[q] + 0.5 * a; }
static double sumrow(const double *x, int len) { double s = 0; const double *e = x + len; while (x < e) s += *x++; return s / len; }
double f(int n, int m, double *A, double *B, double C[n][m], double *v, double *w, const double *g)
{
    double s0 = 0, t0, t1;
    t1 = v[0];
    if (!((v[1] < -0.5 || A[0 * m + 0] < 0.25))) {
        double *k3 = A;
        for (int a1 = 0; a1 < n; a1++) {
            for (int b2 = 0; b2 < m; b2++)
                *k3++ = 0.5 * v[a1];
        }
        int i4;
        for (i4 = n - 2; i4 >= 1; i4--) {
            int i5;
            for (i5 = 1; i5 <= n - 2; i5++) {
                A[i5 * m + 0] = 0.25 * B[(i4 + 1) * m + m - 1];
                B[(i5 + 1) * m + 1] = 0.25 * -(A[i4 * m + 0]);
            }
            int i6;
            for (i6 = 1; i6 < n - 1; i6++) {
                B[i4 * m + 0] = 0.5 * fabs((A[(i6 + 1) * m + 0] + s0));
                s0 = 0.25 * B[i6 * m + 1];
            }
        }
    }
    return s0;
}

