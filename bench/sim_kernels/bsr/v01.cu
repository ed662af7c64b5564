// desc: thread per result, 64x4, straight from global memory
// plan: bsr<<<m*4, dim3(64,4)>>>(col, val, B, C);
__global__ void bsr(const int *col, const float *val, const float *B, float *C)
{
    int j = threadIdx.x, row = blockIdx.x * 4 + threadIdx.y, r = row / 16, i = row % 16;
    float s = 0;
    for (int b = 0; b < 8; b++)
        for (int k = 0; k < 16; k++) s += val[((r * 8 + b) * 16 + i) * 16 + k] * B[(col[r * 8 + b] * 16 + k) * 64 + j];
    C[row * 64 + j] = s;
}
