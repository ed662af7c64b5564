// desc: block of 64 for one product: 2x2 results a thread, shared memory
// plan: mm<<<b, 64>>>(A, B, C);
__global__ void mm(const float4 *A, const float4 *B, float2 *C)
{
    __shared__ float4 a4[128], c4[128];
    float2 *a = (float2 *)a4, *c = (float2 *)c4;
    int t = threadIdx.x, x = t & 7, y = t / 8, o = blockIdx.x * 128;
    a4[t] = A[o + t]; a4[t + 64] = A[o + t + 64]; c4[t] = B[o + t]; c4[t + 64] = B[o + t + 64];
    __syncthreads();
    float2 s[2][2] = {{{0, 0}, {0, 0}}, {{0, 0}, {0, 0}}};
#pragma unroll
    for (int k = 0; k < 16; k++)
#pragma unroll
        for (int r = 0; r < 2; r++)
#pragma unroll
            for (int q = 0; q < 2; q++) { float2 u = a[(2 * y + r) * 16 + k], v = c[k * 16 + 2 * x + q]; s[r][q].x += u.x * v.x - u.y * v.y; s[r][q].y += u.x * v.y + u.y * v.x; }
    for (int r = 0; r < 2; r++) for (int q = 0; q < 2; q++) C[blockIdx.x * 256 + (2 * y + r) * 16 + 2 * x + q] = s[r][q];
}
