// desc: warp per row, both parts: the column part is read with a stride of a row
// plan: symv<<<ceil_div(n,4), dim3(32,4)>>>(n, A, x, y);
__global__ void symv(int n, const double *A, const double *x, double *y)
{
    int i = blockIdx.x * 4 + threadIdx.y;
    if (i >= n) return;
    double s = 0;
    for (int j = threadIdx.x; j < n; j += 32) s += (j <= i ? A[(size_t)i * n + j] : A[(size_t)j * n + i]) * x[j];
    for (int o = 16; o; o >>= 1) s += __shfl_down_sync(0xffffffff, s, o);
    if (threadIdx.x == 0) y[i] = s;
}
