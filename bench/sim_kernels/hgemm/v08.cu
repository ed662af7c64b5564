// desc: half by wmma, 128x64 tile, 8 warps of 32x32, no padding in shared memory
// plan: scratch unsigned short a[n*n];
// plan: scratch unsigned short b[n*n];
// plan: conv<<<ceil_div(n*n,256), 256>>>(n*n, A, a);
// plan: conv<<<ceil_div(n*n,256), 256>>>(n*n, B, b);
// plan: mm<<<dim3(n/64,n/128), 256>>>(n, a, b, C);
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;
__global__ void conv(int n, const float *x, unsigned short *y) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n) y[i] = __half_as_ushort(__float2half(x[i])); }
__global__ void mm(int n, const unsigned short *__restrict__ A, const unsigned short *__restrict__ B, float *__restrict__ C) {
  __shared__ __align__(16) half a[128][64], b[64][64];
  int t = threadIdx.x, w = t / 32, i0 = blockIdx.y * 128, j0 = blockIdx.x * 64, wi = w / 2 * 32, wj = w % 2 * 32;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> c[2][2];
  for (int r = 0; r < 2; r++) for (int s = 0; s < 2; s++) wmma::fill_fragment(c[r][s], 0.f);
  for (int k0 = 0; k0 < n; k0 += 64) {
    for (int q = t; q < 128 * 8; q += 256) *(int4 *)&a[q / 8][q % 8 * 8] = *(const int4 *)&A[(i0 + q / 8) * n + k0 + q % 8 * 8];
    for (int q = t; q < 64 * 8; q += 256) *(int4 *)&b[q / 8][q % 8 * 8] = *(const int4 *)&B[(k0 + q / 8) * n + j0 + q % 8 * 8];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 64; k += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> x[2]; wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> y[2];
      for (int r = 0; r < 2; r++) { wmma::load_matrix_sync(x[r], &a[wi + r * 16][k], 64); wmma::load_matrix_sync(y[r], &b[k][wj + r * 16], 64); }
      for (int r = 0; r < 2; r++) for (int s = 0; s < 2; s++) wmma::mma_sync(c[r][s], x[r], y[s], c[r][s]);
    }
    __syncthreads();
  }
  for (int r = 0; r < 2; r++) for (int s = 0; s < 2; s++) wmma::store_matrix_sync(C + (i0 + wi + r * 16) * n + j0 + wj + s * 16, c[r][s], n, wmma::mem_row_major);
}
