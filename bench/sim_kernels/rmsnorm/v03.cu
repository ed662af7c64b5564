// desc: block of 256 per row, two 16-byte loads of each input a thread, row kept in registers, one pass
// plan: rms<<<m, 256>>>(x, r, g, h, y);
#include <cuda_fp16.h>
__global__ void __launch_bounds__(256) rms(const void *x_, const void *r_, const float4 *__restrict__ g, void *h_, void *y_)
{
    const uint4 *x = (const uint4 *)x_ + blockIdx.x * 512, *r = (const uint4 *)r_ + blockIdx.x * 512;
    uint4 *h = (uint4 *)h_ + blockIdx.x * 512, *y = (uint4 *)y_ + blockIdx.x * 512;
    __shared__ float s[8];
    int t = threadIdx.x;
    uint4 a[2], b[2];
#pragma unroll
    for (int k = 0; k < 2; k++) { a[k] = __ldg(x + t + k * 256); b[k] = __ldg(r + t + k * 256); }
    float v[16], q = 0;
#pragma unroll
    for (int k = 0; k < 2; k++) {
        __half2 *p = (__half2 *)&a[k], *u = (__half2 *)&b[k];
#pragma unroll
        for (int c = 0; c < 4; c++) {
            float2 e = __half22float2(p[c]), f = __half22float2(u[c]);
            float s0 = e.x + f.x, s1 = e.y + f.y;
            v[k * 8 + c * 2] = s0;
            v[k * 8 + c * 2 + 1] = s1;
            p[c] = __floats2half2_rn(s0, s1);
            q += s0 * s0 + s1 * s1;
        }
        h[t + k * 256] = a[k];
    }
#pragma unroll
    for (int o = 16; o; o >>= 1) q += __shfl_xor_sync(~0u, q, o);
    if (!(t & 31)) s[t >> 5] = q;
    __syncthreads();
    q = s[t & 7];
#pragma unroll
    for (int o = 4; o; o >>= 1) q += __shfl_xor_sync(~0u, q, o);
    q = rsqrtf(q * (1.f / 4096) + 1e-5f);
#pragma unroll
    for (int k = 0; k < 2; k++) {
        float4 w0 = g[(t + k * 256) * 2], w1 = g[(t + k * 256) * 2 + 1];
        __half2 *p = (__half2 *)&b[k];
        p[0] = __floats2half2_rn(v[k * 8] * q * w0.x, v[k * 8 + 1] * q * w0.y);
        p[1] = __floats2half2_rn(v[k * 8 + 2] * q * w0.z, v[k * 8 + 3] * q * w0.w);
        p[2] = __floats2half2_rn(v[k * 8 + 4] * q * w1.x, v[k * 8 + 5] * q * w1.y);
        p[3] = __floats2half2_rn(v[k * 8 + 6] * q * w1.z, v[k * 8 + 7] * q * w1.w);
        y[t + k * 256] = b[k];
    }
}
