// desc: one kernel, block of 128 per row, half2, second pass reads the residual sum back
// plan: rms<<<m, 128>>>(n/2, x, r, g, h, y);
#include <cuda_fp16.h>
__global__ void rms(int n2, const void *x_, const void *r_, const float2 *g, void *h_, void *y_)
{
    const __half2 *x = (const __half2 *)x_ + blockIdx.x * n2, *r = (const __half2 *)r_ + blockIdx.x * n2;
    __half2 *h = (__half2 *)h_ + blockIdx.x * n2, *y = (__half2 *)y_ + blockIdx.x * n2;
    __shared__ float s[4];
    float q = 0;
    for (int j = threadIdx.x; j < n2; j += 128) {
        __half2 v = __hadd2(x[j], r[j]);
        h[j] = v;
        float2 f = __half22float2(v);
        q += f.x * f.x + f.y * f.y;
    }
    for (int o = 16; o; o >>= 1) q += __shfl_xor_sync(~0u, q, o);
    if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = q;
    __syncthreads();
    q = rsqrtf((s[0] + s[1] + s[2] + s[3]) / (2 * n2) + 1e-5f);
    for (int j = threadIdx.x; j < n2; j += 128) {
        float2 f = __half22float2(h[j]), w = g[j];
        y[j] = __floats2half2_rn(f.x * q * w.x, f.y * q * w.y);
    }
}
