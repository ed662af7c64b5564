/* Buffers that change places: in loops that go down or by other steps, inside parallel loops whose rows are their own, of static and of
 * allocated memory; local arrays of a helper that is called more than once. */
#include <stdlib.h>
#include <string.h>

// function: down
// not(down): opaque
#pragma regraph size(T=9, n=30) require(T >= 1) require(n >= 3)
void down(int T, int n, const float *a, float *out)
{
    float *v = calloc(n, sizeof(float)), *w = calloc(n, sizeof(float));
    for (int t = T; t >= 1; t--) {
        for (int i = 0; i < n; i++) w[i] = v[i] * 0.5f + a[i] * t;
        float *s = v; v = w; w = s;
    }
    memcpy(out, v, n * sizeof(float));
    free(v);
    free(w);
}

// function: by_three
// not(by_three): opaque
#pragma regraph size(m=20, n=30) require(m >= 1) require(n >= 3)
void by_three(int m, int n, const int *a, int *x, int *y)
{
    for (int k = 1; k < m; k += 3) {
        for (int i = 1; i < n; i++) y[i] = x[i - 1] + a[i] * k;
        int *s = x; x = y; y = s;
    }
}

// function: rows
// not(rows): opaque
#pragma regraph size(N=11, m=7) require(N >= 1) require(m >= 1)
void rows(int N, int m, const int *q, int *best, int *last)
{
    for (int p = 0; p < N; p++) {
        int *prev = calloc(33, sizeof(int)), *curr = calloc(33, sizeof(int)), top = 0;
        for (int i = 0; i < m; i++) {
            for (int j = 1; j <= 32; j++) {
                curr[j] = prev[j - 1] + q[p * 32 + j - 1] - i;
                if (curr[j] > top) top = curr[j];
            }
            int *t = prev; prev = curr; curr = t;
        }
        best[p] = top;
        last[p] = prev[32];
        free(prev);
        free(curr);
    }
}

// function: two_rows
// not(two_rows): opaque
#pragma regraph size(N=11, m=7) require(N >= 1) require(m >= 1)
void two_rows(int N, int m, const int *q, int *last)
{
    for (int p = 0; p < N; p++) {
        int a[17], b[17], *prev = a, *curr = b;
        for (int j = 0; j < 17; j++) a[j] = q[p * 17 + j];
        for (int i = 0; i < m; i++) {
            curr[0] = i;
            for (int j = 1; j < 17; j++) curr[j] = prev[j - 1] < prev[j] ? prev[j - 1] + 1 : curr[j - 1] + 2;
            int *t = prev; prev = curr; curr = t;
        }
        last[p] = prev[16];
    }
}

static float *now, *next;
static void advance(int n)
{
    for (int i = 1; i < n - 1; i++) next[i] = 0.25f * (now[i - 1] + 2 * now[i] + now[i + 1]);
    float *t = now;
    now = next;
    next = t;
}

// function: parked
// not(parked): opaque
#pragma regraph size(T=7, n=30) require(T >= 1) require(n >= 4)
void parked(int T, int n, float *a, float *b)
{
    now = a;
    next = b;
    for (int t = 0; t < T; t++) advance(n);
}

static void flux(int n, const double *s, double *fl)
{
    double st[4];
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < 4; j++) st[j] = s[k * (n + 4) + i + j];
            fl[k * n + i] = -st[0] + 7 * st[1] + 7 * st[2] - st[3];
        }
}

// function: twice
// explain(twice):             double st[4];
// explain(twice):                 double st_2[4];
#pragma regraph size(n=12, T=3) require(n >= 2) require(T >= 1)
void twice(int n, int T, double *s, double *fl)
{
    flux(n, s, fl);
    for (int t = 0; t < T; t++) {
        flux(n, s, fl);
        for (int k = 0; k < n * n; k++) s[k] += 0.001 * fl[k];
    }
}

/* kept from one iteration to the next: it stays outside */
// function: carried
// explain(carried):     int w[4];
// not(carried):         int w[4];
#pragma regraph size(n=40) require(n >= 4)
void carried(int n, const int *x, int *y)
{
    int w[4];
    for (int j = 0; j < 4; j++) w[j] = j;
    for (int i = 0; i < n; i++) {
        y[i] = w[i % 4];
        for (int j = 1; j < 4; j++) w[j] += x[i];
    }
}
