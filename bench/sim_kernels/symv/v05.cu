// desc: 64x64 tiles, 256 threads, double2, rows by shuffles, columns through shared memory
// plan: fill(y, 0);
// plan: symv<<<dim3(n/64, n/64), 256>>>(n, A, x, y);
__global__ void __launch_bounds__(256) symv(int n, const double *__restrict__ A, const double *__restrict__ x, double *y)
{
    if (blockIdx.x > blockIdx.y) return;
    __shared__ double cs[8][64];
    int l = threadIdx.x & 31, w = threadIdx.x / 32, i0 = blockIdx.y * 64, j = blockIdx.x * 64 + 2 * l;
    bool diagonal = blockIdx.x == blockIdx.y;
    double2 xj = *(const double2 *)(x + j);
    double c0 = 0, c1 = 0;
#pragma unroll
    for (int k = 0; k < 8; k++) {
        int i = i0 + k * 8 + w;
        double2 a = *(const double2 *)(A + (size_t)i * n + j);
        double xi = x[i];
        if (diagonal) {
            if (j > i) a.x = 0;
            if (j + 1 > i) a.y = 0;
        }
        double s = a.x * xj.x + a.y * xj.y;
        if (!diagonal || j != i) c0 += a.x * xi;
        if (!diagonal || j + 1 != i) c1 += a.y * xi;
#pragma unroll
        for (int o = 16; o; o >>= 1) s += __shfl_xor_sync(~0u, s, o);
        if (l == 0) atomicAdd(&y[i], s);
    }
    cs[w][2 * l] = c0; cs[w][2 * l + 1] = c1;
    __syncthreads();
    if (threadIdx.x < 64) {
        double s = 0;
#pragma unroll
        for (int k = 0; k < 8; k++) s += cs[k][threadIdx.x];
        atomicAdd(&y[blockIdx.x * 64 + threadIdx.x], s);
    }
}
