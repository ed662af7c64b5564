// desc: thread per row strip: rows along threads, B broadcast: strided reads of A and C, 64 threads
// plan: mm<<<dim3(n/8,m/64), 64>>>(n, k, A, B, C);
__global__ void mm(int n, int k, const double *A, const double *B, double *C)
{
    int i = blockIdx.y * 64 + threadIdx.x, j = blockIdx.x * 8;
    double s[8] = {0};
    for (int l = 0; l < k; l++) {
        double a = A[i * k + l];
#pragma unroll
        for (int q = 0; q < 8; q++) s[q] += a * B[l * n + j + q];
    }
    for (int q = 0; q < 8; q++) C[i * n + j + q] = 0.5 * C[i * n + j + q] + s[q];
}
