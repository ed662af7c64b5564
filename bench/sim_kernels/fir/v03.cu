// desc: signal and taps in shared memory, an output a thread, 256
// plan: fir<<<ceil_div(n,256), 256>>>(n, h, x, y);
__global__ void fir(int n, const float *h, const float *x, float *y)
{
    __shared__ float s[256 + 128], t[128];
    int l = threadIdx.x, i0 = blockIdx.x * 256;
    for (int k = l; k < 384; k += 256) s[k] = i0 + k < n + 128 ? x[i0 + k] : 0.f;
    if (l < 128) t[l] = h[l];
    __syncthreads();
    float a = 0;
    for (int k = 0; k < 128; k++) a += t[k] * s[l + k];
    if (i0 + l < n) y[i0 + l] = a;
}
