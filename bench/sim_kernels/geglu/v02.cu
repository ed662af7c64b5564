// desc: one index with division and remainder, 256, tanhf
// plan: geglu<<<ceil_div(r*d,256), 256>>>(r*d, d, x, bias, y);
__global__ void geglu(int n, int d, const float *__restrict__ x, const float *__restrict__ bias, float *__restrict__ y)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= n) return;
    int i = k / d, j = k % d;
    float a = x[i * 2 * d + j] + bias[j], b = x[i * 2 * d + d + j] + bias[d + j];
    y[k] = 0.5f * a * (1.0f + tanhf(0.79788456f * (a + 0.044715f * a * a * a))) * b;
}
