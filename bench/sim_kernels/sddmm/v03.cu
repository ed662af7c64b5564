// desc: row of each entry written out by one kernel, then thread per entry with float4 loads
// plan: scratch int r[m*32];
// plan: expand<<<ceil_div(m,128), 128>>>(m, row, r);
// plan: sddmm<<<ceil_div(m*32,128), 128>>>(m*32, d/4, r, col, val, A, B, out);
__global__ void expand(int m, const int *row, int *r)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < m) for (int e = row[i]; e < row[i + 1]; e++) r[e] = i;
}
__global__ void sddmm(int nnz, int d4, const int *__restrict__ r, const int *__restrict__ col, const float *__restrict__ val, const float4 *__restrict__ A, const float4 *__restrict__ B, float *__restrict__ out)
{
    int e = blockIdx.x * 128 + threadIdx.x;
    if (e >= nnz) return;
    const float4 *a = A + r[e] * d4, *b = B + col[e] * d4;
    float s = 0;
#pragma unroll 4
    for (int k = 0; k < d4; k++) { float4 x = a[k], y = b[k]; s += x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w; }
    out[e] = val[e] * s;
}
