// desc: warp per system, row a lane in registers, pivot rows by shuffles, 4 systems a block
// plan: solve<<<ceil_div(b,4), 128>>>(b, A, r, x);
__global__ void __launch_bounds__(128) solve(int b, const float *__restrict__ A, const float *__restrict__ r, float *__restrict__ x)
{
    int s = blockIdx.x * 4 + threadIdx.x / 32, l = threadIdx.x & 31;
    if (s >= b) return;
    float m[32], v = r[s * 32 + l];
#pragma unroll
    for (int j = 0; j < 32; j += 4) {
        float4 q = *(const float4 *)&A[s * 1024 + l * 32 + j];
        m[j] = q.x; m[j + 1] = q.y; m[j + 2] = q.z; m[j + 3] = q.w;
    }
#pragma unroll
    for (int j = 0; j < 32; j++) if (j == l) m[j] += 40;
#pragma unroll
    for (int k = 0; k < 32; k++) {
        float f = m[k] / __shfl_sync(~0u, m[k], k);
        if (l <= k) f = 0;
#pragma unroll
        for (int j = k + 1; j < 32; j++) m[j] -= f * __shfl_sync(~0u, m[j], k);
        v -= f * __shfl_sync(~0u, v, k);
    }
#pragma unroll
    for (int i = 31; i >= 0; i--) {
        if (l == i) v /= m[i];
        float w = __shfl_sync(~0u, v, i);
        if (l < i) v -= m[i] * w;
    }
    x[s * 32 + l] = v;
}
