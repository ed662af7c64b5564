// desc: block per column: strided reads, Welford in each thread, shared tree of triples, 256
// plan: stat<<<n, 256>>>(m, n, x, mean, dev);
__global__ void stat(int m, int n, const float *x, float *mean, float *dev)
{
    __shared__ float c[256], a[256], q[256];
    int t = threadIdx.x, j = blockIdx.x;
    float k = 0, s = 0, v = 0;
    for (int i = t; i < m; i += 256) { float e = x[i * n + j], d = e - s; k += 1; s += d / k; v += d * (e - s); }
    c[t] = k; a[t] = s; q[t] = v;
    for (int h = 128; h; h /= 2) {
        __syncthreads();
        if (t < h && c[t + h] > 0) {
            float d = a[t + h] - a[t], w = c[t] + c[t + h];
            q[t] += q[t + h] + d * d * c[t] * c[t + h] / w;
            a[t] += d * c[t + h] / w;
            c[t] = w;
        }
    }
    if (t == 0) { mean[j] = a[0]; dev[j] = sqrtf(q[0] / m); }
}
