// desc: an atomic for every element
// plan: fill(mean, 0);
// plan: fill(dev, 0);
// plan: part<<<ceil_div(m*n,256), 256>>>(m*n, n, x, mean, dev);
// plan: last<<<ceil_div(n,256), 256>>>(m, n, mean, dev);
__global__ void part(int all, int n, const float *x, float *mean, float *dev)
{
    int e = blockIdx.x * 256 + threadIdx.x;
    if (e >= all) return;
    float d = x[e] - 1;
    atomicAdd(&mean[e % n], d);
    atomicAdd(&dev[e % n], d * d);
}
__global__ void last(int m, int n, float *mean, float *dev)
{
    int j = blockIdx.x * 256 + threadIdx.x;
    if (j >= n) return;
    float s = mean[j] / m;
    mean[j] = s + 1;
    dev[j] = sqrtf(dev[j] / m - s * s);
}
