// function: down
// function: both
// function: offset_bound
// function: once
// function: doing
// function: two_steps
// function: helpers_in_bounds
// function: guards
#include <stddef.h>
#include <stdbool.h>
#pragma regraph size(n=50)
void down(const float *x, float *y, float *z, unsigned n)
{
    if (n == 0) return;
    for (unsigned i = n; i-- > 0;) y[i] = 2.0f * x[i];
    for (int j = (int)n - 1; j >= 0; j -= 2) z[j] = 0.5f * x[j];
    for (size_t k = n; k > 0; --k) y[k - 1] += x[k - 1];
    for (long i = 0; i != (long)n; ++i) z[i] += 1;
}
// not(down): opaque
// not(both): opaque
// not(offset_bound): opaque
// not(once): opaque
// not(doing): opaque
// not(helpers_in_bounds): opaque
#pragma regraph size(n=50, m=40)
void both(int n, int m, const int *a, const int *b, int *c)
{
    for (int i = 0; i < n && i < m; i++) c[i] = a[i] + b[i];
}
#pragma regraph size(n=50, lag=5) extent(r: n)
void offset_bound(const double *x, int n, double *r, int lag)
{
    for (int i = 0; i + lag < n; i++) r[i] = x[i] * x[i + lag];
    for (int i = 0; 2 * i < n; i++) r[i] += x[2 * i];
    for (int i = n; i - 1 >= 0; i--) r[i - 1] -= 1;
}
#define SWAP(a, b) do { float t = (a); (a) = (b); (b) = t; } while (0)
#pragma regraph size(n=50)
void once(float *x, float *y, int n)
{
    for (int i = 0; i < n; i++) SWAP(x[i], y[i]);
}
#pragma regraph size(n=50)
void doing(float *x, int n)
{
    int i = 0;
    do { x[i] *= 3; i++; } while (i < n);
    int k = 2;
    do { x[k - 2] += 1; k += 2; } while (k <= n);
}
#pragma regraph size(n=50)
void two_steps(const float *a, float *b, int n)
{
    int i, j;
    for (i = 0, j = n - 1; i < n; i++, j--) b[i] = a[j];
}
int imax(int a, int b) { return a > b ? a : b; }
int imin(int a, int b) { if (a < b) return a; return b; }
#pragma regraph size(n=50, k=3)
void helpers_in_bounds(const double *x, double *y, int n, int k)
{
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int j = imax(0, i - k); j <= imin(n - 1, i + k); j++) s += x[j];
        y[i] = s;
    }
}
#pragma regraph size(n=50, m=30)
void guards(int n, int m, const bool *keep, const short *v, long long *out)
{
    if (n <= 0 || m <= 0 || !v) return;
    for (int i = 0; i < n; i++) {
        if (!keep[i]) continue;
        for (int j = 0; j < m; j++) out[i * m + j] = v[j] + (i, j);
    }
}
