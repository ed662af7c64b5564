// desc: naive, 16x16
// plan: mm<<<dim3(n/16,m/16), dim3(16,16)>>>(n, k, A, B, C);
__global__ void mm(int n, int k, const double *A, const double *B, double *C)
{
    int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
    double s = 0;
    for (int l = 0; l < k; l++) s += A[i * k + l] * B[l * n + j];
    C[i * n + j] = 0.5 * C[i * n + j] + s;
}
