// desc: half by wmma, 64x64 tile in shared memory, converted on the way in
// plan: mm<<<dim3(n/64,n/64), 128>>>(n, A, B, C);
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;
__global__ void mm(int n, const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C) {
  __shared__ half a[64][40], b[32][72];
  int t = threadIdx.x, w = t / 32, i0 = blockIdx.y * 64, j0 = blockIdx.x * 64, wi = w / 2 * 32, wj = w % 2 * 32;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> c[2][2];
  for (int r = 0; r < 2; r++) for (int s = 0; s < 2; s++) wmma::fill_fragment(c[r][s], 0.f);
  for (int k0 = 0; k0 < n; k0 += 32) {
    for (int q = t; q < 64 * 8; q += 128) { int r = q / 8, k = q % 8 * 4; float4 v = *(const float4 *)&A[(i0 + r) * n + k0 + k]; *(half2 *)&a[r][k] = __floats2half2_rn(v.x, v.y); *(half2 *)&a[r][k + 2] = __floats2half2_rn(v.z, v.w); }
    for (int q = t; q < 32 * 16; q += 128) { int k = q / 16, s = q % 16 * 4; float4 v = *(const float4 *)&B[(k0 + k) * n + j0 + s]; *(half2 *)&b[k][s] = __floats2half2_rn(v.x, v.y); *(half2 *)&b[k][s + 2] = __floats2half2_rn(v.z, v.w); }
    __syncthreads();
    for (int k = 0; k < 32; k += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> x[2]; wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> y[2];
      for (int r = 0; r < 2; r++) { wmma::load_matrix_sync(x[r], &a[wi + r * 16][k], 40); wmma::load_matrix_sync(y[r], &b[k][wj + r * 16], 72); }
      for (int r = 0; r < 2; r++) for (int s = 0; s < 2; s++) wmma::mma_sync(c[r][s], x[r], y[s], c[r][s]);
    }
    __syncthreads();
  }
  for (int r = 0; r < 2; r++) for (int s = 0; s < 2; s++) wmma::store_matrix_sync(C + (i0 + wi + r * 16) * n + j0 + wj + s * 16, c[r][s], n, wmma::mem_row_major);
}
