// desc: the whole matrix is written out by tiles first, then a warp per row with double2
// plan: scratch double f[n*n];
// plan: mirror<<<dim3(n/32, n/32), dim3(32,8)>>>(n, A, f);
// plan: gemv<<<ceil_div(n,8), 256>>>(n, f, x, y);
__global__ void mirror(int n, const double *__restrict__ A, double *__restrict__ f)
{
    __shared__ double t[32][33];
    int bj = blockIdx.x * 32, bi = blockIdx.y * 32, l = threadIdx.x;
    if (bj > bi) return;
    for (int k = threadIdx.y; k < 32; k += 8) t[k][l] = A[(size_t)(bi + k) * n + bj + l];
    __syncthreads();
    for (int k = threadIdx.y; k < 32; k += 8) {
        if (bi != bj) f[(size_t)(bi + k) * n + bj + l] = t[k][l];
        f[(size_t)(bj + k) * n + bi + l] = bi == bj && l < k ? t[k][l] : t[l][k];
    }
}
__global__ void gemv(int n, const double *__restrict__ f, const double *__restrict__ x, double *__restrict__ y)
{
    int i = blockIdx.x * 8 + threadIdx.x / 32, l = threadIdx.x & 31;
    const double2 *r = (const double2 *)(f + (size_t)i * n), *v = (const double2 *)x;
    double s = 0;
#pragma unroll 4
    for (int j = l; j < n / 2; j += 32) { double2 a = r[j], b = v[j]; s += a.x * b.x + a.y * b.y; }
    for (int o = 16; o; o >>= 1) s += __shfl_down_sync(~0u, s, o);
    if (l == 0) y[i] = s;
}
