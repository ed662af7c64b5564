// desc: 64x64 tile of depth 16, 4x4 a thread, 256 threads
// plan: mm<<<dim3(n/64,m/64), 256>>>(n, k, A, B, C);
__global__ void mm(int n, int k, const double *__restrict__ A, const double *__restrict__ B, double *__restrict__ C)
{
    __shared__ double a[16][65], b[16][64];
    int t = threadIdx.x, x = t & 15, y = t / 16, i = blockIdx.y * 64, j = blockIdx.x * 64;
    double s[4][4] = {{0}};
    for (int l = 0; l < k; l += 16) {
#pragma unroll
        for (int q = 0; q < 4; q++) {
            a[x][y + 16 * q] = A[(i + y + 16 * q) * k + l + x];
            b[t / 64 + 4 * q][t & 63] = B[(l + t / 64 + 4 * q) * n + j + (t & 63)];
        }
        __syncthreads();
#pragma unroll
        for (int q = 0; q < 16; q++) {
            double u[4], v[4];
#pragma unroll
            for (int r = 0; r < 4; r++) { u[r] = a[q][y + 16 * r]; v[r] = b[q][x + 16 * r]; }
#pragma unroll
            for (int r = 0; r < 4; r++)
#pragma unroll
                for (int c = 0; c < 4; c++) s[r][c] += u[r] * v[c];
        }
        __syncthreads();
    }
    for (int r = 0; r < 4; r++)
        for (int c = 0; c < 4; c++) { double *p = &C[(i + y + 16 * r) * n + j + x + 16 * c]; *p = 0.5 * *p + s[r][c]; }
}
