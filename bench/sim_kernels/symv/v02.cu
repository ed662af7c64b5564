// desc: warp per row, the mirrored product added element by element with atomics
// plan: fill(y, 0);
// plan: symv<<<ceil_div(n,8), 256>>>(n, A, x, y);
__global__ void symv(int n, const double *__restrict__ A, const double *__restrict__ x, double *y)
{
    int i = (blockIdx.x * 256 + threadIdx.x) / 32, l = threadIdx.x & 31;
    if (i >= n) return;
    double s = 0, xi = x[i];
    for (int j = l; j <= i; j += 32) {
        double a = A[i * n + j];
        s += a * x[j];
        if (j < i) atomicAdd(&y[j], a * xi);
    }
    for (int o = 16; o; o >>= 1) s += __shfl_down_sync(~0u, s, o);
    if (l == 0) atomicAdd(&y[i], s);
}
