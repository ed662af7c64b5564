// desc: a thread keeps its bias and goes down 8 rows, float4, __fdividef and __expf, streaming stores, 128
// plan: geglu<<<dim3(d/512, r/8), 128>>>(d/4, x, bias, y);
__device__ __forceinline__ float g(float a, float b) { return __fdividef(a * b, 1.0f + __expf(-1.5957691f * (a + 0.044715f * a * a * a))); }
__global__ void __launch_bounds__(128) geglu(int d, const float4 *__restrict__ x, const float4 *__restrict__ bias, float4 *__restrict__ y)
{
    int j = blockIdx.x * 128 + threadIdx.x, i0 = blockIdx.y * 8;
    float4 u = bias[j], v = bias[d + j];
#pragma unroll 4
    for (int i = i0; i < i0 + 8; i++) {
        float4 a = __ldcs(x + i * 2 * d + j), b = __ldcs(x + i * 2 * d + d + j);
        __stcs(y + i * d + j, make_float4(g(a.x + u.x, b.x + v.x), g(a.y + u.y, b.y + v.y), g(a.z + u.z, b.z + v.z), g(a.w + u.w, b.w + v.w)));
    }
}
