// desc: a 32x32 tile of the triangle a block of 32x8, both products from one read of it in shared memory, atomics
// plan: fill(y, 0);
// plan: symv<<<(n/32)*(n/32+1)/2, dim3(32,8)>>>(n, A, x, y);
__global__ void symv(int n, const double *__restrict__ A, const double *__restrict__ x, double *y)
{
    __shared__ double t[32][33];
    int b = blockIdx.x, bi = (int)((sqrt(8.0 * b + 1) - 1) / 2);
    while ((bi + 1) * (bi + 2) / 2 <= b) bi++;
    while (bi * (bi + 1) / 2 > b) bi--;
    int bj = b - bi * (bi + 1) / 2, l = threadIdx.x, r = threadIdx.y;
    for (int k = r; k < 32; k += 8) {
        int i = bi * 32 + k, j = bj * 32 + l;
        t[k][l] = j <= i ? A[(size_t)i * n + j] : 0.0;
    }
    __syncthreads();
    if (r == 0) {
        double s = 0;
        for (int k = 0; k < 32; k++) s += t[l][k] * x[bj * 32 + k];
        atomicAdd(&y[bi * 32 + l], s);
    } else if (r == 1) {
        double s = 0;
        for (int k = 0; k < 32; k++) if (bi != bj || k != l) s += t[k][l] * x[bi * 32 + k];
        atomicAdd(&y[bj * 32 + l], s);
    }
}
