// desc: the same sums in fp64 with fp64 atomics, 64 rows a thread, blocks of 64 columns
// plan: scratch double s[n];
// plan: scratch double q[n];
// plan: fill(s, 0.0);
// plan: fill(q, 0.0);
// plan: part<<<dim3(ceil_div(n,64),ceil_div(m,64)), 64>>>(m, n, x, s, q);
// plan: last<<<ceil_div(n,256), 256>>>(m, n, s, q, mean, dev);
__global__ void part(int m, int n, const float *x, double *s, double *q)
{
    int j = blockIdx.x * 64 + threadIdx.x, i0 = blockIdx.y * 64, i1 = min(m, i0 + 64);
    if (j >= n) return;
    double a = 0, b = 0;
    for (int i = i0; i < i1; i++) { double d = x[i * n + j]; a += d; b += d * d; }
    atomicAdd(&s[j], a);
    atomicAdd(&q[j], b);
}
__global__ void last(int m, int n, const double *s, const double *q, float *mean, float *dev)
{
    int j = blockIdx.x * 256 + threadIdx.x;
    if (j >= n) return;
    double a = s[j] / m;
    mean[j] = (float)a;
    dev[j] = (float)sqrt(q[j] / m - a * a);
}
