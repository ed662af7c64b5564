// desc: the same transposed: threads along rows
// plan: init<<<n*n/256, 256>>>(n, w, d);
// plan: for (int k = 0; k < n; k++) step<<<n*n/256, 256>>>(n, k, d);
__global__ void init(int n, const float *w, float *d) { int i = blockIdx.x * 256 + threadIdx.x; d[i] = i / n == i % n ? 0 : w[i]; }
__global__ void step(int n, int k, float *d)
{
    int t = blockIdx.x * 256 + threadIdx.x, j = t / n, i = t % n;
    float v = d[i * n + k] + d[k * n + j];
    if (v < d[i * n + j]) d[i * n + j] = v;
}
