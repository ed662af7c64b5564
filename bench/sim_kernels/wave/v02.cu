// desc: 32x8, restrict, literals and coefficients in double
// plan: for (int t = 0; t < steps; t++) { step<<<dim3(ceil_div(n,32), ceil_div(n,8)), dim3(32,8)>>>(n, c, a, b); swap(a, b); }
__global__ void step(int n, float c, float *__restrict__ p, const float *__restrict__ q)
{
    int j = blockIdx.x * 32 + threadIdx.x, i = blockIdx.y * 8 + threadIdx.y;
    if (i < 2 || j < 2 || i >= n - 2 || j >= n - 2) return;
    int o = i * n + j;
    double l = -5.0 * q[o] + 4.0 / 3.0 * (q[o - 1] + q[o + 1] + q[o - n] + q[o + n]) - 1.0 / 12.0 * (q[o - 2] + q[o + 2] + q[o - 2 * n] + q[o + 2 * n]);
    p[o] = 2.0 * q[o] - p[o] + c * l;
}
