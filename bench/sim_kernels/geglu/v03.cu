// desc: float4, a row in y of the grid, tanhf, 256
// plan: geglu<<<dim3(ceil_div(d,1024), r), 256>>>(d/4, x, bias, y);
__device__ __forceinline__ float g(float a, float b) { return 0.5f * a * (1.0f + tanhf(0.79788456f * (a + 0.044715f * a * a * a))) * b; }
__global__ void geglu(int d, const float4 *__restrict__ x, const float4 *__restrict__ bias, float4 *__restrict__ y)
{
    int j = blockIdx.x * 256 + threadIdx.x, i = blockIdx.y;
    if (j >= d) return;
    float4 a = x[i * 2 * d + j], b = x[i * 2 * d + d + j], u = bias[j], v = bias[d + j];
    y[i * d + j] = make_float4(g(a.x + u.x, b.x + v.x), g(a.y + u.y, b.y + v.y), g(a.z + u.z, b.z + v.z), g(a.w + u.w, b.w + v.w));
}
