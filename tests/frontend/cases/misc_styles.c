// function: hypot_map
// function: matvec_vla
// function: ring
// function: cond_chain
// function: clamp_idx
// function: reduce_many
// function: bitonic_step
// function: csr_t
// function: poly_eval
// function: local_vla
// function: nested_helper
// function: char_count
// function: two_returns
// function: static_table
// function: do_loop
// function: packed
// function: mixed_types
// function: unsigned_loops
// function: ternary_ptr
// function: struct_return
// function: early_guard
// function: out_param_helper
// function: block_tiled
// function: stepped
// function: float_loop
// function: rgb
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
#include <assert.h>
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define SQ(x) ((x) * (x))
typedef double Real;
typedef Real Vec[3];
typedef unsigned int uint;

#pragma regraph size(count=500)
void hypot_map(const float *restrict re, const float *restrict im, float *restrict mag, const size_t count)
{
    assert(count > 0);
#pragma omp parallel for simd schedule(static)
    for (size_t k = 0; k != count; ++k)
        mag[k] = hypotf(re[k], im[k]) + SQ(re[k]);
}

#pragma regraph size(rows=30, cols=50)
void matvec_vla(int rows, int cols, const Real (*a)[cols], const Real x[static cols], Real y[restrict])
{
    for (int r = 0; r < rows; r++) {
        const Real *row = a[r];
        Real acc = 0.;
        for (int c = 0; c < cols; c++)
            acc += row[c] * x[c];
        y[r] = acc;
    }
}

#pragma regraph size(n=100)
void ring(int n, const float *in, float *out)
{
    for (int i = 0; i < n; i++) {
        int prev = i == 0 ? n - 1 : i - 1;
        int next = i == n - 1 ? 0 : i + 1;
        out[i] = 0.5f * (in[prev] + in[next]);
    }
}

#pragma regraph size(n=200)
void cond_chain(int n, const double *x, double *y)
{
    int i;
    for (i = 0; i < n; ++i) {
        double v;
        if (x[i] > 0.5)
            v = 1.0;
        else if (x[i] > 0.0)
            v = x[i] * 2;
        else if (x[i] > -0.5) {
            v = -x[i];
        } else
            v = 0;
        y[i] = v;
        if (i % 2)
            y[i] += 1;
        if (i > 10 && i < n - 10)
            y[i] *= 2;
        else {
            y[i] -= 1;
        }
    }
}

#pragma regraph size(n=120)
void clamp_idx(int n, const float *a, float *b)
{
    for (int i = 0; i < n; i++) {
        int lo = MAX(i - 2, 0), hi = MIN(i + 2, n - 1);
        float s = 0;
        for (int j = lo; j <= hi; j++)
            s += a[j];
        b[i] = s / (hi - lo + 1);
    }
}

#pragma regraph size(n=300)
void reduce_many(int n, const double *x, const int *w, double out[4], int *count, long *total)
{
    double s = 0, p = 1, mn = x[0], mx = x[0];
    int c = 0;
    long t = 0;
    for (int i = 0; i < n; i++) {
        s += x[i];
        p *= 1.0 + 1e-3 * x[i];
        mn = x[i] < mn ? x[i] : mn;
        if (mx < x[i]) mx = x[i];
        if (w[i] > 50) c++;
        t += w[i];
    }
    out[0] = s; out[1] = p; out[2] = mn; out[3] = mx;
    *count = c;
    *total = t;
}

#pragma regraph size(n=256, k=16, j=4) require(n % 32 == 0 && k <= n && j < k && k == 16 && j == 4) extent(a: n)
void bitonic_step(int n, int k, int j, float *a)
{
    for (int i = 0; i < n; i++) {
        int l = i ^ j;
        if (l > i) {
            if (((i & k) == 0 && a[i] > a[l]) || ((i & k) != 0 && a[i] < a[l])) {
                float t = a[i];
                a[i] = a[l];
                a[l] = t;
            }
        }
    }
}

#pragma regraph size(m=40, n=50, nnz=300) extent(ptr: m+1) extent(idx: nnz) extent(val: nnz) extent(y: n) input(ptr: prefix(nnz)) input(idx: uniform(0, n-1))
void csr_t(int m, int n, int nnz, const int *ptr, const int *idx, const double *val, const double *x, double *y)
{
    memset(y, 0, n * sizeof(double));
    for (int i = 0; i < m; i++) {
        const int start = ptr[i], stop = ptr[i + 1];
        double xi = x[i];
        for (int p = start; p < stop; p++)
            y[idx[p]] += val[p] * xi;
    }
}

#pragma regraph size(n=100, deg=5)
void poly_eval(int n, int deg, const double *c, const double *x, double *y)
{
    for (int i = 0; i < n; i++) {
        double r = c[deg];
        for (int d = deg - 1; d >= 0; d--)
            r = r * x[i] + c[d];
        y[i] = r;
    }
}

#pragma regraph size(n=40, m=30)
void local_vla(int n, int m, const float *a, float *b)
{
    float tmp[m];
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++)
            tmp[j] = a[i * m + j] * 2;
        for (int j = 0; j < m; j++)
            b[i * m + j] = tmp[m - 1 - j];
    }
}

static Real norm2(const Vec v) { return v[0] * v[0] + v[1] * v[1] + v[2] * v[2]; }
static void cross(const Vec a, const Vec b, Vec c)
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}
static double area(const Vec a, const Vec b)
{
    Vec c;
    cross(a, b, c);
    return sqrt(norm2(c));
}
#pragma regraph size(n=60)
void nested_helper(int n, Vec *p, Vec *q, double *out)
{
    for (int i = 0; i < n; i++)
        out[i] = area(p[i], q[i]);
}

#pragma regraph size(n=1000) input(s: uniform(0, 255)) extent(hist: 256)
void char_count(const unsigned char *s, int n, int hist[256])
{
    for (int i = 0; i < 256; i++) hist[i] = 0;
    for (int i = 0; i < n; ++i) ++hist[s[i]];
}

#pragma regraph size(n=50)
double two_returns(int n, const double *x)
{
    double s = 0;
    for (int i = 0; i < n; i++) s += x[i];
    if (s > 0) return s;
    return -s;
}

#pragma regraph size(n=90) extent(x: n)
void static_table(int n, const float *x, float *y)
{
    static const float w[5] = {0.1f, 0.2f, 0.4f, 0.2f, 0.1f};
    static const int off[5] = {-2, -1, 0, 1, 2};
    for (int i = 2; i < n - 2; i++) {
        float s = 0;
        for (int k = 0; k < 5; k++)
            s += w[k] * x[i + off[k]];
        y[i] = s;
    }
}

#pragma regraph size(n=80) extent(x: n)
int do_loop(int n, const int *x)
{
    int i = 0, s = 0;
    do {
        s += x[i];
    } while (++i < n);
    return s;
}

#pragma regraph size(n=30) extent(ap: n * (n + 1) / 2)
void packed(int n, const double *x, double *ap)
{
    int k = 0;
    for (int j = 0; j < n; j++)
        for (int i = 0; i <= j; i++)
            ap[k++] = x[i] * x[j];
}

#pragma regraph size(n=64)
void mixed_types(int n, const int8_t *a, const uint16_t *b, int64_t *c, float *d, bool *e, short *s)
{
    for (int i = 0; i < n; i++) {
        c[i] = (int64_t)a[i] * b[i] - (a[i] << 2) + (b[i] >> 1) + (a[i] & 0x0f);
        d[i] = (float)c[i] / 3 + a[i] % 7;
        e[i] = a[i] > b[i] || !(a[i] & 1);
        s[i] = (short)(a[i] * 300);
        s[i] ^= 0x55;
    }
}

#pragma regraph size(n=60, m=20)
void unsigned_loops(uint n, uint m, const float *a, float *b)
{
    for (uint i = 1; i < n - 1; i++)
        for (uint j = 0; j < m; ++j)
            b[i * m + j] = a[(i - 1) * m + j] + a[(i + 1) * m + j];
    for (uint i = n; i-- > 0;)
        b[i * m] = (float)i;
}

#pragma regraph size(n=40, pick=1) extent(a: n) extent(b: n)
void ternary_ptr(int n, int pick, const float *a, const float *b, float *c)
{
    const float *src = pick ? a : b;
    for (int i = 0; i < n; i++) c[i] = src[i];
}

typedef struct { float re, im; } cplx;
static inline cplx cmul(cplx a, cplx b)
{
    cplx r = {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
    return r;
}
#pragma regraph size(n=70)
void struct_return(int n, const cplx *a, const cplx *b, cplx *c)
{
    for (int i = 0; i < n; i++) {
        cplx t = cmul(a[i], b[i]);
        c[i].re = t.re + 1.0f;
        c[i].im = t.im;
    }
}

#pragma regraph size(n=70)
void early_guard(int n, float *x, const float *y)
{
    if (n < 1 || x == NULL || y == NULL) {
        fprintf(stderr, "bad\n");
        return;
    }
    for (int i = 0; i < n; i++) {
        if (y[i] < 0) continue;
        x[i] = sqrtf(y[i]);
    }
}

static void split(double v, double *ip, double *fp)
{
    *ip = floor(v);
    *fp = v - *ip;
}
#pragma regraph size(n=70)
void out_param_helper(int n, const double *x, double *a, double *b)
{
    for (int i = 0; i < n; i++) {
        double ip, fp;
        split(x[i] * 10, &ip, &fp);
        a[i] = ip;
        b[i] = fp;
        split(x[i] * 3, &a[i], &fp);
        b[i] += fp;
    }
}

#pragma regraph size(n=50)
void block_tiled(int n, const float *A, const float *B, float *C)
{
    enum { BS = 16 };
    for (int ii = 0; ii < n; ii += BS)
        for (int jj = 0; jj < n; jj += BS)
            for (int kk = 0; kk < n; kk += BS)
                for (int i = ii; i < MIN(ii + BS, n); i++)
                    for (int j = jj; j < MIN(jj + BS, n); j++) {
                        float s = kk ? C[i * n + j] : 0;
                        for (int k = kk; k < MIN(kk + BS, n); k++)
                            s += A[i * n + k] * B[k * n + j];
                        C[i * n + j] = s;
                    }
}

#pragma regraph size(n=64) require(n % 4 == 0)
void stepped(int n, const float *x, float *y)
{
    for (int i = 0; i < n; i += 4) {
        y[i] = x[i];
        y[i + 1] = x[i + 1] * 2;
        y[i + 2] = x[i + 2] * 3;
        y[i + 3] = x[i + 3] * 4;
    }
}

#pragma regraph size(n=40) extent(y: n)
void float_loop(int n, double *y)
{
    int i = 0;
    for (double t = 0; t < 1.0 && i < n; t += 0.05, i++) y[i] = t;
}

#pragma regraph size(w=30, h=20) input(in: uniform(0,255))
void rgb(const uint8_t *in, uint8_t *out, int w, int h)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            const uint8_t *p = in + (y * w + x) * 3;
            out[y * w + x] = (uint8_t)((77 * p[0] + 150 * p[1] + 29 * p[2]) >> 8);
        }
}
