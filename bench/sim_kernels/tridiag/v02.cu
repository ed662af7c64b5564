// desc: thread per system, work arrays of 128 in local memory, blocks of 64
// plan: thomas<<<ceil_div(m,64), 64>>>(m, a, b, c, d, x);
__global__ void thomas(int m, const float *a, const float *b, const float *c, const float *d, float *x)
{
    int s = blockIdx.x * 64 + threadIdx.x;
    if (s >= m) return;
    const int n = 128;
    float cp[n], dp[n];
    a += s * n; b += s * n; c += s * n; d += s * n; x += s * n;
    float p = cp[0] = c[0] / b[0], q = dp[0] = d[0] / b[0];
    for (int i = 1; i < n; i++) {
        float w = 1.0f / (b[i] - a[i] * p);
        q = dp[i] = (d[i] - a[i] * q) * w;
        p = cp[i] = c[i] * w;
    }
    float v = x[n - 1] = q;
    for (int i = n - 2; i >= 0; i--) x[i] = v = dp[i] - cp[i] * v;
}
