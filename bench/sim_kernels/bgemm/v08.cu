// desc: blocks of 32 threads, a thread computes half a row from global memory, row of A in registers
// plan: mm<<<b, 32>>>(A, B, C);
__global__ void mm(const float2 *__restrict__ A, const float2 *__restrict__ B, float2 *__restrict__ C)
{
    int l = threadIdx.x, i = l / 2, h = l & 1, o = blockIdx.x * 256;
    float2 a[16];
#pragma unroll
    for (int k = 0; k < 16; k++) a[k] = A[o + i * 16 + k];
    for (int j = h * 8; j < h * 8 + 8; j++) {
        float2 s = make_float2(0, 0);
#pragma unroll
        for (int k = 0; k < 16; k++) { float2 v = B[o + k * 16 + j]; s.x += a[k].x * v.x - a[k].y * v.y; s.y += a[k].x * v.y + a[k].y * v.x; }
        C[o + i * 16 + j] = s;
    }
}
