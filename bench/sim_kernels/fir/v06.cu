// desc: a launch for every four taps adds to y
// plan: fill(y, 0);
// plan: for (int k = 0; k < 128; k += 4) add<<<ceil_div(n,256), 256>>>(n, k, h, x, y);
__global__ void add(int n, int k, const float *__restrict__ h, const float *__restrict__ x, float *__restrict__ y)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) y[i] += h[k] * x[i + k] + h[k + 1] * x[i + k + 1] + h[k + 2] * x[i + k + 2] + h[k + 3] * x[i + k + 3];
}
