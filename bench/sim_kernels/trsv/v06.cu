// desc: iteration: L = D + N, x = (b - N x) / D repeated 24 times, warp per row, 256
// plan: scratch float y[n];
// plan: fill(y, 0);
// plan: for (int k = 0; k < 12; k++) { sweep<<<n/8, 256>>>(n, L, b, y, x); sweep<<<n/8, 256>>>(n, L, b, x, y); }
// plan: copy(x, y);
__global__ void sweep(int n, const float *__restrict__ L, const float *b, const float *__restrict__ y, float *x)
{
    int i = blockIdx.x * 8 + threadIdx.x / 32, l = threadIdx.x & 31;
    float s = 0;
    for (int j = l; j < i; j += 32) s += L[i * n + j] * y[j];
    for (int o = 16; o; o /= 2) s += __shfl_down_sync(~0u, s, o);
    if (l == 0) x[i] = (b[i] - s) / (L[i * n + i] + n);
}
