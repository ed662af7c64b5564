// desc: 264 persistent blocks of 512 over the rows, weights in registers, next row loaded before this one is reduced
// plan: rms<<<264, 512>>>(m, x, r, g, h, y);
#include <cuda_fp16.h>
__global__ void __launch_bounds__(512) rms(int m, const void *x_, const void *r_, const float4 *__restrict__ g, void *h_, void *y_)
{
    const uint4 *x = (const uint4 *)x_, *r = (const uint4 *)r_;
    uint4 *h = (uint4 *)h_, *y = (uint4 *)y_;
    __shared__ float s[2][16];
    int t = threadIdx.x, flip = 0, i = blockIdx.x;
    if (i >= m) return;
    float4 w0 = g[t * 2], w1 = g[t * 2 + 1];
    float w[8] = { w0.x, w0.y, w0.z, w0.w, w1.x, w1.y, w1.z, w1.w };
    uint4 a = x[i * 512 + t], b = r[i * 512 + t];
    for (; i < m; i += gridDim.x, flip ^= 1) {
        float v[8], q = 0;
        __half2 *p = (__half2 *)&a, *u = (__half2 *)&b;
#pragma unroll
        for (int c = 0; c < 4; c++) {
            float2 e = __half22float2(p[c]), f = __half22float2(u[c]);
            v[c * 2] = e.x + f.x;
            v[c * 2 + 1] = e.y + f.y;
            p[c] = __floats2half2_rn(v[c * 2], v[c * 2 + 1]);
            q += v[c * 2] * v[c * 2] + v[c * 2 + 1] * v[c * 2 + 1];
        }
        h[i * 512 + t] = a;
        int next = i + gridDim.x;
        if (next < m) { a = x[next * 512 + t]; b = r[next * 512 + t]; }
        for (int o = 16; o; o >>= 1) q += __shfl_xor_sync(~0u, q, o);
        if (!(t & 31)) s[flip][t >> 5] = q;
        __syncthreads();
        q = s[flip][t & 15];
        for (int o = 8; o; o >>= 1) q += __shfl_xor_sync(~0u, q, o);
        q = rsqrtf(q * (1.f / 4096) + 1e-5f);
        uint4 z;
        __half2 *d = (__half2 *)&z;
#pragma unroll
        for (int c = 0; c < 4; c++) d[c] = __floats2half2_rn(v[c * 2] * q * w[c * 2], v[c * 2 + 1] * q * w[c * 2 + 1]);
        y[i * 512 + t] = z;
    }
}
