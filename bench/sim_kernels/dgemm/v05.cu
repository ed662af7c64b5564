// desc: tensor cores, mma m8n8k4 in fp64, 64x64 tile of depth 16 in shared memory, 4 warps of 32x32
// plan: mm<<<dim3(n/64,m/64), 128>>>(n, k, A, B, C);
__global__ void __launch_bounds__(128) mm(int n, int k, const double *A, const double *B, double *C)
{
    __shared__ double a[64][20], b[16][68];
    int t = threadIdx.x, w = t / 32, l = t & 31, i = blockIdx.y * 64, j = blockIdx.x * 64, wi = (w & 1) * 32, wj = w / 2 * 32;
    double s[4][4][2] = {{{0}}};
    for (int d = 0; d < k; d += 16) {
#pragma unroll
        for (int q = 0; q < 8; q++) {
            int e = t + 128 * q;
            a[e / 16][e & 15] = A[(i + e / 16) * k + d + (e & 15)];
            b[e / 64][e & 63] = B[(d + e / 64) * n + j + (e & 63)];
        }
        __syncthreads();
#pragma unroll
        for (int h = 0; h < 16; h += 4) {
            double u[4], v[4];
#pragma unroll
            for (int r = 0; r < 4; r++) { u[r] = a[wi + 8 * r + l / 4][h + l % 4]; v[r] = b[h + l % 4][wj + 8 * r + l / 4]; }
#pragma unroll
            for (int r = 0; r < 4; r++)
#pragma unroll
                for (int c = 0; c < 4; c++)
                    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};" : "+d"(s[r][c][0]), "+d"(s[r][c][1]) : "d"(u[r]), "d"(v[c]));
        }
        __syncthreads();
    }
    for (int r = 0; r < 4; r++)
        for (int c = 0; c < 4; c++) {
            double *p = &C[(i + wi + 8 * r + l / 4) * n + j + wj + 8 * c + l % 4 * 2];
            p[0] = 0.5 * p[0] + s[r][c][0];
            p[1] = 0.5 * p[1] + s[r][c][1];
        }
}
