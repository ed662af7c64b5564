// desc: 528 persistent blocks of 128, the next row comes by cp.async while this one is worked on
// plan: quant<<<528, 128>>>(r, x, q, scale);
#include <cuda_pipeline.h>
__global__ void __launch_bounds__(128) quant(int r, const float4 *__restrict__ x, signed char *__restrict__ q, float *__restrict__ scale)
{
    __shared__ float4 s[2][512];
    __shared__ float w[2][4];
    int t = threadIdx.x, p = 0, i = blockIdx.x;
    if (i < r) for (int k = t; k < 512; k += 128) __pipeline_memcpy_async(&s[0][k], x + i * 512 + k, 16);
    __pipeline_commit();
    for (; i < r; i += gridDim.x, p ^= 1) {
        int next = i + gridDim.x;
        if (next < r) for (int k = t; k < 512; k += 128) __pipeline_memcpy_async(&s[p ^ 1][k], x + next * 512 + k, 16);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        float4 v[4];
        float m = 0;
#pragma unroll
        for (int k = 0; k < 4; k++) {
            v[k] = s[p][t + 128 * k];
            m = fmaxf(m, fmaxf(fmaxf(fabsf(v[k].x), fabsf(v[k].y)), fmaxf(fabsf(v[k].z), fabsf(v[k].w))));
        }
#pragma unroll
        for (int o = 16; o; o >>= 1) m = fmaxf(m, __shfl_xor_sync(~0u, m, o));
        if (t % 32 == 0) w[p][t / 32] = m;
        __syncthreads();
        m = fmaxf(fmaxf(w[p][0], w[p][1]), fmaxf(w[p][2], w[p][3]));
        float f = 127.0f / m;
        if (t == 0) scale[i] = m / 127.0f;
#pragma unroll
        for (int k = 0; k < 4; k++)
            ((char4 *)q)[i * 512 + t + 128 * k] = make_char4(__float2int_rn(v[k].x * f), __float2int_rn(v[k].y * f), __float2int_rn(v[k].z * f), __float2int_rn(v[k].w * f));
    }
}
