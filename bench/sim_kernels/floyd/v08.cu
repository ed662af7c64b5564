// desc: a launch a step, thread per row, row walked in a loop, 32 threads
// plan: init<<<n*n/256, 256>>>(n, w, d);
// plan: for (int k = 0; k < n; k++) step<<<n/32, 32>>>(n, k, d);
__global__ void init(int n, const float *w, float *d) { int i = blockIdx.x * 256 + threadIdx.x; d[i] = i / n == i % n ? 0 : w[i]; }
__global__ void step(int n, int k, float *d)
{
    int i = blockIdx.x * 32 + threadIdx.x;
    float a = d[i * n + k];
    for (int j = 0; j < n; j++) { float v = a + d[k * n + j]; if (v < d[i * n + j]) d[i * n + j] = v; }
}
