// desc: thread per system, Thomas, work arrays in global memory in the same layout: nothing coalesces
// plan: scratch float cp[m*n];
// plan: scratch float dp[m*n];
// plan: thomas<<<ceil_div(m,128), 128>>>(m, n, a, b, c, d, cp, dp, x);
__global__ void thomas(int m, int n, const float *a, const float *b, const float *c, const float *d, float *cp, float *dp, float *x)
{
    int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= m) return;
    int o = s * n;
    cp[o] = c[o] / b[o];
    dp[o] = d[o] / b[o];
    for (int i = o + 1; i < o + n; i++) {
        float w = b[i] - a[i] * cp[i - 1];
        cp[i] = c[i] / w;
        dp[i] = (d[i] - a[i] * dp[i - 1]) / w;
    }
    x[o + n - 1] = dp[o + n - 1];
    for (int i = o + n - 2; i >= o; i--) x[i] = dp[i] - cp[i] * x[i + 1];
}
