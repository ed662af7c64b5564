// desc: half2 arithmetic with h2exp and h2rcp between float4 loads and stores, 256
// plan: geglu<<<dim3(ceil_div(d,1024), r), 256>>>(d/4, x, bias, y);
#include <cuda_fp16.h>
__device__ __forceinline__ float2 g(float2 x, float2 u)
{
    half2 a = __hadd2(__float22half2_rn(x), __float22half2_rn(u));
    half2 p = __hmul2(__hmul2(a, a), a), z = __hmul2(__float2half2_rn(-1.5957691f), __hfma2(__float2half2_rn(0.044715f), p, a));
    half2 e = h2exp(__hmax2(__float2half2_rn(-10.f), __hmin2(z, __float2half2_rn(10.f))));
    return __half22float2(__hmul2(a, h2rcp(__hadd2(__float2half2_rn(1.f), e))));
}
__global__ void geglu(int d, const float4 *__restrict__ x, const float4 *__restrict__ bias, float4 *__restrict__ y)
{
    int j = blockIdx.x * 256 + threadIdx.x, i = blockIdx.y;
    if (j >= d) return;
    float4 a = x[i * 2 * d + j], b = x[i * 2 * d + d + j], u = bias[j], v = bias[d + j];
    float2 p = g(make_float2(a.x, a.y), make_float2(u.x, u.y)), q = g(make_float2(a.z, a.w), make_float2(u.z, u.w));
    y[i * d + j] = make_float4(p.x * (b.x + v.x), p.y * (b.y + v.y), q.x * (b.z + v.z), q.y * (b.w + v.w));
}
