// desc: naive 16x16, bounds tested at every tap
// plan: conv<<<dim3(ceil_div(n,16),ceil_div(n,16)), dim3(16,16)>>>(n, x, w, y);
__global__ void conv(int n, const float *x, const float *w, float *y) {
  int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
  if (i >= n || j >= n) return;
  float s = 0;
  for (int a = -2; a <= 2; a++) for (int b = -2; b <= 2; b++)
    if (i + a >= 0 && i + a < n && j + b >= 0 && j + b < n) s += w[(a + 2) * 5 + b + 2] * x[(i + a) * n + j + b];
  y[i * n + j] = s;
}
