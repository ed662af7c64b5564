// desc: k split in 8, shared tiles 16x16, fp64 atomics into C scaled before
// plan: half<<<ceil_div(m*n,256), 256>>>(m*n, C);
// plan: mm<<<dim3(n/16,m/16,8), dim3(16,16)>>>(n, k, A, B, C);
__global__ void half(int e, double *C) { int i = blockIdx.x * 256 + threadIdx.x; if (i < e) C[i] *= 0.5; }
__global__ void mm(int n, int k, const double *A, const double *B, double *C)
{
    __shared__ double a[16][16], b[16][16];
    int x = threadIdx.x, y = threadIdx.y, i = blockIdx.y * 16 + y, j = blockIdx.x * 16 + x, lo = (k / 8) * blockIdx.z, hi = lo + k / 8;
    double s = 0;
    for (int l = lo; l < hi; l += 16) {
        a[y][x] = l + x < hi ? A[i * k + l + x] : 0;
        b[y][x] = l + y < hi ? B[(l + y) * n + j] : 0;
        __syncthreads();
        for (int q = 0; q < 16; q++) s += a[y][q] * b[q][x];
        __syncthreads();
    }
    atomicAdd(&C[i * n + j], s);
}
