/* Pairs of kernels that do the same work but for what the name says. */
__global__ void rolled(int n, const float *x, float *y)
{
    float s = 0;
#pragma unroll 1
    for (int i = 0; i < n; i++) s += x[((size_t)i * gridDim.x + blockIdx.x) * 32 + threadIdx.x];
    y[blockIdx.x * 32 + threadIdx.x] = s;
}
__global__ void unrolled(int n, const float *x, float *y)
{
    float s = 0;
#pragma unroll 8
    for (int i = 0; i < n; i++) s += x[((size_t)i * gridDim.x + blockIdx.x) * 32 + threadIdx.x];
    y[blockIdx.x * 32 + threadIdx.x] = s;
}
__global__ void island(int from, int to, float *y) /* only blocks from..to have work */
{
    float s = threadIdx.x;
    if (blockIdx.x >= from && blockIdx.x < to)
        for (int i = 0; i < 300; i++) s = s * 0.5f + 1;
    if (threadIdx.x == 0) y[blockIdx.x] = s;
}
__global__ void in_rows(int lines, const float *x, int *word) /* blocks of a line one after another */
{
    int per = gridDim.x / lines;
    atomicMax(&word[blockIdx.x / per * 32], __float_as_int(x[blockIdx.x * blockDim.x + threadIdx.x]));
}
__global__ void in_turn(int lines, const float *x, int *word) /* neighbours on different lines */
{
    atomicMax(&word[blockIdx.x % lines * 32], __float_as_int(x[blockIdx.x * blockDim.x + threadIdx.x]));
}
__global__ void at_random(int rows, const float *w, float *y) /* a row of 64 a warp */
{
    unsigned i = blockIdx.x * 8 + threadIdx.x / 32, r = i * 2654435761u;
    r = (r ^ r >> 15) * 2246822519u;
    r = (r ^ r >> 13) % rows;
    y[i & 1023] = w[r * 64 + threadIdx.x % 32] + w[r * 64 + 32 + threadIdx.x % 32];
}
__global__ void again_and_again(int rows, const float *w, float *y)
{
    unsigned i = blockIdx.x * 8 + threadIdx.x / 32, r = i % rows;
    y[i & 1023] = w[r * 64 + threadIdx.x % 32] + w[r * 64 + 32 + threadIdx.x % 32];
}
__global__ void twice(int n, const float *x, float *y) /* a row of n a block */
{
    float s = 0;
    const float *row = x + (size_t)blockIdx.x * n;
    for (int k = 0; k < 2; k++)
        for (int i = threadIdx.x; i < n; i += 128) s = fmaxf(s, row[i] * (k + 1));
    y[blockIdx.x * 128 + threadIdx.x] = s;
}
__global__ void scratch(int n, float *y) /* n of 2048 places of a thread's own */
{
    float a[2048], s = 0;
    int t = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 1
    for (int i = 0; i < n; i++) a[i] = i + t;
#pragma unroll 1
    for (int i = 0; i < n; i++) s += a[(i * 7 + 3) % n];
    y[t] = s;
}
