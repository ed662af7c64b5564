#include <math.h>
static inline float clampf(float x, float lo, float hi) { return x < lo ? lo : x > hi ? hi : x; }
static float poly(float x)
{
    float r = 0;
    for (int k = 0; k < 4; k++)
        r = r * x + (float)k;
    return r;
}
static float dotp(const float *a, const float *b, int n)
{
    float s = 0;
    for (int i = 0; i < n; i++)
        s += a[i] * b[i];
    return s;
}
static void axpy(float *y, const float *x, float a, int n)
{
    int i;
    for (i = 0; i < n; i++)
        y[i] += a * x[i];
}
static void minmax(const float *x, int n, float *lo, float *hi)
{
    *lo = x[0];
    *hi = x[0];
    for (int i = 1; i < n; i++) {
        if (x[i] < *lo) *lo = x[i];
        if (x[i] > *hi) *hi = x[i];
    }
}
#pragma regraph size(m=40, n=30)
void apply(int m, int n, const float *A, const float *x, float *y, float *z)
{
    float lo, hi;
    for (int i = 0; i < m; i++)
        y[i] = clampf(poly(dotp(A + i * n, x, n)), -2.f, 2.f);
    for (int i = 0; i < n; i++) z[i] = 0;
    for (int i = 0; i < m; i++)
        axpy(z, &A[i * n], y[i], n);
    minmax(x, n, &lo, &hi);
    for (int i = 0; i < n; i++) z[i] = (z[i] - lo) / (hi - lo + 1.0f);
}
// explain: A is read as A[m][n]
// not: opaque parts
