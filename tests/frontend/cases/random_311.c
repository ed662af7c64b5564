/* Generated (seed 311): loops of every style, jumps, walking pointers, helpers on arrays. */
#include <math.h>
#include <stddef.h>
#pragma regraph size(n=37, m=23) extent(A: n*m) extent(B: n*m) extent(v: n) extent(w: m) extent(g: 3) require(n >= 3 && m >= 3)
static double hlp(double a, double b) { double r = a; for (int q = 0; q < 3; q++) r = r * 0.5 + b; return r > 1 ? 1 : r; }
static void addrow(double *d, const double *s, int len, double a) { for (int q = 0; q < len; q++) d[q] += 0.25 * s[q] + 0.5 * a; }
static double sumrow(const double *x, int len) { double s = 0; const double *e = x + len; while (x < e) s += *x++; return s / len; }
double f(int n, int m, double *A, double *B, double C[n][m], double *v, double *w, const double *g)
{
    double s0 = 0, t0, t1;
    for (long i1 = 1; i1 <= m - 2; i1++) {
        C[1][i1] = 0.5 * (i1 != m / 2 ? ((A[(n - 1) * m + i1 + 1] - w[i1]) + C[n - 1][i1]) : s0);
        int i2;
        for (i2 = 1; i2 <= m - 2; i2++) {
            if (A[(n - 1) * m + i2 - 1] > -0.5) {
                for (int i3 = 1; n - 1 > i3; i3++) {
                    C[i3][i2] = 0.5 * -(0.5);
                }
            }
            A[0 * m + i2] = 0.25 * fabs(A[(n - 1) * m + i2]);
            if (i1 == m - 2) {
                for (int i4 = 1; i4 < m - 1; i4++) {
                    if (!(i2 != 3))
                        continue;
                }
            }
        }
        v[n - 1] = 0.5 * (double)n;
    }
    for (unsigned i5 = 1; i5 < m - 1; i5 += 2) {
        for (long i6 = 1; i6 < n - 1; ++i6) {
            double d7 = A[i6 * m + i5];
        }
        s0 -= 0.5 * B[0 * m + i5];
    }
    t0 = ((hlp(C[1][0], A[0 * m + 0]) + (B[1 * m + m - 1] > 0 ? B[0 * m + 1] : v[1])) + A[(n - 1) * m + m - 1]);
    for (long i8 = 1; i8 < m - 1; i8 += 1) {
        if (i8 != 3) {
            C[1][i8] *= 0.5;
        }
        t1 = (((A[(n - 1) * m + i8 + 1] - A[1 * m + i8 - 1]) + (C[n - 1][1] * v[0])) + (double)n);
    }
    return s0;
}

