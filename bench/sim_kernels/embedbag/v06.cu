// desc: thread per output, 1024-thread blocks, loads not unrolled
// plan: bag<<<ceil_div(b,16), 1024>>>(b, idx, w, y);
__global__ void bag(int b, const int *idx, const float *w, float *y)
{
    int i = blockIdx.x * 16 + threadIdx.x / 64, j = threadIdx.x & 63;
    if (i >= b) return;
    float s = 0;
#pragma unroll 1
    for (int k = 0; k < 16; k++) s += w[idx[i * 16 + k] * 64 + j];
    y[i * 64 + j] = s;
}
