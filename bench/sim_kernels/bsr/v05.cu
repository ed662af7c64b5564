// desc: tf32 by wmma, a warp per 16x16 of C straight from global memory, 4 warps per block row
// plan: bsr<<<m, 128>>>(col, val, B, C);
#include <mma.h>
using namespace nvcuda;
__global__ void bsr(const int *col, const float *val, const float *B, float *C)
{
    int r = blockIdx.x, j = threadIdx.x / 32 * 16;
    wmma::fragment<wmma::accumulator, 16, 16, 8, float> c;
    wmma::fill_fragment(c, 0.f);
    for (int b = 0; b < 8; b++) {
        int e = r * 8 + b, p = col[e] * 16;
        for (int k = 0; k < 16; k += 8) {
            wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> x;
            wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::row_major> y;
            wmma::load_matrix_sync(x, val + e * 256 + k, 16);
            wmma::load_matrix_sync(y, B + (p + k) * 64 + j, 64);
            for (int i = 0; i < x.num_elements; i++) x.x[i] = wmma::__float_to_tf32(x.x[i]);
            for (int i = 0; i < y.num_elements; i++) y.x[i] = wmma::__float_to_tf32(y.x[i]);
            wmma::mma_sync(c, x, y, c);
        }
    }
    wmma::store_matrix_sync(C + r * 1024 + j, c, 64, wmma::mem_row_major);
}
