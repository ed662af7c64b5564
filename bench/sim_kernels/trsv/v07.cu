// desc: launch per row: 1 block of 256
// plan: for (int i = 0; i < n; i++) row<<<1, 256>>>(n, i, L, b, x);
__global__ void row(int n, int i, const float *L, const float *b, float *x)
{
    __shared__ float w[256];
    int t = threadIdx.x;
    float s = 0;
    for (int j = t; j < i; j += 256) s += L[i * n + j] * x[j];
    w[t] = s;
    for (int o = 128; o; o /= 2) { __syncthreads(); if (t < o) w[t] += w[t + o]; }
    if (t == 0) x[i] = (b[i] - w[0]) / (L[i * n + i] + n);
}
