// desc: warp per matrix, a row a lane in registers, all unrolled, columns by shuffles, 4 warps
// plan: chol<<<m/4, 128>>>(A, L);
__global__ void __launch_bounds__(128) chol(const float *__restrict__ A, float *__restrict__ L)
{
    int l = threadIdx.x & 31, o = (blockIdx.x * 4 + threadIdx.x / 32) * 576, i = min(l, 23);
    float r[24];
    const float4 *p = (const float4 *)(A + o + i * 24);
#pragma unroll
    for (int k = 0; k < 6; k++) { float4 v = p[k]; r[4 * k] = v.x; r[4 * k + 1] = v.y; r[4 * k + 2] = v.z; r[4 * k + 3] = v.w; }
#pragma unroll
    for (int k = 0; k < 24; k++) if (k == i) r[k] += 16.f;
#pragma unroll
    for (int k = 0; k < 24; k++) {
        float d = rsqrtf(__shfl_sync(~0u, r[k], k));
        r[k] *= d;
#pragma unroll
        for (int j = k + 1; j < 24; j++) r[j] -= r[k] * __shfl_sync(~0u, r[k], j);
    }
    if (l < 24) {
        float4 *q = (float4 *)(L + o + i * 24);
#pragma unroll
        for (int k = 0; k < 24; k++) if (k > i) r[k] = 0.f;
#pragma unroll
        for (int k = 0; k < 6; k++) q[k] = make_float4(r[4 * k], r[4 * k + 1], r[4 * k + 2], r[4 * k + 3]);
    }
}
