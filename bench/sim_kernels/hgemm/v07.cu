// desc: half2 arithmetic in a shared tile of 32, two columns a thread, fp32 sums
// plan: mm<<<dim3(n/64,n/32), dim3(32,32)>>>(n, A, B, C);
#include <cuda_fp16.h>
__global__ void mm(int n, const float *A, const float2 *B, float2 *C) {
  __shared__ half2 a[32][32], b[32][32]; int x = threadIdx.x, y = threadIdx.y, i = blockIdx.y * 32 + y, j = blockIdx.x * 32 + x; float2 s = make_float2(0, 0);
  for (int k0 = 0; k0 < n; k0 += 32) {
    a[y][x] = __float2half2_rn(A[i * n + k0 + x]); float2 v = B[(k0 + y) * (n / 2) + j]; b[y][x] = __floats2half2_rn(v.x, v.y); __syncthreads(); half2 h = __float2half2_rn(0.f);
    for (int k = 0; k < 32; k++) h = __hfma2(a[y][k], b[k][x], h);
    s.x += __low2float(h); s.y += __high2float(h); __syncthreads();
  }
  C[i * (n / 2) + j] = s;
}
