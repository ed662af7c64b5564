// desc: thread per row, 32 threads a block, two sweeps along the row
// plan: rms<<<ceil_div(m,32), 32>>>(m, n, x, r, g, h, y);
#include <cuda_fp16.h>
__global__ void rms(int m, int n, const void *x_, const void *r_, const float *g, void *h_, void *y_)
{
    int i = blockIdx.x * 32 + threadIdx.x;
    if (i >= m) return;
    const __half *x = (const __half *)x_ + i * n, *r = (const __half *)r_ + i * n;
    __half *h = (__half *)h_ + i * n, *y = (__half *)y_ + i * n;
    float q = 0;
    for (int j = 0; j < n; j++) { float v = __half2float(x[j]) + __half2float(r[j]); q += v * v; h[j] = __float2half(v); }
    q = 1.0f / sqrtf(q / n + 1e-5f);
    for (int j = 0; j < n; j++) y[j] = __float2half(__half2float(h[j]) * q * g[j]);
}
