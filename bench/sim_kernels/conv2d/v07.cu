// desc: unfolded into 25 planes in global memory, then summed
// plan: scratch float u[25*n*n];
// plan: unfold<<<dim3(ceil_div(n*n,256),25), 256>>>(n, x, u);
// plan: sum<<<ceil_div(n*n,256), 256>>>(n*n, u, w, y);
__global__ void unfold(int n, const float *x, float *u) {
  int p = blockIdx.x * 256 + threadIdx.x, a = blockIdx.y / 5 - 2, b = blockIdx.y % 5 - 2;
  if (p >= n * n) return;
  int i = p / n + a, j = p % n + b;
  u[blockIdx.y * n * n + p] = i >= 0 && i < n && j >= 0 && j < n ? x[i * n + j] : 0.f;
}
__global__ void sum(int N, const float *u, const float *w, float *y) {
  int p = blockIdx.x * 256 + threadIdx.x;
  if (p >= N) return;
  float s = 0;
  for (int k = 0; k < 25; k++) s += w[k] * u[k * N + p];
  y[p] = s;
}
