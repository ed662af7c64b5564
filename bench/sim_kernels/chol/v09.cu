// desc: block of 96 for four matrices, 24 threads each, loads and stores of the block coalesced, float4
// plan: chol<<<m/4, 96>>>(A, L);
__global__ void __launch_bounds__(96) chol(const float *__restrict__ A, float *__restrict__ L)
{
    __shared__ float4 sh[4 * 144];
    int x = threadIdx.x, q = x / 24, i = x % 24;
    const float4 *g = (const float4 *)A + blockIdx.x * 576;
#pragma unroll
    for (int k = 0; k < 6; k++) sh[k * 96 + x] = g[k * 96 + x];
    __syncthreads();
    float *s = (float *)sh + q * 576;
    for (int j = 0; j < 24; j++) {
        float v = 0;
        if (i >= j) {
            v = s[i * 24 + j] + (i == j ? 16.f : 0.f);
#pragma unroll 4
            for (int k = 0; k < j; k++) v -= s[i * 24 + k] * s[j * 24 + k];
        }
        if (i == j) s[j * 25] = sqrtf(v);
        __syncthreads();
        if (i > j) s[i * 24 + j] = v / s[j * 25];
        else if (i < j) s[i * 24 + j] = 0.f;
        __syncthreads();
    }
    float4 *p = (float4 *)L + blockIdx.x * 576;
#pragma unroll
    for (int k = 0; k < 6; k++) p[k * 96 + x] = sh[k * 96 + x];
}
