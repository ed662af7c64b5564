// desc: naive with the product written back at every step, 32x4
// plan: mm<<<dim3(n/32,m/4), dim3(32,4)>>>(n, k, A, B, C);
__global__ void mm(int n, int k, const double *A, const double *B, double *C)
{
    int j = blockIdx.x * 32 + threadIdx.x, i = blockIdx.y * 4 + threadIdx.y;
    C[i * n + j] *= 0.5;
    for (int l = 0; l < k; l++) C[i * n + j] += A[i * k + l] * B[l * n + j];
}
