// desc: Gauss-Jordan, warp per system, column a lane in registers, right side in the 33rd of 64 lanes' columns by a second array
// plan: solve<<<ceil_div(b,8), 256>>>(b, A, r, x);
__global__ void __launch_bounds__(256) solve(int b, const float *__restrict__ A, const float *__restrict__ r, float *__restrict__ x)
{
    int s = blockIdx.x * 8 + threadIdx.x / 32, l = threadIdx.x & 31;
    if (s >= b) return;
    float m[32], v = r[s * 32 + l];
#pragma unroll
    for (int i = 0; i < 32; i++) m[i] = A[s * 1024 + i * 32 + l] + (i == l ? 40.0f : 0.0f);
#pragma unroll
    for (int k = 0; k < 32; k++) {
        float p = __fdividef(1.0f, __shfl_sync(~0u, m[k], k)), vk = __shfl_sync(~0u, v, k) * p, c = 0;
        m[k] *= p;
#pragma unroll
        for (int i = 0; i < 32; i++) {
            float f = __shfl_sync(~0u, m[i], k);
            if (i != k) { m[i] -= f * m[k]; if (l == i) c = f; }
        }
        v = l == k ? vk : v - c * vk;
    }
    x[s * 32 + l] = v;
}
