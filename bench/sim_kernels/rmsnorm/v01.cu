// desc: a kernel that adds, then a block of 256 per row with scalar halves reading the sums twice
// plan: add<<<ceil_div(m*n,256), 256>>>(m*n, x, r, h);
// plan: rms<<<m, 256>>>(n, h, g, y);
#include <cuda_fp16.h>
__global__ void add(int n, const void *x, const void *r, void *h)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) ((__half *)h)[i] = __hadd(((const __half *)x)[i], ((const __half *)r)[i]);
}
__global__ void rms(int n, const void *h_, const float *g, void *y_)
{
    const __half *h = (const __half *)h_ + blockIdx.x * n;
    __half *y = (__half *)y_ + blockIdx.x * n;
    __shared__ float s[256];
    float q = 0;
    for (int j = threadIdx.x; j < n; j += 256) { float v = __half2float(h[j]); q += v * v; }
    s[threadIdx.x] = q;
    __syncthreads();
    for (int o = 128; o; o /= 2) { if (threadIdx.x < o) s[threadIdx.x] += s[threadIdx.x + o]; __syncthreads(); }
    q = rsqrtf(s[0] / n + 1e-5f);
    for (int j = threadIdx.x; j < n; j += 256) y[j] = __float2half(__half2float(h[j]) * q * g[j]);
}
