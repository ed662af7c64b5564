// desc: warp per row, 16 lanes of float4 for each of two entries at a time, next entries' loads unrolled by four
// plan: sddmm<<<ceil_div(m,4), 128>>>(m, row, col, val, A, B, out);
__global__ void __launch_bounds__(128) sddmm(int m, const int *__restrict__ row, const int *__restrict__ col, const float *__restrict__ val, const float4 *__restrict__ A, const float4 *__restrict__ B, float *__restrict__ out)
{
    int i = blockIdx.x * 4 + threadIdx.x / 32, l = threadIdx.x & 31, q = l & 15, half = l >> 4;
    if (i >= m) return;
    float4 a = A[i * 16 + q];
    int last = row[i + 1];
    for (int e = row[i]; e < last; e += 8) {
        float s[4];
#pragma unroll
        for (int u = 0; u < 4; u++) {
            int x = e + u * 2 + half;
            float4 b = x < last ? __ldg(B + col[x] * 16 + q) : make_float4(0, 0, 0, 0);
            s[u] = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
        }
#pragma unroll
        for (int u = 0; u < 4; u++) {
#pragma unroll
            for (int o = 8; o; o >>= 1) s[u] += __shfl_xor_sync(~0u, s[u], o);
        }
        int x = e + q * 2 + half;
        float r = q == 0 ? s[0] : q == 1 ? s[1] : q == 2 ? s[2] : s[3];
        if (q < 4 && x < last) out[x] = val[x] * r;
    }
}
