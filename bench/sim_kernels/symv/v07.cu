// desc: a block has 32 rows and walks over the tiles left of the diagonal, row sums in registers, column sums by atomics, 32x16
// plan: fill(y, 0);
// plan: symv<<<n/32, dim3(32,16)>>>(n, A, x, y);
__global__ void __launch_bounds__(512) symv(int n, const double *__restrict__ A, const double *__restrict__ x, double *y)
{
    __shared__ double c[16][33];
    int l = threadIdx.x, r = threadIdx.y, i0 = blockIdx.x * 32, ia = i0 + r, ib = i0 + r + 16;
    double sa = 0, sb = 0, xa = x[ia], xb = x[ib];
    for (int j0 = 0; j0 <= i0; j0 += 32) {
        int j = j0 + l;
        double xj = x[j], a = j <= ia ? A[(size_t)ia * n + j] : 0, b = j <= ib ? A[(size_t)ib * n + j] : 0;
        sa += a * xj; sb += b * xj;
        c[r][l] = (j < ia ? a * xa : 0) + (j < ib ? b * xb : 0);
        __syncthreads();
        if (r == 0) {
            double s = 0;
            for (int k = 0; k < 16; k++) s += c[k][l];
            atomicAdd(&y[j], s);
        }
        __syncthreads();
    }
    for (int o = 16; o; o >>= 1) { sa += __shfl_xor_sync(~0u, sa, o); sb += __shfl_xor_sync(~0u, sb, o); }
    if (l == 0) { atomicAdd(&y[ia], sa); atomicAdd(&y[ib], sb); }
}
