// desc: blocked by 32: three launches a round, shared tiles, 32x32 threads
// plan: init<<<n*n/256, 256>>>(n, w, d);
// plan: for (int k = 0; k < n/32; k++) { one<<<1, dim3(32,32)>>>(n, k, d); two<<<dim3(n/32,2), dim3(32,32)>>>(n, k, d); three<<<dim3(n/32,n/32), dim3(32,32)>>>(n, k, d); }
__global__ void init(int n, const float *w, float *d) { int i = blockIdx.x * 256 + threadIdx.x; d[i] = i / n == i % n ? 0 : w[i]; }
__global__ void one(int n, int k, float *d)
{
    __shared__ float a[32][33];
    int x = threadIdx.x, y = threadIdx.y, at = (k * 32 + y) * n + k * 32 + x;
    a[y][x] = d[at];
    for (int q = 0; q < 32; q++) { __syncthreads(); float v = fminf(a[y][x], a[y][q] + a[q][x]); __syncthreads(); a[y][x] = v; }
    d[at] = a[y][x];
}
__global__ void two(int n, int k, float *d)
{
    __shared__ float p[32][33], a[32][33];
    int x = threadIdx.x, y = threadIdx.y, b = blockIdx.x;
    if (b == k) return;
    int at = blockIdx.y ? (b * 32 + y) * n + k * 32 + x : (k * 32 + y) * n + b * 32 + x;
    p[y][x] = d[(k * 32 + y) * n + k * 32 + x];
    a[y][x] = d[at];
    for (int q = 0; q < 32; q++) {
        __syncthreads();
        float v = fminf(a[y][x], blockIdx.y ? a[y][q] + p[q][x] : p[y][q] + a[q][x]);
        __syncthreads();
        a[y][x] = v;
    }
    d[at] = a[y][x];
}
__global__ void three(int n, int k, float *d)
{
    __shared__ float p[32][33], q[32][32];
    int x = threadIdx.x, y = threadIdx.y;
    if (blockIdx.x == k || blockIdx.y == k) return;
    int at = (blockIdx.y * 32 + y) * n + blockIdx.x * 32 + x;
    p[y][x] = d[(blockIdx.y * 32 + y) * n + k * 32 + x];
    q[y][x] = d[(k * 32 + y) * n + blockIdx.x * 32 + x];
    __syncthreads();
    float v = d[at];
    for (int l = 0; l < 32; l++) v = fminf(v, p[y][l] + q[l][x]);
    d[at] = v;
}
