// desc: half by wmma, a warp per 16x16 straight from global memory
// plan: scratch unsigned short a[n*n];
// plan: scratch unsigned short b[n*n];
// plan: conv<<<ceil_div(n*n,256), 256>>>(n*n, A, a);
// plan: conv<<<ceil_div(n*n,256), 256>>>(n*n, B, b);
// plan: mm<<<dim3(n/64,n/16), 128>>>(n, a, b, C);
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;
__global__ void conv(int n, const float *x, unsigned short *y) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n) y[i] = __half_as_ushort(__float2half(x[i])); }
__global__ void mm(int n, const unsigned short *a, const unsigned short *b, float *C) {
  int i = blockIdx.y * 16, j = blockIdx.x * 64 + threadIdx.x / 32 * 16;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> c; wmma::fill_fragment(c, 0.f);
  for (int k = 0; k < n; k += 16) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> x; wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> y;
    wmma::load_matrix_sync(x, (const half *)a + i * n + k, n); wmma::load_matrix_sync(y, (const half *)b + k * n + j, n); wmma::mma_sync(c, x, y, c);
  }
  wmma::store_matrix_sync(C + i * n + j, c, n, wmma::mem_row_major);
}
