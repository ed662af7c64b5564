// desc: 256 threads per block row, four rows a thread, A and B in shared memory
// plan: bsr<<<m, 256>>>(col, val, B, C);
__global__ void __launch_bounds__(256) bsr(const int *__restrict__ col, const float *__restrict__ val, const float *__restrict__ B, float *__restrict__ C)
{
    __shared__ float a[256], t[16][64];
    int x = threadIdx.x, j = x & 63, i = x / 64 * 4, r = blockIdx.x;
    float s[4] = {0, 0, 0, 0};
    for (int b = 0; b < 8; b++) {
        int e = r * 8 + b, c = col[e];
        a[x] = val[e * 256 + x];
        ((float4 *)t)[x] = ((const float4 *)B)[c * 256 + x];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 16; k++) {
            float v = t[k][j];
#pragma unroll
            for (int q = 0; q < 4; q++) s[q] += a[(i + q) * 16 + k] * v;
        }
        __syncthreads();
    }
#pragma unroll
    for (int q = 0; q < 4; q++) C[(r * 16 + i + q) * 64 + j] = s[q];
}
