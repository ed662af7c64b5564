// desc: four outputs a thread, float4 from global memory only, no shared memory, 128
// plan: fir<<<n/512, 128>>>(h, x, y);
__global__ void __launch_bounds__(128) fir(const float4 *__restrict__ h, const float4 *__restrict__ x, float4 *__restrict__ y)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    float4 a = make_float4(0, 0, 0, 0), p = x[i];
#pragma unroll 4
    for (int k = 0; k < 32; k++) {
        float4 c = h[k], q = x[i + k + 1];
        a.x += c.x * p.x + c.y * p.y + c.z * p.z + c.w * p.w;
        a.y += c.x * p.y + c.y * p.z + c.z * p.w + c.w * q.x;
        a.z += c.x * p.z + c.y * p.w + c.z * q.x + c.w * q.y;
        a.w += c.x * p.w + c.y * q.x + c.z * q.y + c.w * q.z;
        p = q;
    }
    y[i] = a;
}
