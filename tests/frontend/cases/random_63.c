/* Generated (seed 63): loops of every style, jumps, walking pointers, helpers on arrays. */
#include <math.h>
#include <stddef.h>
#pragma regraph size(n=37, m=23) extent(A: n*m) extent(B: n*m) extent(v: n) extent(w: m) extent(g: 3) require(n >= 3 && m >= 3)
static double hlp(double a, double b) { double r = a; for (int q = 0; q < 3; q++) r = r * 0.5 + b; return r > 1 ? 1 : r; }
double f(int n, int m, double *A, double *B, double C[n][m], double *v, double *w, const double *g)
{
    double s0 = 0, t0, t1;
    int cnt = 0;
    int i1;
    for (i1 = 1; i1 <= m - 2; i1++) {
        B[(n - 1) * m + i1] += 0.5 * C[n - 1][i1 - 1];
        if ((i1 < 2 && C[1][i1 - 1] < 0.25)) {
            B[1 * m + i1] *= 0.5;
            s0 = 0.5 * (C[0][i1] * B[1 * m + i1]);
        }
        for (unsigned i2 = i1; i2 < m - 1; i2++) {
            C[0][i1] -= 0.25 * v[n - 1];
        }
    }
    for (long i3 = 1; i3 <= m - 2; i3++) {
        s0 += 0.25 * s0;
        double d4 = B[1 * m + i3 + 1];
    }
    if (C[1][0] < 0.25) {
        t1 = ((!(C[0][0] < 0) && C[1][0] > 0.25) ? fabs((A[0 * m + 0] + A[(n - 1) * m + 0])) : (fabs(C[1][1]) * C[0][m - 1]));
        t0 = s0;
    }
    for (int i5 = 1; n - 1 > i5; i5++) {
        if (B[(i5 + 1) * m + m - 1] > 0) {
            double *p6 = A + i5 * m;
            for (unsigned i7 = 1; m - 1 > i7; i7++) {
                double d8 = s0;
                if (B[i5 * m + i7] < 0) {
                    if (i5 != n / 2)
                        continue;
                    if (i7 != i7)
                        continue;
                }
                int i9;
                for (i9 = 1; i9 < m - 1; i9 += 3) {
                    size_t t10 = i5 * m + i7;
                    A[i5 * m + i7 - 1] = 0.5 * p6[i7 + 1];
                }
            }
        }
        s0 = 0.5 * C[i5][0];
    }
    return s0 + cnt;
}

