// desc: block of 256 per row, tree in shared memory, the row is read twice, byte stores
// plan: quant<<<r, 256>>>(c, x, q, scale);
__global__ void quant(int c, const float *x, signed char *q, float *scale)
{
    __shared__ float s[256];
    int i = blockIdx.x, t = threadIdx.x;
    float m = 0;
    for (int j = t; j < c; j += 256) m = fmaxf(m, fabsf(x[i * c + j]));
    s[t] = m;
    __syncthreads();
    for (int o = 128; o > 0; o /= 2) { if (t < o) s[t] = fmaxf(s[t], s[t + o]); __syncthreads(); }
    float k = s[0] / 127.0f;
    if (t == 0) scale[i] = k;
    for (int j = t; j < c; j += 256) q[i * c + j] = (signed char)rintf(x[i * c + j] / k);
}
