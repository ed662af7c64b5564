// desc: not fused: bias into a copy, gelu into another, product
// plan: scratch float t[2*r*d];
// plan: scratch float s[r*d];
// plan: add<<<ceil_div(2*r*d,256), 256>>>(2*r*d, 2*d, x, bias, t);
// plan: gelu<<<ceil_div(r*d,256), 256>>>(r*d, d, t, s);
// plan: mul<<<ceil_div(r*d,256), 256>>>(r*d, d, t, s, y);
__global__ void add(int n, int d, const float *x, const float *bias, float *t)
{
    int k = blockIdx.x * 256 + threadIdx.x;
    if (k < n) t[k] = x[k] + bias[k % d];
}
__global__ void gelu(int n, int d, const float *t, float *s)
{
    int k = blockIdx.x * 256 + threadIdx.x;
    if (k >= n) return;
    float a = t[k + k / d * d];
    s[k] = 0.5f * a * (1.0f + tanhf(0.79788456f * (a + 0.044715f * a * a * a)));
}
__global__ void mul(int n, int d, const float *t, const float *s, float *y)
{
    int k = blockIdx.x * 256 + threadIdx.x;
    if (k < n) y[k] = s[k] * t[k + k / d * d + d];
}
