// desc: rows in 64 slices, atomics to y
// plan: fill(y, 0);
// plan: mv<<<dim3(ceil_div(n,256),64), 256>>>(m, n, A, x, y);
__global__ void mv(int m, int n, const float *A, const float *x, float *y) {
  int j = blockIdx.x * 256 + threadIdx.x, k = m / 64; if (j >= n) return;
  float s = 0; for (int i = blockIdx.y * k; i < (blockIdx.y + 1) * k; i++) s += A[i * n + j] * x[i];
  atomicAdd(&y[j], s);
}
