// desc: 128 threads per row, each its own 16 neighbouring elements, quotients in double
// plan: quant<<<r, 128>>>(c, x, q, scale);
__global__ void quant(int c, const float *x, signed char *q, float *scale)
{
    __shared__ float s[128];
    int i = blockIdx.x, t = threadIdx.x, n = c / 128;
    const float *p = x + i * c + t * n;
    float m = 0;
    for (int j = 0; j < n; j++) m = fmax(m, fabs(p[j]));
    s[t] = m;
    __syncthreads();
    for (int j = 0; j < 128; j++) m = fmaxf(m, s[j]);
    double k = m / 127.0;
    if (t == 0) scale[i] = k;
    for (int j = 0; j < n; j++) q[i * c + t * n + j] = (signed char)rint(p[j] / k);
}
