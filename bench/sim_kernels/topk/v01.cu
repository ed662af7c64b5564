// desc: thread per row, eight best in registers, 128 threads
// plan: top<<<ceil_div(m,128), 128>>>(m, x, y);
__global__ void top(int m, const float *x, float *y)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i >= m) return;
    float best[8];
#pragma unroll
    for (int k = 0; k < 8; k++) best[k] = -1;
    for (int j = 0; j < 2048; j++) {
        float v = x[i * 2048 + j];
        if (v > best[7])
#pragma unroll
            for (int k = 0; k < 8; k++) { float hi = fmaxf(v, best[k]); v = fminf(v, best[k]); best[k] = hi; }
    }
#pragma unroll
    for (int k = 0; k < 8; k++) y[i * 8 + k] = best[k];
}
