// desc: block of 256 per row, 8-byte loads, squares and scaling in double
// plan: rms<<<m, 256>>>(n/4, x, r, g, h, y);
#include <cuda_fp16.h>
__global__ void rms(int n4, const void *x_, const void *r_, const float4 *g, void *h_, void *y_)
{
    const uint2 *x = (const uint2 *)x_ + blockIdx.x * n4, *r = (const uint2 *)r_ + blockIdx.x * n4;
    uint2 *h = (uint2 *)h_ + blockIdx.x * n4, *y = (uint2 *)y_ + blockIdx.x * n4;
    __shared__ double s[8];
    double q = 0;
    for (int j = threadIdx.x; j < n4; j += 256) {
        uint2 a = x[j], b = r[j];
        __half2 u = __hadd2(*(__half2 *)&a.x, *(__half2 *)&b.x), v = __hadd2(*(__half2 *)&a.y, *(__half2 *)&b.y);
        h[j] = make_uint2(*(unsigned *)&u, *(unsigned *)&v);
        float2 e = __half22float2(u), f = __half22float2(v);
        q += (double)e.x * e.x + (double)e.y * e.y + (double)f.x * f.x + (double)f.y * f.y;
    }
    for (int o = 16; o; o >>= 1) q += __shfl_xor_sync(~0u, q, o);
    if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = q;
    __syncthreads();
    q = 0;
    for (int k = 0; k < 8; k++) q += s[k];
    q = 1.0 / sqrt(q / (4.0 * n4) + 1e-5);
    for (int j = threadIdx.x; j < n4; j += 256) {
        uint2 a = h[j];
        float2 e = __half22float2(*(__half2 *)&a.x), f = __half22float2(*(__half2 *)&a.y);
        float4 w = g[j];
        __half2 u = __floats2half2_rn(e.x * q * w.x, e.y * q * w.y), v = __floats2half2_rn(f.x * q * w.z, f.y * q * w.w);
        y[j] = make_uint2(*(unsigned *)&u, *(unsigned *)&v);
    }
}
