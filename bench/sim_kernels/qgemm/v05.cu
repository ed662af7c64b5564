// desc: 64x64 tile, 4x4 a thread, __dp4a, words along k turned in shared memory, 256 threads
// plan: mm<<<dim3(n/64,n/64), 256>>>(n, A, B, C);
__global__ void mm(int n, const void *a, const void *b, int *C)
{
    const int *A = (const int *)a, *B = (const int *)b;
    __shared__ int sa[16][68], sb[16][68];
    int t = threadIdx.x, x = t & 15, y = t / 16, m = n / 4, i = blockIdx.y * 64, j = blockIdx.x * 64, s[4][4] = {{0}};
    for (int k = 0; k < m; k += 16) {
        for (int q = 0; q < 4; q++) {
            sa[x][y + 16 * q] = A[(i + y + 16 * q) * m + k + x];
            sb[x][y + 16 * q] = B[(j + y + 16 * q) * m + k + x];
        }
        __syncthreads();
#pragma unroll
        for (int q = 0; q < 16; q++) {
            int4 u = *(int4 *)&sa[q][4 * y], v = *(int4 *)&sb[q][4 * x];
            int e[4] = {u.x, u.y, u.z, u.w}, f[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
            for (int r = 0; r < 4; r++)
#pragma unroll
                for (int c = 0; c < 4; c++) s[r][c] = __dp4a(e[r], f[c], s[r][c]);
        }
        __syncthreads();
    }
    for (int r = 0; r < 4; r++) *(int4 *)&C[(i + 4 * y + r) * n + j + 4 * x] = make_int4(s[r][0], s[r][1], s[r][2], s[r][3]);
}
