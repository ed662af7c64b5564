// desc: thread per column, 32-thread blocks, unrolled by 8
// plan: mv<<<ceil_div(n,32), 32>>>(m, n, A, x, y);
__global__ void mv(int m, int n, const float *__restrict__ A, const float *__restrict__ x, float *y) {
  int j = blockIdx.x * 32 + threadIdx.x; if (j >= n) return;
  float s = 0;
#pragma unroll 8
  for (int i = 0; i < m; i++) s += A[i * n + j] * x[i];
  y[j] = s;
}
