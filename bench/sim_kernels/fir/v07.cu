// desc: tensor cores: signal as rows of 16 that overlap, taps as a band matrix in half, a warp makes 256 outputs, 4 warps
// plan: fir<<<n/1024, 128>>>(h, x, y);
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;
__global__ void __launch_bounds__(128) fir(const float *__restrict__ h, const float *__restrict__ x, float *__restrict__ y)
{
    __shared__ __align__(32) half s[1024 + 144], t[144 * 16];
    int l = threadIdx.x, i0 = blockIdx.x * 1024, w = l / 32;
    for (int k = l; k < 1024 + 144; k += 128) s[k] = k < 1024 + 128 ? __float2half(x[i0 + k]) : __float2half(0.f);
    for (int k = l; k < 144 * 16; k += 128) { int d = k / 16 - k % 16; t[k] = d >= 0 && d < 128 ? __float2half(h[d]) : __float2half(0.f); }
    __syncthreads();
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
    wmma::fill_fragment(c, 0.f);
    for (int k = 0; k < 144; k += 16) {
        wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
        wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
        wmma::load_matrix_sync(a, s + w * 256 + k, 16);
        wmma::load_matrix_sync(b, t + k * 16, 16);
        wmma::mma_sync(c, a, b, c);
    }
    wmma::store_matrix_sync(y + i0 + w * 256, c, 16, wmma::mem_row_major);
}
