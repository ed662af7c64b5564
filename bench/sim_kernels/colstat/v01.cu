// desc: thread per column, two passes, 128 threads
// plan: stat<<<ceil_div(n,128), 128>>>(m, n, x, mean, dev);
__global__ void stat(int m, int n, const float *x, float *mean, float *dev)
{
    int j = blockIdx.x * 128 + threadIdx.x;
    if (j >= n) return;
    float s = 0, q = 0;
    for (int i = 0; i < m; i++) s += x[i * n + j];
    s /= m;
    for (int i = 0; i < m; i++) { float d = x[i * n + j] - s; q += d * d; }
    mean[j] = s;
    dev[j] = sqrtf(q / m);
}
