// desc: parallel cyclic reduction of eight systems in a block of 1024, two buffers of float4, one barrier a step
// plan: pcr<<<m/8, 1024>>>(a, b, c, d, x);
__global__ void __launch_bounds__(1024) pcr(const float *__restrict__ ga, const float *__restrict__ gb, const float *__restrict__ gc, const float *__restrict__ gd, float *__restrict__ x)
{
    __shared__ float4 sh[2][1024];
    int t = threadIdx.x, i = t & 127, o = blockIdx.x * 1024 + t;
    float4 v = make_float4(i ? ga[o] : 0.f, gb[o], i < 127 ? gc[o] : 0.f, gd[o]);
#pragma unroll
    for (int s = 1, k = 0; s < 128; s *= 2, k ^= 1) {
        sh[k][t] = v;
        __syncthreads();
        float4 u = i >= s ? sh[k][t - s] : make_float4(0, 1, 0, 0), w = i + s < 128 ? sh[k][t + s] : make_float4(0, 1, 0, 0);
        float k1 = __fdividef(v.x, u.y), k2 = __fdividef(v.z, w.y);
        v = make_float4(-u.x * k1, v.y - u.z * k1 - w.x * k2, -w.z * k2, v.w - u.w * k1 - w.w * k2);
    }
    x[o] = v.w / v.y;
}
