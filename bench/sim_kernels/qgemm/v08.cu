// desc: widened to fp32 pairs of partial sums kept exact: fp64 accumulators, 16x16 shared tiles
// plan: mm<<<dim3(n/16,n/16), dim3(16,16)>>>(n, A, B, C);
__global__ void mm(int n, const signed char *A, const signed char *B, int *C)
{
    __shared__ double sa[16][16], sb[16][17];
    int x = threadIdx.x, y = threadIdx.y, i = blockIdx.y * 16, j = blockIdx.x * 16;
    double s = 0;
    for (int k = 0; k < n; k += 16) {
        sa[y][x] = A[(i + y) * n + k + x];
        sb[y][x] = B[(j + y) * n + k + x];
        __syncthreads();
        for (int q = 0; q < 16; q++) s += sa[y][q] * sb[x][q];
        __syncthreads();
    }
    C[(i + y) * n + j + x] = (int)s;
}
