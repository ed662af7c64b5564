// desc: thread per output, taps and signal from global memory, 256
// plan: fir<<<ceil_div(n,256), 256>>>(n, h, x, y);
__global__ void fir(int n, const float *h, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = 0;
    for (int k = 0; k < 128; k++) s += h[k] * x[i + k];
    y[i] = s;
}
