// desc: mma.sync m16n8k16 with ldmatrix and cp.async double buffer, 128x128 tile, 256 threads
// plan: scratch unsigned short a[n*n];
// plan: scratch unsigned short b[n*n];
// plan: conv<<<ceil_div(n*n/4,256), 256>>>(n*n/4, A, a);
// plan: conv<<<ceil_div(n*n/4,256), 256>>>(n*n/4, B, b);
// plan: mm<<<dim3(n/128,n/128), 256>>>(n, a, b, C);
#include <cuda_fp16.h>
__global__ void conv(int n, const float4 *x, unsigned short *y) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n) { float4 v = x[i]; ((half2 *)y)[i * 2] = __floats2half2_rn(v.x, v.y); ((half2 *)y)[i * 2 + 1] = __floats2half2_rn(v.z, v.w); } }
__device__ unsigned sa(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void cpa(void *d, const void *s) { asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(sa(d)), "l"(s)); }
__global__ void __launch_bounds__(256) mm(int n, const unsigned short *__restrict__ A, const unsigned short *__restrict__ B, float *__restrict__ C) {
  __shared__ __align__(16) unsigned short a[2][128][40], b[2][32][136];
  int t = threadIdx.x, w = t / 32, l = t % 32, i0 = blockIdx.y * 128, j0 = blockIdx.x * 128, wi = w / 4 * 64, wj = w % 4 * 32;
  float c[4][4][4] = {};
  auto load = [&](int s, int k0) {
    for (int q = t; q < 512; q += 256) { int r = q / 4, k = q % 4 * 8; cpa(&a[s][r][k], &A[(i0 + r) * n + k0 + k]); }
    for (int q = t; q < 512; q += 256) { int k = q / 16, j = q % 16 * 8; cpa(&b[s][k][j], &B[(k0 + k) * n + j0 + j]); }
    asm volatile("cp.async.commit_group;"); };
  load(0, 0); int s = 0;
  for (int k0 = 0; k0 < n; k0 += 32, s ^= 1) {
    if (k0 + 32 < n) { load(s ^ 1, k0 + 32); asm volatile("cp.async.wait_group 1;"); } else asm volatile("cp.async.wait_group 0;");
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 32; k += 16) {
      unsigned x[4][4], y[4][2];
#pragma unroll
      for (int r = 0; r < 4; r++) asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(x[r][0]), "=r"(x[r][1]), "=r"(x[r][2]), "=r"(x[r][3]) : "r"(sa(&a[s][wi + r * 16 + l % 16][k + l / 16 * 8])));
#pragma unroll
      for (int r = 0; r < 2; r++) asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(y[r * 2][0]), "=r"(y[r * 2][1]), "=r"(y[r * 2 + 1][0]), "=r"(y[r * 2 + 1][1]) : "r"(sa(&b[s][k + l % 16][wj + r * 16 + l / 16 * 8])));
#pragma unroll
      for (int r = 0; r < 4; r++)
#pragma unroll
        for (int q = 0; q < 4; q++) asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};" : "+f"(c[r][q][0]), "+f"(c[r][q][1]), "+f"(c[r][q][2]), "+f"(c[r][q][3]) : "r"(x[r][0]), "r"(x[r][1]), "r"(x[r][2]), "r"(x[r][3]), "r"(y[q][0]), "r"(y[q][1]));
    }
    __syncthreads();
  }
#pragma unroll
  for (int r = 0; r < 4; r++)
#pragma unroll
    for (int q = 0; q < 4; q++) { int i = i0 + wi + r * 16 + l / 4, j = j0 + wj + q * 8 + l % 4 * 2; *(float2 *)&C[i * n + j] = make_float2(c[r][q][0], c[r][q][1]); *(float2 *)&C[(i + 8) * n + j] = make_float2(c[r][q][2], c[r][q][3]); }
}
