/* Generated (seed 377): loops of every style, jumps, walking pointers, helpers on arrays. */
#include <math.h>
#include <stddef.h>
#pragma regraph size(n=37, m=23) extent(A: n*m) extent(B: n*m) extent(v: n) extent(w: m) extent(g: 3) require(n >= 3 && m >= 3)
static double hlp(double a, double b) { double r = a; for (int q = 0; q < 3; q++) r = r * 0.5 + b; return r > 1 ? 1 : r; }
static void addrow(double *d, const double *s, int len, double a) { for (int q = 0; q < len; q++) d[q] += 0.25 * s[q] + 0.5 * a; }
static double sumrow(const double *x, int len) { double s = 0; const double *e = x + len; while (x < e) s += *x++; return s / len; }
double f(int n, int m, double *A, double *B, double C[n][m], double *v, double *w, const double *g)
{
    double s0 = 0, t0, t1;
    int cnt = 0;
    cnt++;
    for (int i1 = 1; i1 <= n - 2; i1++) {
        if (i1 < n - 2) {
            if (i1 >= 3) {
                t1 = (B[i1 * m + 0] + 2);
            } else {
                t1 = v[i1];
            }
        } else {
            t0 = A[i1 * m + 0];
        }
        A[(i1 + 1) * m + m - 1] = 0.5 * g[0];
    }
    return s0 + cnt;
}

