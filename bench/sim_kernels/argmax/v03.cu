// desc: thread per row
// plan: am<<<ceil_div(m,128), 128>>>(m, n, x, at);
__global__ void am(int m, int n, const float *x, int *at)
{
    int i = blockIdx.x * 128 + threadIdx.x, b = 0;
    if (i >= m) return;
    float w = x[(long)i * n];
    for (int j = 1; j < n; j++) { float v = x[(long)i * n + j]; if (v > w) w = v, b = j; }
    at[i] = b;
}
