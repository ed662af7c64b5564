// desc: shared tiles 32x32, 1024 threads
// plan: mm<<<dim3(n/32,m/32), dim3(32,32)>>>(n, k, A, B, C);
__global__ void mm(int n, int k, const double *A, const double *B, double *C)
{
    __shared__ double a[32][32], b[32][32];
    int x = threadIdx.x, y = threadIdx.y, i = blockIdx.y * 32 + y, j = blockIdx.x * 32 + x;
    double s = 0;
    for (int l = 0; l < k; l += 32) {
        a[y][x] = A[i * k + l + x];
        b[y][x] = B[(l + y) * n + j];
        __syncthreads();
        for (int q = 0; q < 32; q++) s += a[y][q] * b[q][x];
        __syncthreads();
    }
    C[i * n + j] = 0.5 * C[i * n + j] + s;
}
