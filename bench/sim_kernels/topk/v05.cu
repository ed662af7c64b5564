// desc: warp per row: a lane's eight best in registers (inserted under a test), then merged by eight rounds of shuffles, 8 warps
// plan: top<<<ceil_div(m,8), 256>>>(m, x, y);
__global__ void top(int m, const float *__restrict__ x, float *__restrict__ y)
{
    int i = blockIdx.x * 8 + threadIdx.x / 32, l = threadIdx.x & 31;
    if (i >= m) return;
    float best[8];
#pragma unroll
    for (int k = 0; k < 8; k++) best[k] = -1;
    for (int j = l; j < 2048; j += 32) {
        float v = x[i * 2048 + j];
        if (v > best[7]) {
#pragma unroll
            for (int k = 0; k < 8; k++) { float hi = fmaxf(v, best[k]); v = fminf(v, best[k]); best[k] = hi; }
        }
    }
#pragma unroll
    for (int k = 0; k < 8; k++) {
        float b = best[0];
        int who = l;
#pragma unroll
        for (int o = 16; o; o /= 2) {
            float c = __shfl_xor_sync(~0u, b, o);
            int w = __shfl_xor_sync(~0u, who, o);
            if (c > b || (c == b && w < who)) { b = c; who = w; }
        }
        if (l == who) {
#pragma unroll
            for (int q = 0; q < 7; q++) best[q] = best[q + 1];
            best[7] = -1;
        }
        if (l == 0) y[i * 8 + k] = b;
    }
}
