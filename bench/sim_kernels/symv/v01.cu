// desc: thread per row: along the row to the diagonal, then down the column, 128
// plan: symv<<<ceil_div(n,128), 128>>>(n, A, x, y);
__global__ void symv(int n, const double *A, const double *x, double *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double s = 0;
    for (int j = 0; j <= i; j++) s += A[i * n + j] * x[j];
    for (int j = i + 1; j < n; j++) s += A[j * n + i] * x[j];
    y[i] = s;
}
