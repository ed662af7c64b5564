// desc: thread per element, 16x16, tanhf
// plan: geglu<<<dim3(ceil_div(d,16), ceil_div(r,16)), dim3(16,16)>>>(r, d, x, bias, y);
__global__ void geglu(int r, int d, const float *x, const float *bias, float *y)
{
    int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
    if (i >= r || j >= d) return;
    float a = x[i * 2 * d + j] + bias[j], b = x[i * 2 * d + d + j] + bias[d + j];
    y[i * d + j] = 0.5f * a * (1.0f + tanhf(0.79788456f * (a + 0.044715f * a * a * a))) * b;
}
