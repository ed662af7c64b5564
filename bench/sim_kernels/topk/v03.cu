// desc: warp per row, 64 values a lane in registers, eight rounds of __reduce_max_sync on the bits, 4 warps
// plan: top<<<ceil_div(m,4), 128>>>(m, x, y);
__global__ void __launch_bounds__(128) top(int m, const float4 *__restrict__ x, float *__restrict__ y)
{
    int i = blockIdx.x * 4 + threadIdx.x / 32, l = threadIdx.x & 31;
    if (i >= m) return;
    float v[64];
#pragma unroll
    for (int j = 0; j < 16; j++) { float4 q = x[i * 512 + 32 * j + l]; v[4 * j] = q.x; v[4 * j + 1] = q.y; v[4 * j + 2] = q.z; v[4 * j + 3] = q.w; }
#pragma unroll 1
    for (int k = 0; k < 8; k++) {
        float b = -1;
#pragma unroll
        for (int j = 0; j < 64; j++) b = fmaxf(b, v[j]);
        float w = __int_as_float(__reduce_max_sync(~0u, __float_as_int(b)));
        unsigned who = __ballot_sync(~0u, b == w);
        if (l == __ffs(who) - 1) {
            bool done = false;
#pragma unroll
            for (int j = 0; j < 64; j++) if (!done && v[j] == w) { v[j] = -1; done = true; }
        }
        if (l == 0) y[i * 8 + k] = w;
    }
}
