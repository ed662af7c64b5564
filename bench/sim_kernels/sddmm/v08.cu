// desc: both matrices transposed first (32x33 tiles), then thread per entry: scattered single floats of B
// plan: scratch float At[m*d];
// plan: scratch float Bt[n*d];
// plan: turn<<<dim3(ceil_div(d,32), ceil_div(m,32)), dim3(32,32)>>>(m, d, A, At);
// plan: turn<<<dim3(ceil_div(d,32), ceil_div(n,32)), dim3(32,32)>>>(n, d, B, Bt);
// plan: sddmm<<<ceil_div(m,8), dim3(32,8)>>>(m, n, d, row, col, val, At, Bt, out);
__global__ void turn(int r, int c, const float *a, float *t)
{
    __shared__ float s[32][33];
    int x = blockIdx.x * 32, y = blockIdx.y * 32;
    s[threadIdx.y][threadIdx.x] = a[(y + threadIdx.y) * c + x + threadIdx.x];
    __syncthreads();
    t[(x + threadIdx.y) * r + y + threadIdx.x] = s[threadIdx.x][threadIdx.y];
}
__global__ void sddmm(int m, int n, int d, const int *row, const int *col, const float *val, const float *At, const float *Bt, float *out)
{
    int i = blockIdx.x * 8 + threadIdx.y;
    if (i >= m) return;
    for (int e = row[i] + threadIdx.x; e < row[i + 1]; e += 32) {
        int c = col[e];
        float s = 0;
#pragma unroll 8
        for (int k = 0; k < d; k++) s += At[k * m + i] * Bt[k * n + c];
        out[e] = val[e] * s;
    }
}
