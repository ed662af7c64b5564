// desc: real and imaginary parts apart in shared memory with 16-way conflicts, fp64 sums
// plan: mm<<<b, dim3(16,16)>>>(A, B, C);
__global__ void mm(const float2 *A, const float2 *B, float2 *C)
{
    __shared__ float ar[16][32], ai[16][32], br[16][32], bi[16][32];
    int j = threadIdx.x, i = threadIdx.y, o = blockIdx.x * 256 + i * 16 + j;
    float2 u = A[o], v = B[o];
    ar[i][j] = u.x; ai[i][j] = u.y; br[j][i] = v.x; bi[j][i] = v.y;
    __syncthreads();
    double x = 0, y = 0;
    for (int k = 0; k < 16; k++) {
        x += (double)ar[i][k] * br[j][k] - (double)ai[i][k] * bi[j][k];
        y += (double)ar[i][k] * bi[j][k] + (double)ai[i][k] * br[j][k];
    }
    C[o] = make_float2((float)x, (float)y);
}
