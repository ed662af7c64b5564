/* Generated (seed 333): loops of every style, jumps, walking pointers, helpers on arrays. */
#include <math.h>
#include <stddef.h>
#pragma regraph size(n=37, m=23) extent(A: n*m) extent(B: n*m) extent(v: n) extent(w: m) extent(g: 3) require(n >= 3 && m >= 3)
static double hlp(double a, double b) { double r = a; for (int q = 0; q < 3; q++) r = r * 0.5 + b; return r > 1 ? 1 : r; }
static void addrow(double *d, const double *s, int len, double a) { for (int q = 0; q < len; q++) d[q] += 0.25 * s[q] + 0.5 * a; }
static double sumrow(const double *x, int len) { double s = 0; const double *e = x + len; while (x < e) s += *x++; return s / len; }
double f(int n, int m, double *A, double *B, double C[n][m], double *v, double *w, const double *g)
{
    double s0 = 0, t0, t1;
    for (int a1 = 0; a1 < n; a1++) addrow(B + a1 * m, w, m, 2);
    int i4;
    for (i4 = m - 2; i4 >= 1; i4--) {
        B[0 * m + i4 + 1] = 0.25 * i4;
        A[1 * m + i4] = 0.25 * (A[0 * m + i4] + (s0 + v[1]));
    }
    int i5 = 1;
    while (i5 < m - 1) {
        for (long i6 = m - 2; i6 >= 1; i6--) {
            v[0] += 0.25 * (fabs(fabs(A[0 * m + i6])) - fabs((B[0 * m + i5] * v[n - 1])));
            B[(n - 1) * m + i5 + 1] = 0.5 * s0;
        }
        s0 *= 0.5;
        if (g[0] < -0.5) {
            for (long i7 = i5; i7 < m - 1; i7 += 3) {
                for (int i8 = 1; i8 < n - 1; i8 += 1) {
                    C[i8 - 1][i7 - 1] = A[1 * m + i5];
                    C[i8 - 1][i7] = 0.25 * (C[i8][i5] + (i7 <= m / 2 ? s0 : fabs(A[i8 * m + i5 - 1])));
                }
                t1 = B[(n - 1) * m + i7 + 1];
                if (i5 <= 3) {
                    C[1][i7] += 0.5 * (i7 < i7 ? (C[n - 1][i5] - t1) : v[1]);
                }
            }
        }
        i5++;
    }
    if (C[0][m - 1] < -0.5) {
        int k11 = n; double *a9 = v; while (k11-- > 0) { *a9 = *a9 * 0.5 + k11; a9++; }
        int i12;
        for (i12 = n - 2; i12 >= 1; i12--) {
            int i13;
            for (i13 = 1; i13 < n - 1; i13++) {
                A[i12 * m + m - 1] -= 0.25 * 0.125;
            }
            if (B[i12 * m + m - 1] < 0.25) {
                double *p14 = A + i12 * m;
                if (C[i12][0] < 0) {
                    C[i12][1] = hlp(((v[i12 - 1] + C[i12 + 1][0]) * v[i12]), s0);
                    if (C[0][0] < 0.25)
                        continue;
                } else {
                    p14[0] = i12;
                    C[i12][0] = 0.25 * (0.5 * (s0 + i12));
                }
            }
        }
    }
    return s0;
}

