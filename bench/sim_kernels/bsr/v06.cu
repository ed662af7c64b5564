// desc: half by wmma, converted on the way to shared memory, all eight blocks of A staged at once, 4 warps
// plan: bsr<<<m, 128>>>(col, val, B, C);
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;
__global__ void __launch_bounds__(128) bsr(const int *__restrict__ col, const float *__restrict__ val, const float *__restrict__ B, float *__restrict__ C)
{
    __shared__ __align__(32) half a[8 * 256], t[16 * 72];
    int x = threadIdx.x, r = blockIdx.x, w = x / 32;
    for (int k = x; k < 1024; k += 128) ((half2 *)a)[k] = __float22half2_rn(((const float2 *)val)[r * 1024 + k]);
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
    wmma::fill_fragment(c, 0.f);
    for (int b = 0; b < 8; b++) {
        int p = col[r * 8 + b];
        for (int k = x; k < 512; k += 128) *(half2 *)&t[k / 32 * 72 + k % 32 * 2] = __float22half2_rn(((const float2 *)B)[p * 512 + k]);
        __syncthreads();
        wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
        wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb;
        wmma::load_matrix_sync(fa, a + b * 256, 16);
        wmma::load_matrix_sync(fb, t + w * 16, 72);
        wmma::mma_sync(c, fa, fb, c);
        __syncthreads();
    }
    wmma::store_matrix_sync(C + r * 1024 + w * 16, c, 64, wmma::mem_row_major);
}
