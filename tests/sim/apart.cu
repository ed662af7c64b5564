// Kernels whose blocks run on several threads of the machine, and such that must not.
#define N (1 << 18)
__global__ void smooth(const float *x, float *y, int *h, int n) // long enough for others to be asked
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float s = x[i];
    for (int k = 0; k < 40; k++) s = s * 0.99f + x[(i + 37 * k) % n];
    y[i] = s;
}
__global__ void histogram(const float *x, float *y, int *h, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, v = 0;
    for (int k = 0; k < 20; k++) v += (int)(x[(i + k) % n] * 8);
    atomicAdd(&h[v & 63], 1);
    atomicMax(&h[64 + (v & 63)], i ^ 0x1555);
    atomicXor(&h[128], v * 2654435761u);
}
__global__ void sum(const float *x, float *y, int *h, int n) // a float's sum depends on the order
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float s = 0;
    for (int k = 0; k < 20; k++) s += x[(i + k) % n];
    atomicAdd(&y[0], s);
}
__global__ void tickets(const float *x, float *y, int *h, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float s = 0;
    for (int k = 0; k < 20; k++) s += x[(i + k) % n];
    if (threadIdx.x == 0) y[atomicAdd(&h[0], 1)] = s + blockIdx.x;
}
__global__ void leftovers(const float *x, float *y, int *h, int n) // of lanes that have left, and of what nobody set
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float s = 0, u[8];
    for (int k = 0; k < 30; k++) s += x[(i + k) % n];
    if ((threadIdx.x & 31) > 20) return;
    u[i & 3] = s;
    y[i] = __shfl_down_sync(0xffffffff, s, 16) + (i % 5 == 0 ? u[(i >> 3) & 7] : 0);
}
__global__ void beyond(const float *x, float *y, int *h, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float s = 0;
    for (int k = 0; k < 40; k++) s += x[(i + k) % n];
    y[blockIdx.x % 500 == 377 ? i + N * 4 : i] = s;
}
__global__ void hangs(const float *x, float *y, int *h, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float s = 0;
    for (int k = 0; k < 40; k++) s += x[(i + k) % n];
    while (blockIdx.x == 600 && s != -1) s = s * 0.5f + 1;
    y[i] = s;
}
