// desc: block of 1024 per row, the row kept in shared memory, shuffles, byte stores
// plan: quant<<<r, 1024, 4*c>>>(c, x, q, scale);
extern __shared__ float row[];
__global__ void __launch_bounds__(1024) quant(int c, const float *__restrict__ x, signed char *__restrict__ q, float *__restrict__ scale)
{
    __shared__ float w[32];
    int i = blockIdx.x, t = threadIdx.x;
    float m = 0;
    for (int j = t; j < c; j += 1024) { float v = x[i * c + j]; row[j] = v; m = fmaxf(m, fabsf(v)); }
    for (int o = 16; o; o >>= 1) m = fmaxf(m, __shfl_down_sync(~0u, m, o));
    if (t % 32 == 0) w[t / 32] = m;
    __syncthreads();
    if (t < 32) {
        m = w[t];
        for (int o = 16; o; o >>= 1) m = fmaxf(m, __shfl_down_sync(~0u, m, o));
        if (t == 0) { w[0] = m / 127.0f; scale[i] = m / 127.0f; }
    }
    __syncthreads();
    float f = 1.0f / w[0];
    for (int j = t; j < c; j += 1024) q[i * c + j] = (signed char)__float2int_rn(row[j] * f);
}
