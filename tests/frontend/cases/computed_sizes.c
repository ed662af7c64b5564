// function: pool
// function: conv
// function: in_place
// function: late
// function: frames
/* sizes the function computes: symbols of their own */
#include <float.h>
#pragma regraph size(batch=4, L=40, K=3, stride=2, pad=1)
void pool(const float *in, float *out, int batch, int L, int K, int stride, int pad)
{
    const int Lo = (L + 2 * pad - K) / stride + 1;
    for (int b = 0; b < batch; b++)
        for (int o = 0; o < Lo; o++) {
            float m = -FLT_MAX;
            for (int k = 0; k < K; k++) {
                int i = o * stride + k - pad;
                if (i < 0 || i >= L) continue;
                if (in[b * L + i] > m) m = in[b * L + i];
            }
            out[b * Lo + o] = m;
        }
}
// explain(pool): Lo               scalar int computed: (L + 2*pad - K)/stride + 1
#pragma regraph size(C=3, H=24, W=20, k=3, s=2)
void conv(const float *x, const float *f, float *y, int C, int H, int W, int k, int s)
{
    int OH, OW;
    OH = (H - k) / s + 1;
    OW = (W - k) / s + 1;
    for (int c = 0; c < C; ++c)
        for (int i = 0; i < OH; ++i)
            for (int j = 0; j < OW; ++j) {
                float a = 0.f;
                for (int u = 0; u < k; ++u)
                    for (int v = 0; v < k; ++v) a += x[(c * H + i * s + u) * W + j * s + v] * f[u * k + v];
                y[(c * OH + i) * OW + j] = a;
            }
}
#pragma regraph size(n=100, b=7) extent(x: n)
void in_place(int n, int b, const double *x, double *mean)
{
    for (int g = 0; g < (n + b - 1) / b; g++) {
        double s = 0;
        int last = (g + 1) * b < n ? (g + 1) * b : n;
        for (int i = g * b; i < last; i++) s += x[i];
        mean[g] = s / (last - g * b);
    }
}
#pragma regraph size(n=64, m=32)
void late(int n, int m, const float *a, float *r)
{
    int q = n / m;
    int rest = n % m;
    for (int i = 0; i < q; i++) r[i] = a[i] + (float)rest;
}
#pragma regraph size(n=2000) size(n=450)
void frames(int n, const float *x, float *y)
{
    int m = (n - 512) / 128 + 1; /* 450: 1, as C rounds to zero */
    for (int i = 0; i < m; i++) {
        float s = 0;
        for (int k = 0; k < 512; k++) s += x[i * 128 + k];
        y[i] = s;
    }
    for (int i = 0; i < (n - 385) / 64; i++) y[0] += i;
}
// explain(frames): m                scalar int computed: (n - 512)/128 + 1
// explain(frames): n=450, m=1
// not(frames): opaque
// not(frames): require
