// desc: block of 256 per row for the lower part, then columns in strips of 128 rows, an atomic a strip
// plan: low<<<n, 256>>>(n, A, x, y);
// plan: high<<<dim3(ceil_div(n,256), ceil_div(n,128)), 256>>>(n, A, x, y);
__global__ void low(int n, const double *__restrict__ A, const double *__restrict__ x, double *__restrict__ y)
{
    __shared__ double w[8];
    int i = blockIdx.x, t = threadIdx.x;
    double s = 0;
    for (int j = t; j <= i; j += 256) s += A[(size_t)i * n + j] * x[j];
    for (int o = 16; o; o >>= 1) s += __shfl_xor_sync(~0u, s, o);
    if (t % 32 == 0) w[t / 32] = s;
    __syncthreads();
    if (t == 0) { for (int k = 1; k < 8; k++) s += w[k]; y[i] = s; }
}
__global__ void high(int n, const double *__restrict__ A, const double *__restrict__ x, double *y)
{
    int j = blockIdx.x * 256 + threadIdx.x, i0 = blockIdx.y * 128, i1 = min(n, i0 + 128);
    if (j >= n) return;
    double s = 0;
    for (int i = max(i0, j + 1); i < i1; i++) s += A[(size_t)i * n + j] * x[i];
    if (i1 > j + 1) atomicAdd(&y[j], s);
}
