// desc: warp per block row: 16 rows of float2 in registers, A by float4 loads of one address, no shared memory, 4 warps
// plan: bsr<<<m/4, 128>>>(col, val, B, C);
__global__ void __launch_bounds__(128) bsr(const int *__restrict__ col, const float4 *__restrict__ val, const float2 *__restrict__ B, float2 *__restrict__ C)
{
    int r = blockIdx.x * 4 + threadIdx.x / 32, l = threadIdx.x & 31;
    float2 s[16];
#pragma unroll
    for (int i = 0; i < 16; i++) s[i] = make_float2(0, 0);
    for (int b = 0; b < 8; b++) {
        int e = r * 8 + b;
        const float2 *p = B + col[e] * 512 + l;
        for (int k = 0; k < 4; k++) {
            float2 u = p[(4 * k) * 32], v = p[(4 * k + 1) * 32], w = p[(4 * k + 2) * 32], x = p[(4 * k + 3) * 32];
#pragma unroll
            for (int i = 0; i < 16; i++) {
                float4 a = val[e * 64 + i * 4 + k];
                s[i].x += a.x * u.x + a.y * v.x + a.z * w.x + a.w * x.x;
                s[i].y += a.x * u.y + a.y * v.y + a.z * w.y + a.w * x.y;
            }
        }
    }
#pragma unroll
    for (int i = 0; i < 16; i++) C[(r * 16 + i) * 32 + l] = s[i];
}
