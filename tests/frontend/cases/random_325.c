/* Generated (seed 325): loops of every style, jumps, walking pointers, helpers on arrays. */
#include <math.h>
#include <stddef.h>
#pragma regraph size(n=37, m=23) extent(A: n*m) extent(B: n*m) extent(v: n) extent(w: m) extent(g: 3) require(n >= 3 && m >= 3)
static double hlp(double a, double b) { double r = a; for (int q = 0; q < 3; q++) r = r * 0.5 + b; return r > 1 ? 1 : r; }
static void addrow(double *d, const double *s, int len, double a) { for (int q = 0; q < len; q++) d[q] += 0.25 * s[q] + 0.5 * a; }
static double sumrow(const double *x, int len) { double s = 0; const double *e = x + len; while (x < e) s += *x++; return s / len; }
double f(int n, int m, double *A, double *B, double C[n][m], double *v, double *w, const double *g)
{
    double s0 = 0, t0, t1;
    if (C[1][0] < 0) {
        if (A[1 * m + 1] < -0.5) {
            t0 = C[n - 1][0];
        } else {
            for (int i1 = 1; i1 < m - 1; i1++) {
                for (long i2 = 1; i2 < m - 1; i2++) {
                    s0 += 0.25 * s0;
                    B[0 * m + i2] -= 0.25 * i2;
                    A[1 * m + i2] += 0.5 * w[i1];
                }
                if (v[1] > 0.25) {
                    if (i1 >= m - 2)
                        continue;
                    if (i1 < 2)
                        break;
                }
                for (int i3 = n - 2; i3 >= 1; i3--) {
                    int t4 = i3 * m + i1;
                    A[(i3 + 1) * m + i1 + 1] = B[(i3 - 1) * m + i1];
                    A[i3 * m + i1] += 0.25 * v[i3];
                }
            }
            if (((B[1 * m + 0] < 0 && C[n - 1][m - 1] > 0) || (B[0 * m + 0] < 0 || C[1][1] < -0.5))) {
                if (C[1][0] > 0) {
                    C[n - 1][1] = 0.5 * (g[1] * C[0][m - 1]);
                } else {
                    A[(n - 1) * m + m - 1] = -(((((A[1 * m + 0] < 0 || A[1 * m + 1] < 0.25) || g[2] < -0.5) ? w[0] : B[0 * m + 0]) + (B[(n - 1) * m + 0] + g[0])));
                }
            }
        }
    } else {
        for (int a5 = 0; a5 < n; a5++) addrow(B + a5 * m, A + a5 * m, m, s0);
    }
    for (int a8 = 0; a8 < n; a8++) {
        double k10 = v[a8], b9s;
        if (k10 < -0.5) b9s = 0; else if (k10 < 0) b9s = k10; else if (k10 < B[1 * m + 1]) { b9s = 1; } else b9s = -k10;
        v[a8] = b9s; }
    for (int a11 = 0; a11 < n; a11++) {
        double k13 = v[a11], b12s;
        if (k13 < -0.5) b12s = 0; else if (k13 < 0) b12s = k13; else if (k13 < hlp(v[1], A[(n - 1) * m + m - 1])) { b12s = 1; } else b12s = -k13;
        v[a11] = b12s; }
    return s0;
}

