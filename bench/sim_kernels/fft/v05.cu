// desc: Stockham radix 4, values in registers, exchange through one shared buffer, 256 threads, sincospif
// plan: fft<<<b, 256>>>(x, y);
__device__ float2 mul(float2 a, float2 b) { return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
__global__ void fft(const float2 *__restrict__ x, float2 *__restrict__ y)
{
    __shared__ float2 buf[1024];
    int t = threadIdx.x;
    float2 v[4];
    for (int r = 0; r < 4; r++) v[r] = x[blockIdx.x * 1024 + t + 256 * r];
#pragma unroll
    for (int n = 1; n < 1024; n *= 4) {
        int k = t & (n - 1), d = (t - k) * 4 + k;
        if (n > 1) {
            for (int r = 1; r < 4; r++) {
                float s, c;
                sincospif(-(float)(k * r) / (float)(2 * n), &s, &c);
                v[r] = mul(v[r], make_float2(c, s));
            }
        }
        float2 a = make_float2(v[0].x + v[2].x, v[0].y + v[2].y), b = make_float2(v[0].x - v[2].x, v[0].y - v[2].y);
        float2 c = make_float2(v[1].x + v[3].x, v[1].y + v[3].y), e = make_float2(v[1].y - v[3].y, v[3].x - v[1].x);
        v[0] = make_float2(a.x + c.x, a.y + c.y);
        v[1] = make_float2(b.x + e.x, b.y + e.y);
        v[2] = make_float2(a.x - c.x, a.y - c.y);
        v[3] = make_float2(b.x - e.x, b.y - e.y);
        if (n < 256) {
            __syncthreads();
            for (int r = 0; r < 4; r++) buf[d + r * n] = v[r];
            __syncthreads();
            for (int r = 0; r < 4; r++) v[r] = buf[t + 256 * r];
        } else {
            for (int r = 0; r < 4; r++) y[blockIdx.x * 1024 + d + r * n] = v[r];
        }
    }
}
