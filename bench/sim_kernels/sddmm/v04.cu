// desc: warp per row, two of A's columns a lane in registers, five shuffles per entry
// plan: sddmm<<<ceil_div(m,8), 256>>>(m, row, col, val, A, B, out);
__global__ void sddmm(int m, const int *__restrict__ row, const int *__restrict__ col, const float *__restrict__ val, const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ out)
{
    int i = (blockIdx.x * 256 + threadIdx.x) / 32, l = threadIdx.x % 32;
    if (i >= m) return;
    float a0 = A[i * 64 + l], a1 = A[i * 64 + 32 + l];
    for (int e = row[i]; e < row[i + 1]; e++) {
        const float *b = B + col[e] * 64;
        float s = a0 * b[l] + a1 * b[32 + l];
        for (int o = 16; o; o >>= 1) s += __shfl_xor_sync(~0u, s, o);
        if (l == 0) out[e] = val[e] * s;
    }
}
