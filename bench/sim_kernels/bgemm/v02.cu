// desc: block of 16x16 per product, float2 in shared memory
// plan: mm<<<b, dim3(16,16)>>>(A, B, C);
__global__ void mm(const float2 *A, const float2 *B, float2 *C)
{
    __shared__ float2 a[16][16], c[16][16];
    int j = threadIdx.x, i = threadIdx.y, o = blockIdx.x * 256 + i * 16 + j;
    a[i][j] = A[o]; c[i][j] = B[o];
    __syncthreads();
    float2 s = make_float2(0, 0);
#pragma unroll
    for (int k = 0; k < 16; k++) { float2 u = a[i][k], v = c[k][j]; s.x += u.x * v.x - u.y * v.y; s.y += u.x * v.y + u.y * v.x; }
    C[o] = s;
}
