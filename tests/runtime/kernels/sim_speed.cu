// Good and bad versions of the same thing, for the timing model. nvcc -ptx -arch=sm_90 -lineinfo -o sim_speed.ptx sim_speed.cu
__global__ void copy_rows(int n, const float *a, float *b) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) b[i] = a[i]; }
__global__ void copy_strided(int n, const float *a, float *b) { int i = blockIdx.x * blockDim.x + threadIdx.x; long j = (long)i * 4099 % n; if (i < n) b[j] = a[j]; }
__global__ void sum_atomic(int n, const float *a, float *r) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) atomicAdd(r, a[i]); }
__global__ void sum_shuffle(int n, const float *a, float *r)
{
    float s = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) s += a[i];
    for (int d = 16; d; d >>= 1) s += __shfl_down_sync(0xffffffffu, s, d);
    if (threadIdx.x % 32 == 0) atomicAdd(r, s);
}
__global__ void gemm_naive(int n, const float *A, const float *B, float *C)
{
    int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
    float s = 0;
    for (int k = 0; k < n; k++) s += A[i * n + k] * B[k * n + j];
    C[i * n + j] = s;
}
__global__ void gemm_tiled(int n, const float *A, const float *B, float *C)
{
    __shared__ float a[32][33], b[32][33];
    int x = threadIdx.x, y = threadIdx.y, j = blockIdx.x * 32 + x, i = blockIdx.y * 32 + y * 4;
    float s[4] = {};
    for (int k0 = 0; k0 < n; k0 += 32) {
        for (int r = 0; r < 4; r++) { a[y * 4 + r][x] = A[(i + r) * n + k0 + x]; b[y * 4 + r][x] = B[(k0 + y * 4 + r) * n + j]; }
        __syncthreads();
        for (int k = 0; k < 32; k++) for (int r = 0; r < 4; r++) s[r] += a[y * 4 + r][k] * b[k][x];
        __syncthreads();
    }
    for (int r = 0; r < 4; r++) C[(i + r) * n + j] = s[r];
}
template <int PAD> __global__ void transpose(int n, const float *a, float *b)
{
    __shared__ float s[32][32 + PAD];
    int x = threadIdx.x, y = threadIdx.y, bx = blockIdx.x * 32, by = blockIdx.y * 32;
    for (int r = 0; r < 32; r += 8) s[y + r][x] = a[(by + y + r) * n + bx + x];
    __syncthreads();
    for (int r = 0; r < 32; r += 8) b[(bx + y + r) * n + by + x] = s[x][y + r];
}
template __global__ void transpose<0>(int, const float *, float *);
template __global__ void transpose<1>(int, const float *, float *);
__global__ void gather(int n, const int *idx, const float *a, float *b) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) b[i] = a[idx[i]]; }
__global__ void jacobi(int n, const float *a, float *b)
{
    int j = blockIdx.x * 32 + threadIdx.x, i = blockIdx.y * 8 + threadIdx.y;
    if (i > 0 && j > 0 && i < n - 1 && j < n - 1) b[i * n + j] = 0.25f * (a[i * n + j - 1] + a[i * n + j + 1] + a[(i - 1) * n + j] + a[(i + 1) * n + j]);
}
__global__ void serial(int n, const float *a, float *b) { float s = 0; for (int i = 0; i < n; i++) { s = s * 0.5f + a[i]; b[i] = s; } }
