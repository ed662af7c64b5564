// desc: the same without padding: 32-way bank conflicts
// plan: mm<<<dim3(n/32,n/32), dim3(32,32)>>>(n, A, B, C);
__global__ void mm(int n, const void *a, const void *b, int *C)
{
    const int *A = (const int *)a, *B = (const int *)b;
    __shared__ int sa[32][32], sb[32][32];
    int x = threadIdx.x, y = threadIdx.y, m = n / 4, i = blockIdx.y * 32, j = blockIdx.x * 32, s = 0;
    for (int k = 0; k < m; k += 32) {
        sa[y][x] = A[(i + y) * m + k + x];
        sb[y][x] = B[(j + y) * m + k + x];
        __syncthreads();
        for (int q = 0; q < 32; q++) s = __dp4a(sa[y][q], sb[x][q], s);
        __syncthreads();
    }
    C[(i + y) * n + j + x] = s;
}
