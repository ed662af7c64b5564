// desc: a launch for every node between, thread per pair, 16x16
// plan: init<<<n*n/256, 256>>>(n, w, d);
// plan: for (int k = 0; k < n; k++) step<<<dim3(n/16,n/16), dim3(16,16)>>>(n, k, d);
__global__ void init(int n, const float *w, float *d) { int i = blockIdx.x * 256 + threadIdx.x; d[i] = i / n == i % n ? 0 : w[i]; }
__global__ void step(int n, int k, float *d)
{
    int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
    d[i * n + j] = fminf(d[i * n + j], d[i * n + k] + d[k * n + j]);
}
