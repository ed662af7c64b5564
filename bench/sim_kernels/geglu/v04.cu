// desc: persistent: 8 blocks an SM go over float4 in grid strides with a remainder each, sigmoid by __expf
// plan: geglu<<<1056, 256>>>(r*d/4, d/4, x, bias, y);
__device__ __forceinline__ float g(float a, float b) { return a * b / (1.0f + __expf(-1.5957691f * (a + 0.044715f * a * a * a))); }
__global__ void __launch_bounds__(256) geglu(int n, int d, const float4 *__restrict__ x, const float4 *__restrict__ bias, float4 *__restrict__ y)
{
    for (int k = blockIdx.x * 256 + threadIdx.x; k < n; k += gridDim.x * 256) {
        int i = k / d, j = k - i * d;
        float4 a = x[k + i * d], b = x[k + i * d + d], u = bias[j], v = bias[d + j];
        y[k] = make_float4(g(a.x + u.x, b.x + v.x), g(a.y + u.y, b.y + v.y), g(a.z + u.z, b.z + v.z), g(a.w + u.w, b.w + v.w));
    }
}
