// desc: threads run down columns: every load and store strided
// plan: conv<<<dim3(ceil_div(n,32),ceil_div(n,8)), dim3(32,8)>>>(n, x, w, y);
__global__ void conv(int n, const float *x, const float *w, float *y) {
  int i = blockIdx.x * 32 + threadIdx.x, j = blockIdx.y * 8 + threadIdx.y;
  if (i >= n || j >= n) return;
  float s = 0;
  for (int a = -2; a <= 2; a++) for (int b = -2; b <= 2; b++)
    if (i + a >= 0 && i + a < n && j + b >= 0 && j + b < n) s += w[(a + 2) * 5 + b + 2] * x[(i + a) * n + j + b];
  y[i * n + j] = s;
}
