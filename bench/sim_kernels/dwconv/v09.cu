// desc: float4 channels, thread walks down 8 rows keeping three rows of sums, blocks of 16x2
// plan: conv<<<dim3(h/2,h/8,b), dim3(16,2)>>>(h, x, w, y);
__device__ __forceinline__ void fma4(float4 &s, float4 a, float4 e) { s.x += a.x * e.x; s.y += a.y * e.y; s.z += a.z * e.z; s.w += a.w * e.w; }
__global__ void conv(int h, const float4 *__restrict__ x, const float4 *__restrict__ w, float4 *__restrict__ y)
{
    int k = threadIdx.x, c = blockIdx.x * 2 + threadIdx.y, r0 = blockIdx.y * 8, i = blockIdx.z;
    float4 a[9], s0 = make_float4(0, 0, 0, 0), s1 = s0, z = s0;
#pragma unroll
    for (int t = 0; t < 9; t++) a[t] = w[t * 16 + k];
#pragma unroll 2
    for (int p = r0 - 1; p <= r0 + 8; p++) {
        float4 s2 = z;
        if (p >= 0 && p < h) {
#pragma unroll
            for (int v = 0; v < 3; v++) {
                int q = c + v - 1;
                if (q < 0 || q >= h) continue;
                float4 e = x[((i * h + p) * h + q) * 16 + k];
                fma4(s0, a[6 + v], e);
                fma4(s1, a[3 + v], e);
                fma4(s2, a[v], e);
            }
        }
        if (p > r0) y[((i * h + p - 1) * h + c) * 16 + k] = make_float4(fmaxf(s0.x, 0), fmaxf(s0.y, 0), fmaxf(s0.z, 0), fmaxf(s0.w, 0));
        s0 = s1;
        s1 = s2;
    }
}
