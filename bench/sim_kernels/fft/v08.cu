// desc: 32 by 32: a warp per row, 32 points a lane in registers, one exchange through shared memory, 4 warps
// plan: fft<<<ceil_div(b,4), 128>>>(b, x, y);
__device__ __forceinline__ void fft32(float2 (&v)[32])
{
    const float C[16] = {1.0f, 0.98078528f, 0.92387953f, 0.83146961f, 0.70710678f, 0.55557023f, 0.38268343f, 0.19509032f, 0.0f, -0.19509032f, -0.38268343f, -0.55557023f, -0.70710678f, -0.83146961f, -0.92387953f, -0.98078528f};
    const float S[16] = {0.0f, -0.19509032f, -0.38268343f, -0.55557023f, -0.70710678f, -0.83146961f, -0.92387953f, -0.98078528f, -1.0f, -0.98078528f, -0.92387953f, -0.83146961f, -0.70710678f, -0.55557023f, -0.38268343f, -0.19509032f};
    float2 w[32];
#pragma unroll
    for (int n = 1; n < 32; n *= 2) {
#pragma unroll
        for (int j = 0; j < 16; j++) {
            const int k = j & (n - 1), d = (j - k) * 2 + k, e = k * (16 / n);
            float u = v[j + 16].x * C[e] - v[j + 16].y * S[e], q = v[j + 16].x * S[e] + v[j + 16].y * C[e];
            w[d] = make_float2(v[j].x + u, v[j].y + q);
            w[d + n] = make_float2(v[j].x - u, v[j].y - q);
        }
#pragma unroll
        for (int j = 0; j < 32; j++) v[j] = w[j];
    }
}
__global__ void __launch_bounds__(128) fft(int b, const float2 *__restrict__ x, float2 *__restrict__ y)
{
    __shared__ float ex[4][32 * 33];
    int wi = threadIdx.x / 32, l = threadIdx.x & 31, r = blockIdx.x * 4 + wi;
    if (r >= b) return;
    float2 v[32];
#pragma unroll
    for (int i = 0; i < 32; i++) v[i] = x[r * 1024 + 32 * i + l];
    fft32(v);
#pragma unroll
    for (int k = 1; k < 32; k++) {
        float s, c;
        __sincosf(-6.2831853f / 1024.0f * (float)(k * l), &s, &c);
        v[k] = make_float2(v[k].x * c - v[k].y * s, v[k].x * s + v[k].y * c);
    }
    float *e = ex[wi];
#pragma unroll
    for (int k = 0; k < 32; k++) e[k * 33 + l] = v[k].x;
    __syncwarp();
#pragma unroll
    for (int k = 0; k < 32; k++) v[k].x = e[l * 33 + k];
    __syncwarp();
#pragma unroll
    for (int k = 0; k < 32; k++) e[k * 33 + l] = v[k].y;
    __syncwarp();
#pragma unroll
    for (int k = 0; k < 32; k++) v[k].y = e[l * 33 + k];
    fft32(v);
#pragma unroll
    for (int k = 0; k < 32; k++) y[r * 1024 + 32 * k + l] = v[k];
}
