// desc: a block of 256 per block of A, results added to C with atomics
// plan: fill(C, 0);
// plan: bsr<<<8*m, 256>>>(col, val, B, C);
__global__ void bsr(const int *__restrict__ col, const float *__restrict__ val, const float *__restrict__ B, float *C)
{
    __shared__ float a[256];
    int e = blockIdx.x, r = e / 8, x = threadIdx.x, j = x & 63;
    a[x] = val[e * 256 + x];
    __syncthreads();
    const float *p = B + col[e] * 1024 + j;
    for (int i = x / 64; i < 16; i += 4) {
        float s = 0;
        for (int k = 0; k < 16; k++) s += a[i * 16 + k] * p[k * 64];
        atomicAdd(&C[(r * 16 + i) * 64 + j], s);
    }
}
