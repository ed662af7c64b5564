// desc: Stockham radix 2 between two shared buffers, 256 threads with two butterflies, __sincosf
// plan: fft<<<b, 256>>>(x, y);
__global__ void fft(const float2 *__restrict__ x, float2 *__restrict__ y)
{
    __shared__ float2 buf[2][1024];
    int t = threadIdx.x, from = 0;
    for (int i = t; i < 1024; i += 256) buf[0][i] = x[blockIdx.x * 1024 + i];
    for (int n = 1; n < 1024; n *= 2) {
        __syncthreads();
#pragma unroll
        for (int q = 0; q < 2; q++) {
            int j = t + 256 * q, k = j & (n - 1), d = (j - k) * 2 + k;
            float s, c;
            __sincosf(-3.14159265f * k / n, &s, &c);
            float2 a = buf[from][j], b = buf[from][j + 512];
            float u = b.x * c - b.y * s, v = b.x * s + b.y * c;
            buf[1 - from][d] = make_float2(a.x + u, a.y + v);
            buf[1 - from][d + n] = make_float2(a.x - u, a.y - v);
        }
        from = 1 - from;
    }
    __syncthreads();
    for (int i = t; i < 1024; i += 256) y[blockIdx.x * 1024 + i] = buf[from][i];
}
