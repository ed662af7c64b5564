// desc: three kernels: half2 add, squares of 2048-element pieces by an atomic per block, elementwise scaling
// plan: scratch float q[m];
// plan: fill(q, 0);
// plan: add<<<ceil_div(m*n/2,512), 512>>>(m*n/2, x, r, h);
// plan: squares<<<dim3(ceil_div(n,2048), m), 256>>>(n, h, q);
// plan: scale<<<ceil_div(m*n/2,512), 512>>>(m*n/2, n/2, h, q, g, y);
#include <cuda_fp16.h>
__global__ void add(int n, const void *x, const void *r, void *h)
{
    int i = blockIdx.x * 512 + threadIdx.x;
    if (i < n) ((__half2 *)h)[i] = __hadd2(((const __half2 *)x)[i], ((const __half2 *)r)[i]);
}
__global__ void squares(int n, const void *h_, float *q)
{
    const __half2 *h = (const __half2 *)h_ + (blockIdx.y * n + blockIdx.x * 2048) / 2;
    __shared__ float s;
    if (threadIdx.x == 0) s = 0;
    __syncthreads();
    float v = 0;
    for (int k = 0; k < 4; k++) { float2 f = __half22float2(h[k * 256 + threadIdx.x]); v += f.x * f.x + f.y * f.y; }
    for (int o = 16; o; o >>= 1) v += __shfl_down_sync(~0u, v, o);
    if (threadIdx.x % 32 == 0) atomicAdd(&s, v);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(&q[blockIdx.y], s);
}
__global__ void scale(int total, int n2, const void *h, const float *q, const float2 *g, void *y)
{
    int i = blockIdx.x * 512 + threadIdx.x;
    if (i >= total) return;
    int row = i / n2, j = i - row * n2;
    float s = rsqrtf(q[row] / (2 * n2) + 1e-5f);
    float2 f = __half22float2(((const __half2 *)h)[i]), w = g[j];
    ((__half2 *)y)[i] = __floats2half2_rn(f.x * s * w.x, f.y * s * w.y);
}
