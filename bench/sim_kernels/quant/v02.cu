// desc: warp per row, the row as 16 float4 a lane in registers, words of four bytes stored, 4 warps
// plan: quant<<<r/4, 128>>>(x, q, scale);
__global__ void __launch_bounds__(128) quant(const float4 *__restrict__ x, signed char *__restrict__ q, float *__restrict__ scale)
{
    int i = blockIdx.x * 4 + threadIdx.x / 32, l = threadIdx.x & 31;
    float4 v[16];
    float m = 0;
#pragma unroll
    for (int k = 0; k < 16; k++) v[k] = x[i * 512 + k * 32 + l];
#pragma unroll
    for (int k = 0; k < 16; k++) m = fmaxf(m, fmaxf(fmaxf(fabsf(v[k].x), fabsf(v[k].y)), fmaxf(fabsf(v[k].z), fabsf(v[k].w))));
#pragma unroll
    for (int o = 16; o; o >>= 1) m = fmaxf(m, __shfl_xor_sync(~0u, m, o));
    float f = 127.0f / m;
    if (l == 0) scale[i] = m / 127.0f;
#pragma unroll
    for (int k = 0; k < 16; k++)
        ((char4 *)q)[i * 512 + k * 32 + l] = make_char4(__float2int_rn(v[k].x * f), __float2int_rn(v[k].y * f), __float2int_rn(v[k].z * f), __float2int_rn(v[k].w * f));
}
