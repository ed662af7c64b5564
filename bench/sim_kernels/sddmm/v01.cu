// desc: thread per row over its entries, 256 threads
// plan: sddmm<<<ceil_div(m,256), 256>>>(m, d, row, col, val, A, B, out);
__global__ void sddmm(int m, int d, const int *row, const int *col, const float *val, const float *A, const float *B, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= m) return;
    for (int e = row[i]; e < row[i + 1]; e++) {
        float s = 0;
        for (int k = 0; k < d; k++) s += A[i * d + k] * B[col[e] * d + k];
        out[e] = val[e] * s;
    }
}
