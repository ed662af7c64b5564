/* Generated (seed 307): loops of every style, jumps, walking pointers, helpers on arrays. */
#include <math.h>
#include <stddef.h>
#pragma regraph size(n=37, m=23) extent(A: n*m) extent(B: n*m) extent(v: n) extent(w: m) extent(g: 3) require(n >= 3 && m >= 3)
static double hlp(double a, double b) { double r = a; for (int q = 0; q < 3; q++) r = r * 0.5 + b; return r > 1 ? 1 : r; }
static void addrow(double *d, const double *s, int len, double a) { for (int q = 0; q < len; q++) d[q] += 0.25 * s[q] + 0.5 * a; }
static double sumrow(const double *x, int len) { double s = 0; const double *e = x + len; while (x < e) s += *x++; return s / len; }
double f(int n, int m, double *A, double *B, double C[n][m], double *v, double *w, const double *g)
{
    double s0 = 0, t0, t1;
    for (int i1 = m - 2; i1 >= 1; i1--) {
        double d2 = fabs(A[(n - 1) * m + i1 + 1]);
        for (int i3 = 1; i3 < n - 1; i3++) {
            double *p4 = B + i3 * m;
        }
        int i5;
        for (i5 = 1; i5 < n - 1; i5++) {
            if (i1 > 3) {
                for (int i6 = 1; i6 <= n - 2; i6++) {
                    B[(i5 - 1) * m + i1] = 0.5 * (i5 < 3 ? ((A[(i6 + 1) * m + i1] + C[i6 + 1][i1]) - C[i5][i1]) : i1);
                    B[i6 * m + i1 - 1] *= 0.5;
                }
            }
        }
    }
    s0 += 0.25 * (A[(n - 1) * m + 1] > 0.25 ? w[0] : B[1 * m + m - 1]);
    if (((A[(n - 1) * m + 1] > 0 && C[n - 1][m - 1] > 0.25) || (g[1] < -0.5 || C[0][m - 1] < -0.5))) {
        t1 = ((double)n * ((B[1 * m + m - 1] + B[(n - 1) * m + 0]) * hlp(A[1 * m + 0], A[(n - 1) * m + m - 1])));
    }
    for (long i7 = 1; i7 < n - 1; i7 += 2) {
        double *p8 = &B[i7 * m];
        for (int i9 = 1; n - 1 > i9; i9++) {
            if ((i7 > n - 2 || i7 != 3)) {
                p8[1] -= 0.25 * B[i9 * m + m - 1];
            } else {
                double d10 = A[i9 * m + 0];
            }
            double d11 = fabs(B[i9 * m + m - 1]);
            for (unsigned i12 = 1; i12 <= n - 2; i12++) {
                t0 = 1.25f;
                s0 = 0.25 * ((p8[1] < -0.5 ? A[i9 * m + 0] : (A[i12 * m + 1] * p8[0])) + (C[i9 + 1][1] * (p8[0] + A[(i7 - 1) * m + m - 1])));
                C[i7][0] -= 0.5 * (i9 >= 3 ? s0 : (C[i9][m - 1] + d11));
            }
        }
    }
    return s0;
}

