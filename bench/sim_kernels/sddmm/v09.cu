// desc: 4 lanes an entry with four float4 each, sums in double, 528 persistent blocks of 256 striding over entries
// plan: scratch int r[m*32];
// plan: expand<<<ceil_div(m,8), 256>>>(m, row, r);
// plan: sddmm<<<528, 256>>>(m*32, r, col, val, A, B, out);
__global__ void expand(int m, const int *row, int *r)
{
    int i = (blockIdx.x * 256 + threadIdx.x) / 32;
    if (i < m) for (int e = row[i] + threadIdx.x % 32; e < row[i + 1]; e += 32) r[e] = i;
}
__global__ void sddmm(int nnz, const int *__restrict__ r, const int *__restrict__ col, const float *__restrict__ val, const float4 *__restrict__ A, const float4 *__restrict__ B, float *__restrict__ out)
{
    int l = threadIdx.x & 3;
    for (int e = (blockIdx.x * 256 + threadIdx.x) / 4; e < nnz; e += 528 * 64) {
        const float4 *a = A + r[e] * 16 + l, *b = B + col[e] * 16 + l;
        double s = 0;
#pragma unroll
        for (int k = 0; k < 4; k++) { float4 x = a[k * 4], y = b[k * 4]; s += (double)x.x * y.x + (double)x.y * y.y + (double)x.z * y.z + (double)x.w * y.w; }
        s += __shfl_xor_sync(~0u, s, 1);
        s += __shfl_xor_sync(~0u, s, 2);
        if (!l) out[e] = val[e] * (float)s;
    }
}
