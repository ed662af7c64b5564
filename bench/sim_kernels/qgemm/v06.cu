// desc: wmma of bytes, a warp per 16x16 straight from global memory, 4 warps
// plan: mm<<<dim3(n/16,n/64), 128>>>(n, A, B, C);
#include <mma.h>
using namespace nvcuda::wmma;
__global__ void mm(int n, const signed char *A, const signed char *B, int *C)
{
    int i = (blockIdx.y * 4 + threadIdx.x / 32) * 16, j = blockIdx.x * 16;
    fragment<matrix_a, 16, 16, 16, signed char, row_major> a;
    fragment<matrix_b, 16, 16, 16, signed char, col_major> b;
    fragment<accumulator, 16, 16, 16, int> c;
    fill_fragment(c, 0);
    for (int k = 0; k < n; k += 16) {
        load_matrix_sync(a, A + i * n + k, n);
        load_matrix_sync(b, B + j * n + k, n);
        mma_sync(c, a, b, c);
    }
    store_matrix_sync(C + i * n + j, c, n, mem_row_major);
}
