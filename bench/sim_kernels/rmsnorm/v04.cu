// desc: warp per row, scalar halves, both inputs read twice, 4 rows a block
// plan: rms<<<ceil_div(m,4), 128>>>(m, n, x, r, g, h, y);
#include <cuda_fp16.h>
__global__ void rms(int m, int n, const void *x_, const void *r_, const float *g, void *h_, void *y_)
{
    int i = blockIdx.x * 4 + threadIdx.x / 32, l = threadIdx.x % 32;
    if (i >= m) return;
    const __half *x = (const __half *)x_ + i * n, *r = (const __half *)r_ + i * n;
    __half *h = (__half *)h_ + i * n, *y = (__half *)y_ + i * n;
    float q = 0;
    for (int j = l; j < n; j += 32) { float v = __half2float(x[j]) + __half2float(r[j]); q += v * v; }
    for (int o = 16; o; o >>= 1) q += __shfl_xor_sync(~0u, q, o);
    q = rsqrtf(q / n + 1e-5f);
    for (int j = l; j < n; j += 32) {
        float v = __half2float(x[j]) + __half2float(r[j]);
        h[j] = __float2half(v);
        y[j] = __float2half(v * q * g[j]);
    }
}
