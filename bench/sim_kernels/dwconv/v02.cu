// desc: four channels a thread by float4, 16x16 threads (channels, columns), restrict
// plan: conv<<<dim3(h/16,h,b), dim3(16,16)>>>(h, x, w, y);
__global__ void conv(int h, const float4 *__restrict__ x, const float4 *__restrict__ w, float4 *__restrict__ y)
{
    int k = threadIdx.x, c = blockIdx.x * 16 + threadIdx.y, r = blockIdx.y, i = blockIdx.z;
    float4 s = make_float4(0, 0, 0, 0);
#pragma unroll
    for (int u = 0; u < 3; u++)
#pragma unroll
        for (int v = 0; v < 3; v++) {
            int p = r + u - 1, q = c + v - 1;
            if (p >= 0 && p < h && q >= 0 && q < h) {
                float4 a = w[(u * 3 + v) * 16 + k], e = x[((i * h + p) * h + q) * 16 + k];
                s.x += a.x * e.x; s.y += a.y * e.y; s.z += a.z * e.z; s.w += a.w * e.w;
            }
        }
    y[((i * h + r) * h + c) * 16 + k] = make_float4(fmaxf(s.x, 0), fmaxf(s.y, 0), fmaxf(s.z, 0), fmaxf(s.w, 0));
}
