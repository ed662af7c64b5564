// desc: interior without tests, 32x8, restrict
// plan: conv<<<dim3(ceil_div(n,32),ceil_div(n,8)), dim3(32,8)>>>(n, x, w, y);
__global__ void conv(int n, const float *__restrict__ x, const float *__restrict__ w, float *__restrict__ y) {
  int j = blockIdx.x * 32 + threadIdx.x, i = blockIdx.y * 8 + threadIdx.y;
  if (i >= n || j >= n) return;
  float s = 0;
  if (i >= 2 && j >= 2 && i < n - 2 && j < n - 2) {
#pragma unroll
    for (int a = -2; a <= 2; a++)
#pragma unroll
      for (int b = -2; b <= 2; b++) s += w[(a + 2) * 5 + b + 2] * x[(i + a) * n + j + b];
  } else
    for (int a = -2; a <= 2; a++) for (int b = -2; b <= 2; b++)
      if (i + a >= 0 && i + a < n && j + b >= 0 && j + b < n) s += w[(a + 2) * 5 + b + 2] * x[(i + a) * n + j + b];
  y[i * n + j] = s;
}
