// desc: shared tile 36x12 for 32x8, weights from global
// plan: conv<<<dim3(ceil_div(n,32),ceil_div(n,8)), dim3(32,8)>>>(n, x, w, y);
__global__ void conv(int n, const float *x, const float *w, float *y) {
  __shared__ float t[12][36];
  int j0 = blockIdx.x * 32, i0 = blockIdx.y * 8, tid = threadIdx.y * 32 + threadIdx.x;
  for (int q = tid; q < 12 * 36; q += 256) {
    int r = q / 36, c = q % 36, i = i0 + r - 2, j = j0 + c - 2;
    t[r][c] = i >= 0 && i < n && j >= 0 && j < n ? x[i * n + j] : 0.f;
  }
  __syncthreads();
  float s = 0;
#pragma unroll
  for (int a = 0; a < 5; a++)
#pragma unroll
    for (int b = 0; b < 5; b++) s += w[a * 5 + b] * t[threadIdx.y + a][threadIdx.x + b];
  int i = i0 + threadIdx.y, j = j0 + threadIdx.x;
  if (i < n && j < n) y[i * n + j] = s;
}
