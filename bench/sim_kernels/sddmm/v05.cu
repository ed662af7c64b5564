// desc: block of 64 per row, thread per column, tree in shared memory for every entry
// plan: sddmm<<<m, 64>>>(d, row, col, val, A, B, out);
__global__ void sddmm(int d, const int *row, const int *col, const float *val, const float *A, const float *B, float *out)
{
    __shared__ float s[64];
    int i = blockIdx.x, t = threadIdx.x;
    float a = A[i * d + t];
    for (int e = row[i]; e < row[i + 1]; e++) {
        s[t] = a * B[col[e] * d + t];
        __syncthreads();
        for (int o = 32; o > 0; o >>= 1) { if (t < o) s[t] += s[t + o]; __syncthreads(); }
        if (t == 0) out[e] = val[e] * s[0];
        __syncthreads();
    }
}
