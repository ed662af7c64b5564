// desc: thread per row of C, sixteen columns in registers at a time, neighbours a row apart, 64 threads
// plan: bsr<<<dim3(m/4, 4), 64>>>(col, val, B, C);
__global__ void bsr(const int *col, const float *val, const float *B, float *C)
{
    int row = blockIdx.x * 64 + threadIdx.x, r = row / 16, i = row % 16, j0 = blockIdx.y * 16;
    float s[16];
    for (int j = 0; j < 16; j++) s[j] = 0;
    for (int b = 0; b < 8; b++)
        for (int k = 0; k < 16; k++) {
            float a = val[((r * 8 + b) * 16 + i) * 16 + k];
            const float *p = B + (col[r * 8 + b] * 16 + k) * 64 + j0;
            for (int j = 0; j < 16; j++) s[j] += a * p[j];
        }
    for (int j = 0; j < 16; j++) C[row * 64 + j0 + j] = s[j];
}
