// desc: block of 1024 per block row, block of A and 16 rows of B in shared memory, a result a thread
// plan: bsr<<<m, dim3(64,16)>>>(col, val, B, C);
__global__ void __launch_bounds__(1024) bsr(const int *col, const float *val, const float *B, float *C)
{
    __shared__ float a[16][16], t[16][64];
    int j = threadIdx.x, i = threadIdx.y, r = blockIdx.x;
    float s = 0;
    for (int b = 0; b < 8; b++) {
        int e = r * 8 + b;
        if (j < 16) a[i][j] = val[(e * 16 + i) * 16 + j];
        t[i][j] = B[(col[e] * 16 + i) * 64 + j];
        __syncthreads();
        for (int k = 0; k < 16; k++) s += a[i][k] * t[k][j];
        __syncthreads();
    }
    C[(r * 16 + i) * 64 + j] = s;
}
