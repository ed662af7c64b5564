// desc: 16 slices, fp64 sums, fp64 scratch
// plan: scratch double part[16*n];
// plan: mv<<<dim3(ceil_div(n,64),16), 64>>>(m, n, A, x, part);
// plan: add<<<ceil_div(n,64), 64>>>(n, part, y);
__global__ void mv(int m, int n, const float *A, const float *x, double *p) {
  int j = blockIdx.x * 64 + threadIdx.x, k = m / 16; if (j >= n) return;
  double s = 0; for (int i = blockIdx.y * k; i < (blockIdx.y + 1) * k; i++) s += (double)A[i * n + j] * x[i];
  p[blockIdx.y * n + j] = s;
}
__global__ void add(int n, const double *p, float *y) {
  int j = blockIdx.x * 64 + threadIdx.x; if (j >= n) return;
  double s = 0; for (int k = 0; k < 16; k++) s += p[k * n + j]; y[j] = s;
}
