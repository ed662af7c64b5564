// desc: 64x64 tiles, parts of both products to a table, a second kernel adds them up
// plan: scratch double part[n/64*n];
// plan: tiles<<<dim3(n/64, n/64), dim3(64,4)>>>(n, A, x, part);
// plan: add<<<ceil_div(n,64), 64>>>(n, part, y);
__global__ void tiles(int n, const double *__restrict__ A, const double *__restrict__ x, double *__restrict__ part)
{
    if (blockIdx.x > blockIdx.y) return;
    __shared__ double t[64][65], h[4][64];
    int l = threadIdx.x, r = threadIdx.y, i0 = blockIdx.y * 64, j0 = blockIdx.x * 64;
    double s = 0;
    for (int k = r; k < 64; k += 4) {
        double a = j0 + l <= i0 + k ? A[(size_t)(i0 + k) * n + j0 + l] : 0;
        t[k][l] = a;
        if (i0 != j0 || k != l) s += a * x[i0 + k];
    }
    h[r][l] = s;
    __syncthreads();
    if (r == 0) {
        double c = h[0][l] + h[1][l] + h[2][l] + h[3][l], d = 0;
        for (int k = 0; k < 64; k++) d += t[l][k] * x[j0 + k];
        if (i0 == j0) part[(size_t)blockIdx.x * n + i0 + l] = c + d;
        else { part[(size_t)blockIdx.y * n + j0 + l] = c; part[(size_t)blockIdx.x * n + i0 + l] = d; }
    }
}
__global__ void add(int n, const double *__restrict__ part, double *__restrict__ y)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i >= n) return;
    double s = 0;
    for (int k = 0; k < n / 64; k++) s += part[(size_t)k * n + i];
    y[i] = s;
}
