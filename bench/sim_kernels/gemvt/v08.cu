// desc: transposed through shared memory first, then a warp per row
// plan: scratch float T[m*n];
// plan: tr<<<dim3(n/32,m/32), dim3(32,8)>>>(m, n, A, T);
// plan: mv<<<ceil_div(n,8), 256>>>(m, n, T, x, y);
__global__ void tr(int m, int n, const float *A, float *T) {
  __shared__ float s[32][33];
  for (int k = threadIdx.y; k < 32; k += 8) s[k][threadIdx.x] = A[(blockIdx.y * 32 + k) * n + blockIdx.x * 32 + threadIdx.x];
  __syncthreads();
  for (int k = threadIdx.y; k < 32; k += 8) T[(blockIdx.x * 32 + k) * m + blockIdx.y * 32 + threadIdx.x] = s[threadIdx.x][k];
}
__global__ void mv(int m, int n, const float *T, const float *x, float *y) {
  int r = (blockIdx.x * 256 + threadIdx.x) / 32, l = threadIdx.x & 31; if (r >= n) return;
  float v = 0; for (int i = l; i < m; i += 32) v += T[r * m + i] * x[i];
  for (int o = 16; o; o >>= 1) v += __shfl_down_sync(0xffffffffu, v, o);
  if (!l) y[r] = v;
}
