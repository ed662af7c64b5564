// desc: block of 1024 per row, sums as floats in shared memory, tree over 1024 with ten barriers
// plan: rms<<<m, 1024, (n+1024)*4>>>(n, x, r, g, h, y);
#include <cuda_fp16.h>
__global__ void rms(int n, const void *x_, const void *r_, const float *g, void *h_, void *y_)
{
    extern __shared__ float row[];
    float *red = row + n;
    int t = threadIdx.x, o = blockIdx.x * n;
    const __half *x = (const __half *)x_ + o, *r = (const __half *)r_ + o;
    __half *h = (__half *)h_ + o, *y = (__half *)y_ + o;
    float q = 0;
    for (int j = t; j < n; j += 1024) {
        float v = __half2float(x[j]) + __half2float(r[j]);
        row[j] = v;
        h[j] = __float2half(v);
        q += v * v;
    }
    red[t] = q;
    __syncthreads();
    for (int k = 512; k; k >>= 1) { if (t < k) red[t] += red[t + k]; __syncthreads(); }
    q = rsqrtf(red[0] / n + 1e-5f);
    for (int j = t; j < n; j += 1024) y[j] = __float2half(row[j] * q * g[j]);
}
