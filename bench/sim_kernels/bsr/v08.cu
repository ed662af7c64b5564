// desc: two stages of cp.async, 64 threads: 4x4 results each
// plan: bsr<<<m, 64>>>(col, val, B, C);
#include <cuda_pipeline.h>
__global__ void __launch_bounds__(64) bsr(const int *__restrict__ col, const float4 *__restrict__ val, const float4 *__restrict__ B, float4 *__restrict__ C)
{
    __shared__ float4 a[2][64], t[2][256];
    int x = threadIdx.x, r = blockIdx.x, i = x / 16 * 4, j = x % 16;
    auto load = [&](int b) {
        int e = r * 8 + b, s = b & 1;
        __pipeline_memcpy_async(&a[s][x], val + e * 64 + x, 16);
        const float4 *p = B + col[e] * 256;
        for (int k = 0; k < 4; k++) __pipeline_memcpy_async(&t[s][x + 64 * k], p + x + 64 * k, 16);
        __pipeline_commit();
    };
    float4 c[4];
#pragma unroll
    for (int q = 0; q < 4; q++) c[q] = make_float4(0, 0, 0, 0);
    load(0);
    for (int b = 0; b < 8; b++) {
        if (b < 7) { load(b + 1); __pipeline_wait_prior(1); }
        else __pipeline_wait_prior(0);
        __syncthreads();
        const float *as = (const float *)a[b & 1];
#pragma unroll
        for (int k = 0; k < 16; k++) {
            float4 v = t[b & 1][k * 16 + j];
#pragma unroll
            for (int q = 0; q < 4; q++) {
                float y = as[(i + q) * 16 + k];
                c[q].x += y * v.x; c[q].y += y * v.y; c[q].z += y * v.z; c[q].w += y * v.w;
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int q = 0; q < 4; q++) C[(r * 16 + i + q) * 16 + j] = c[q];
}
