// desc: 264 persistent blocks of 512 take rows in strides, a float4 a thread
// plan: quant<<<264, 512>>>(r, x, q, scale);
__global__ void __launch_bounds__(512) quant(int r, const float4 *__restrict__ x, signed char *__restrict__ q, float *__restrict__ scale)
{
    __shared__ float w[2][16];
    int t = threadIdx.x, p = 0;
    for (int i = blockIdx.x; i < r; i += gridDim.x, p ^= 1) {
        float4 a = x[i * 512 + t];
        float m = fmaxf(fmaxf(fabsf(a.x), fabsf(a.y)), fmaxf(fabsf(a.z), fabsf(a.w)));
#pragma unroll
        for (int o = 16; o; o >>= 1) m = fmaxf(m, __shfl_xor_sync(~0u, m, o));
        if (t % 32 == 0) w[p][t / 32] = m;
        __syncthreads();
        m = w[p][t & 15];
#pragma unroll
        for (int o = 8; o; o >>= 1) m = fmaxf(m, __shfl_xor_sync(~0u, m, o));
        float f = 127.0f / m;
        if (t == 0) scale[i] = m / 127.0f;
        ((char4 *)q)[i * 512 + t] = make_char4(__float2int_rn(a.x * f), __float2int_rn(a.y * f), __float2int_rn(a.z * f), __float2int_rn(a.w * f));
    }
}
