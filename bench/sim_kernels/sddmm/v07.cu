// desc: block of 32 per row: A's row in shared memory, thread per entry with float4 along d
// plan: sddmm<<<m, 32>>>(row, col, val, A, B, out);
__global__ void sddmm(const int *row, const int *col, const float *val, const float *A, const float4 *B, float *out)
{
    __shared__ float4 a[16];
    int i = blockIdx.x, t = threadIdx.x;
    if (t < 16) a[t] = ((const float4 *)A)[i * 16 + t];
    __syncthreads();
    for (int e = row[i] + t; e < row[i + 1]; e += 32) {
        const float4 *b = B + col[e] * 16;
        float s = 0;
        for (int k = 0; k < 16; k++) { float4 y = b[k], x = a[k]; s += x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w; }
        out[e] = val[e] * s;
    }
}
