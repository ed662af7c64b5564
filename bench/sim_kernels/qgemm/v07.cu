// desc: mma m16n8k32 of bytes, 128x128 tile of 64 deep in shared memory, 8 warps of 64x32, loads kept in registers for the next tile
// plan: mm<<<dim3(n/128,n/128), 256>>>(n, A, B, C);
__global__ void __launch_bounds__(256) mm(int n, const void *a, const void *b, int *C)
{
    const int4 *A = (const int4 *)a, *B = (const int4 *)b;
    __shared__ int sa[128][20], sb[128][20];
    int t = threadIdx.x, w = t / 32, l = t & 31, m = n / 16, i = blockIdx.y * 128, j = blockIdx.x * 128, wi = (w & 1) * 64, wj = w / 2 * 32;
    int s[4][4][4] = {{{0}}};
    int4 ra[2], rb[2];
    for (int q = 0; q < 2; q++) { int e = t + 256 * q; ra[q] = A[(i + e / 4) * m + (e & 3)]; rb[q] = B[(j + e / 4) * m + (e & 3)]; }
    for (int k = 0; k < n; k += 64) {
        for (int q = 0; q < 2; q++) { int e = t + 256 * q; *(int4 *)&sa[e / 4][e % 4 * 4] = ra[q]; *(int4 *)&sb[e / 4][e % 4 * 4] = rb[q]; }
        __syncthreads();
        if (k + 64 < n)
            for (int q = 0; q < 2; q++) { int e = t + 256 * q; ra[q] = A[(i + e / 4) * m + (k + 64) / 16 + (e & 3)]; rb[q] = B[(j + e / 4) * m + (k + 64) / 16 + (e & 3)]; }
#pragma unroll
        for (int h = 0; h < 16; h += 8) {
            int fa[4][4], fb[4][2];
#pragma unroll
            for (int r = 0; r < 4; r++) {
                int row = wi + r * 16 + l / 4, c = h + l % 4;
                fa[r][0] = sa[row][c]; fa[r][1] = sa[row + 8][c]; fa[r][2] = sa[row][c + 4]; fa[r][3] = sa[row + 8][c + 4];
            }
#pragma unroll
            for (int r = 0; r < 4; r++) { int row = wj + r * 8 + l / 4, c = h + l % 4; fb[r][0] = sb[row][c]; fb[r][1] = sb[row][c + 4]; }
#pragma unroll
            for (int r = 0; r < 4; r++)
#pragma unroll
                for (int c = 0; c < 4; c++)
                    asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                        : "+r"(s[r][c][0]), "+r"(s[r][c][1]), "+r"(s[r][c][2]), "+r"(s[r][c][3])
                        : "r"(fa[r][0]), "r"(fa[r][1]), "r"(fa[r][2]), "r"(fa[r][3]), "r"(fb[c][0]), "r"(fb[c][1]));
        }
        __syncthreads();
    }
    for (int r = 0; r < 4; r++)
        for (int c = 0; c < 4; c++) {
            int row = i + wi + r * 16 + l / 4, col = j + wj + c * 8 + l % 4 * 2;
            *(int2 *)&C[row * n + col] = make_int2(s[r][c][0], s[r][c][1]);
            *(int2 *)&C[(row + 8) * n + col] = make_int2(s[r][c][2], s[r][c][3]);
        }
}
