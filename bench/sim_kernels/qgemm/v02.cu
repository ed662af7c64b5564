// desc: thread per result, int loads and __dp4a, 32x8
// plan: mm<<<dim3(n/32,n/8), dim3(32,8)>>>(n, A, B, C);
__global__ void mm(int n, const void *a, const void *b, int *C)
{
    const int *A = (const int *)a, *B = (const int *)b;
    int j = blockIdx.x * 32 + threadIdx.x, i = blockIdx.y * 8 + threadIdx.y, m = n / 4, s = 0;
    for (int k = 0; k < m; k++) s = __dp4a(A[i * m + k], B[j * m + k], s);
    C[i * n + j] = s;
}
