// desc: 32x32 block for 32 columns, sums in shared
// plan: mv<<<ceil_div(n,32), dim3(32,32)>>>(m, n, A, x, y);
__global__ void mv(int m, int n, const float *A, const float *x, float *y) {
  __shared__ float s[32][33]; int j = blockIdx.x * 32 + threadIdx.x; float v = 0;
  for (int i = threadIdx.y; i < m; i += 32) v += A[i * n + j] * x[i];
  s[threadIdx.y][threadIdx.x] = v; __syncthreads();
  v = s[threadIdx.x][threadIdx.y];
  for (int o = 16; o; o >>= 1) v += __shfl_down_sync(0xffffffffu, v, o);
  if (!threadIdx.x) y[blockIdx.x * 32 + threadIdx.y] = v;
}
