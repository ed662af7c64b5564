// desc: four columns a thread by float4, 128 threads, store only what changes
// plan: init<<<n*n/256, 256>>>(n, w, d);
// plan: for (int k = 0; k < n; k++) step<<<n, n/4>>>(n, k, d);
__global__ void init(int n, const float *w, float *d) { int i = blockIdx.x * 256 + threadIdx.x; d[i] = i / n == i % n ? 0 : w[i]; }
__global__ void step(int n, int k, float *d)
{
    int i = blockIdx.x, j = threadIdx.x * 4;
    float a = d[i * n + k];
    float4 b = *(float4 *)&d[k * n + j], c = *(float4 *)&d[i * n + j], e = c;
    c.x = fminf(c.x, a + b.x); c.y = fminf(c.y, a + b.y); c.z = fminf(c.z, a + b.z); c.w = fminf(c.w, a + b.w);
    if (c.x != e.x || c.y != e.y || c.z != e.z || c.w != e.w) *(float4 *)&d[i * n + j] = c;
}
