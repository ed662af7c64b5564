// desc: each thread scans 64 consecutive elements (uncoalesced), then as with three kernels
// plan: scratch int sums[n/64];
// plan: scratch int top[n/16384];
// plan: mine<<<n/16384, 256>>>(x, sums);
// plan: mid<<<n/16384, 256>>>(sums, top);
// plan: one<<<1, 1024>>>(n/16384, top);
// plan: write<<<n/16384, 256>>>(x, sums, top, y);
__global__ void mine(const int *x, int *sums) { int i = blockIdx.x * 256 + threadIdx.x, v = 0; for (int k = 0; k < 64; k++) v += x[i * 64 + k]; sums[i] = v; }
__global__ void mid(int *sums, int *top) {
  __shared__ int s[256]; int t = threadIdx.x, i = blockIdx.x * 256 + t, v = sums[i]; s[t] = v; __syncthreads();
  for (int o = 1; o < 256; o *= 2) { int a = t >= o ? s[t - o] : 0; __syncthreads(); s[t] += a; __syncthreads(); }
  sums[i] = s[t] - v; if (t == 255) top[blockIdx.x] = s[t];
}
__global__ void one(int m, int *top) {
  __shared__ int s[1024]; int t = threadIdx.x, v = t < m ? top[t] : 0; s[t] = v; __syncthreads();
  for (int o = 1; o < 1024; o *= 2) { int a = t >= o ? s[t - o] : 0; __syncthreads(); s[t] += a; __syncthreads(); }
  if (t < m) top[t] = s[t] - v;
}
__global__ void write(const int *x, const int *sums, const int *top, int *y) { int i = blockIdx.x * 256 + threadIdx.x, v = sums[i] + top[blockIdx.x]; for (int k = 0; k < 64; k++) { v += x[i * 64 + k]; y[i * 64 + k] = v; } }
