// desc: eight outputs a thread in a row, a window of registers over shared memory (one word of padding in 32), taps as float4 from shared memory, 128
// plan: fir<<<n/1024, 128>>>(n, h, x, y);
#define AT(i) ((i) + (i) / 32)
__global__ void __launch_bounds__(128) fir(int n, const float4 *__restrict__ h, const float *__restrict__ x, float *__restrict__ y)
{
    __shared__ float s[AT(1024 + 128)];
    __shared__ float4 t[32];
    int l = threadIdx.x, i0 = blockIdx.x * 1024;
#pragma unroll
    for (int k = 0; k < 9; k++) s[AT(k * 128 + l)] = x[i0 + k * 128 + l];
    if (l < 32) t[l] = h[l];
    __syncthreads();
    float a[8] = {0, 0, 0, 0, 0, 0, 0, 0}, w[11];
#pragma unroll
    for (int k = 0; k < 7; k++) w[k] = s[AT(l * 8 + k)];
    for (int k = 0; k < 128; k += 4) {
#pragma unroll
        for (int q = 7; q < 11; q++) w[q] = s[AT(l * 8 + k + q)];
        float4 c = t[k / 4];
#pragma unroll
        for (int q = 0; q < 8; q++) a[q] += c.x * w[q] + c.y * w[q + 1] + c.z * w[q + 2] + c.w * w[q + 3];
#pragma unroll
        for (int q = 0; q < 7; q++) w[q] = w[q + 4];
    }
#pragma unroll
    for (int q = 0; q < 8; q++) y[i0 + l * 8 + q] = a[q];
}
