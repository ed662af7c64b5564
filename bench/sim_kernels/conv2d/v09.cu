// desc: 1-D grid with division, 64 threads, fp64 accumulator
// plan: conv<<<ceil_div(n*n,64), 64>>>(n, x, w, y);
__global__ void conv(int n, const float *x, const float *w, float *y) {
  int p = blockIdx.x * 64 + threadIdx.x, i = p / n, j = p % n;
  if (p >= n * n) return;
  double s = 0;
  for (int a = -2; a <= 2; a++) for (int b = -2; b <= 2; b++) {
    int r = i + a, c = j + b;
    if (r >= 0 && r < n && c >= 0 && c < n) s += (double)w[(a + 2) * 5 + b + 2] * x[r * n + c];
  }
  y[p] = s;
}
