// desc: grid of 32x8 blocks over slices of 256 rows, float atomics into the outputs, square root after
// plan: fill(mean, 0);
// plan: fill(dev, 0);
// plan: part<<<dim3(ceil_div(n,32),ceil_div(m,256)), dim3(32,8)>>>(m, n, x, mean, dev);
// plan: last<<<ceil_div(n,256), 256>>>(m, n, mean, dev);
__global__ void part(int m, int n, const float *x, float *mean, float *dev)
{
    int j = blockIdx.x * 32 + threadIdx.x, i0 = blockIdx.y * 256 + threadIdx.y, i1 = min(m, blockIdx.y * 256 + 256);
    if (j >= n) return;
    float s = 0, q = 0;
    for (int i = i0; i < i1; i += 8) { float d = x[i * n + j] - 1; s += d; q += d * d; }
    atomicAdd(&mean[j], s);
    atomicAdd(&dev[j], q);
}
__global__ void last(int m, int n, float *mean, float *dev)
{
    int j = blockIdx.x * 256 + threadIdx.x;
    if (j >= n) return;
    float s = mean[j] / m;
    mean[j] = s + 1;
    dev[j] = sqrtf(dev[j] / m - s * s);
}
