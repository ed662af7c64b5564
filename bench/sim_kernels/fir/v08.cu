// desc: sums in double, 64 threads, signal through __ldg
// plan: fir<<<ceil_div(n,64), 64>>>(n, h, x, y);
__global__ void fir(int n, const float *h, const float *x, float *y)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i >= n) return;
    double s = 0.0;
    for (int k = 0; k < 128; k++) s += (double)__ldg(h + k) * (double)__ldg(x + i + k);
    y[i] = (float)s;
}
