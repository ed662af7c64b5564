// desc: literals and tanh in double, 256 in a row
// plan: geglu<<<dim3(ceil_div(d,256), r), 256>>>(d, x, bias, y);
__global__ void geglu(int d, const float *x, const float *bias, float *y)
{
    int j = blockIdx.x * 256 + threadIdx.x, i = blockIdx.y;
    if (j >= d) return;
    double a = x[i * 2 * d + j] + bias[j], b = x[i * 2 * d + d + j] + bias[d + j];
    y[i * d + j] = 0.5 * a * (1.0 + tanh(0.79788456 * (a + 0.044715 * a * a * a))) * b;
}
