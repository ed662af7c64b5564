// desc: warp per system, row a lane in registers, fp64, 2 systems a block
// plan: solve<<<ceil_div(b,2), 64>>>(b, A, r, x);
__global__ void __launch_bounds__(64) solve(int b, const float *A, const float *r, float *x)
{
    int s = blockIdx.x * 2 + threadIdx.x / 32, l = threadIdx.x & 31;
    if (s >= b) return;
    double m[32], v = r[s * 32 + l];
#pragma unroll
    for (int j = 0; j < 32; j++) m[j] = A[s * 1024 + l * 32 + j] + (j == l ? 40.0 : 0.0);
#pragma unroll
    for (int k = 0; k < 32; k++) {
        double f = m[k] / __shfl_sync(~0u, m[k], k);
        if (l <= k) f = 0;
#pragma unroll
        for (int j = k + 1; j < 32; j++) m[j] -= f * __shfl_sync(~0u, m[j], k);
        v -= f * __shfl_sync(~0u, v, k);
    }
#pragma unroll
    for (int i = 31; i >= 0; i--) {
        if (l == i) v /= m[i];
        double w = __shfl_sync(~0u, v, i);
        if (l < i) v -= m[i] * w;
    }
    x[s * 32 + l] = (float)v;
}
