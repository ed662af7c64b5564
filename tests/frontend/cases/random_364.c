/* Generated (seed 364): loops of every style, jumps, walking pointers, helpers on arrays. */
#include <math.h>
#include <stddef.h>
#pragma regraph size(n=37, m=23) extent(A: n*m) extent(B: n*m) extent(v: n) extent(w: m) extent(g: 3) require(n >= 3 && m >= 3)
static double hlp(double a, double b) { double r = a; for (int q = 0; q < 3; q++) r = r * 0.5 + b; return r > 1 ? 1 : r; }
static void addrow(double *d, const double *s, int len, double a) { for (int q = 0; q < len; q++) d[q] += 0.25 * s[q] + 0.5 * a; }
static double sumrow(const double *x, int len) { double s = 0; const double *e = x + len; while (x < e) s += *x++; return s / len; }
double f(int n, int m, double *A, double *B, double C[n][m], double *v, double *w, const double *g)
{
    double s0 = 0, t0, t1;
    if (((A[(n - 1) * m + m - 1] < -0.5 && w[1] < 0) && (B[1 * m + 1] < -0.5 || C[n - 1][0] < -0.5))) {
        if ((C[1][1] > 0 && (C[n - 1][m - 1] > 0.25 && B[1 * m + 0] < 0.25))) {
            int i1;
            for (i1 = 1; i1 != n - 1 && i1 < n - 1; i1++) {
                for (unsigned i2 = 1; i2 < n - 1; i2 += 2) {
                    if (i1 == n - 2)
                        break;
                    C[i2][1] = 0.5 * (A[i1 * m + 1] - (i1 - s0));
                    A[(i2 - 1) * m + m - 1] = (0.125 + w[1]);
                }
                C[i1 + 1][0] = 0.25 * (s0 + (A[i1 * m + 1] * i1));
            }
        } else {
            s0 = 0.5 * (fabs(v[0]) + (hlp(B[1 * m + 1], B[1 * m + 0]) * A[(n - 1) * m + 0]));
            t1 = A[1 * m + 1];
        }
    } else {
        for (int a3 = 0; a3 < n; a3++) v[a3] = 0.25 * sumrow(&B[a3 * m], m) + B[0 * m + 0];
    }
    for (int a6 = 0; a6 < n; a6++) v[a6] = 0.25 * sumrow(&B[a6 * m], m) + A[0 * m + m - 1];
    return s0;
}

