// desc: 32 columns by 32 slices of rows a block, fp32 sums of values and squares about 1, shared
// plan: stat<<<ceil_div(n,32), dim3(32,32)>>>(m, n, x, mean, dev);
__global__ void stat(int m, int n, const float *x, float *mean, float *dev)
{
    __shared__ float a[32][33], b[32][33];
    int c = threadIdx.x, r = threadIdx.y, j = blockIdx.x * 32 + c;
    float s = 0, q = 0;
    if (j < n) for (int i = r; i < m; i += 32) { float d = x[i * n + j] - 1; s += d; q += d * d; }
    a[c][r] = s; b[c][r] = q;
    __syncthreads();
    s = a[r][c]; q = b[r][c];
    for (int o = 16; o; o /= 2) { s += __shfl_down_sync(~0u, s, o); q += __shfl_down_sync(~0u, q, o); }
    j = blockIdx.x * 32 + r;
    if (c == 0 && j < n) { s /= m; mean[j] = s + 1; dev[j] = sqrtf(q / m - s * s); }
}
