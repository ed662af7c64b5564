// desc: thread per column, 256
// plan: mv<<<ceil_div(n,256), 256>>>(m, n, A, x, y);
__global__ void mv(int m, int n, const float *A, const float *x, float *y) {
  int j = blockIdx.x * 256 + threadIdx.x; if (j >= n) return;
  float s = 0; for (int i = 0; i < m; i++) s += A[i * n + j] * x[i];
  y[j] = s;
}
