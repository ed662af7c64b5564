// desc: block of 1024 per row, one sweep of float4 with running greatest and sum, fast exponential
// plan: xent<<<m, 1024>>>(n/4, z, label, loss);
__device__ __forceinline__ void join(float &m, float &s, float m2, float s2)
{
    float t = fmaxf(m, m2);
    s = s * __expf(m - t) + s2 * __expf(m2 - t);
    m = t;
}
__global__ void __launch_bounds__(1024) xent(int n4, const float4 *__restrict__ z, const int *__restrict__ label, float *__restrict__ loss)
{
    __shared__ float sm[32], ss[32];
    const float4 *r = z + blockIdx.x * n4;
    int t = threadIdx.x;
    float m = -1e30f, s = 0;
    for (int j = t; j < n4; j += 1024) {
        float4 v = r[j];
        float k = fmaxf(fmaxf(v.x, v.y), fmaxf(v.z, v.w));
        if (k > m) { s *= __expf(m - k); m = k; }
        s += __expf(v.x - m) + __expf(v.y - m) + __expf(v.z - m) + __expf(v.w - m);
    }
    for (int o = 16; o; o >>= 1) join(m, s, __shfl_xor_sync(~0u, m, o), __shfl_xor_sync(~0u, s, o));
    if (!(t & 31)) { sm[t >> 5] = m; ss[t >> 5] = s; }
    __syncthreads();
    if (t < 32) {
        m = sm[t];
        s = ss[t];
        for (int o = 16; o; o >>= 1) join(m, s, __shfl_xor_sync(~0u, m, o), __shfl_xor_sync(~0u, s, o));
        if (!t) loss[blockIdx.x] = __logf(s) + m - ((const float *)r)[label[blockIdx.x]];
    }
}
