// desc: warp per product, a lane half a column of results in registers, A by shuffles, 4 warps
// plan: mm<<<b/4, 128>>>(A, B, C);
__global__ void __launch_bounds__(128) mm(const float2 *__restrict__ A, const float2 *__restrict__ B, float2 *__restrict__ C)
{
    int l = threadIdx.x & 31, o = (blockIdx.x * 4 + threadIdx.x / 32) * 256, j = l & 15, h = l / 16;
    float2 a[8], c[16], s[8];
#pragma unroll
    for (int k = 0; k < 8; k++) a[k] = A[o + 32 * k + l], s[k] = make_float2(0, 0);
#pragma unroll
    for (int k = 0; k < 16; k++) c[k] = B[o + 16 * k + j];
#pragma unroll
    for (int k = 0; k < 16; k++)
#pragma unroll
        for (int r = 0; r < 8; r++) { /* row 2 r + h */
            float x = __shfl_sync(~0u, a[r].x, h * 16 + k), y = __shfl_sync(~0u, a[r].y, h * 16 + k);
            s[r].x += x * c[k].x - y * c[k].y; s[r].y += x * c[k].y + y * c[k].x;
        }
#pragma unroll
    for (int r = 0; r < 8; r++) C[o + (2 * r + h) * 16 + j] = s[r];
}
