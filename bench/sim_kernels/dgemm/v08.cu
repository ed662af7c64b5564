// desc: register blocks straight from L1: 4x2 results a thread, no shared memory, 32x4
// plan: mm<<<dim3(n/64,m/16), dim3(32,4)>>>(n, k, A, B, C);
__global__ void mm(int n, int k, const double *__restrict__ A, const double *__restrict__ B, double *__restrict__ C)
{
    int j = blockIdx.x * 64 + threadIdx.x * 2, i = blockIdx.y * 16 + threadIdx.y * 4;
    double s[4][2] = {{0}};
#pragma unroll 4
    for (int l = 0; l < k; l++) {
        double2 v = *(const double2 *)&B[l * n + j];
#pragma unroll
        for (int r = 0; r < 4; r++) { double a = A[(i + r) * k + l]; s[r][0] += a * v.x; s[r][1] += a * v.y; }
    }
    for (int r = 0; r < 4; r++)
        for (int c = 0; c < 2; c++) { double *p = &C[(i + r) * n + j + c]; *p = 0.5 * *p + s[r][c]; }
}
