// desc: Blelloch up- and down-sweep in shared memory with bank conflicts, 1024 elements by 512 threads
// plan: scratch int sums[n/1024];
// plan: blocks<<<n/1024, 512>>>(x, y, sums);
// plan: one<<<1, 1024>>>(n/1024, sums);
// plan: add<<<n/1024, 1024>>>(sums, y);
__global__ void blocks(const int *x, int *y, int *sums) {
  __shared__ int s[1024]; int t = threadIdx.x, g = blockIdx.x * 1024, off = 1; int a0 = x[g + t], a1 = x[g + t + 512]; s[t] = a0; s[t + 512] = a1;
  for (int d = 512; d > 0; d >>= 1) { __syncthreads(); if (t < d) s[off * (2 * t + 2) - 1] += s[off * (2 * t + 1) - 1]; off *= 2; }
  __syncthreads(); if (!t) { sums[blockIdx.x] = s[1023]; s[1023] = 0; }
  for (int d = 1; d < 1024; d *= 2) { off >>= 1; __syncthreads(); if (t < d) { int i = off * (2 * t + 1) - 1, j = off * (2 * t + 2) - 1, v = s[i]; s[i] = s[j]; s[j] += v; } }
  __syncthreads(); y[g + t] = s[t] + a0; y[g + t + 512] = s[t + 512] + a1;
}
__global__ void one(int m, int *sums) {
  __shared__ int s[1024]; int t = threadIdx.x, k = (m + 1023) / 1024, v = 0;
  for (int j = t * k; j < min(m, (t + 1) * k); j++) v += sums[j];
  s[t] = v; __syncthreads();
  for (int o = 1; o < 1024; o *= 2) { int a = t >= o ? s[t - o] : 0; __syncthreads(); s[t] += a; __syncthreads(); }
  v = t ? s[t - 1] : 0;
  for (int j = t * k; j < min(m, (t + 1) * k); j++) { int a = sums[j]; sums[j] = v; v += a; }
}
__global__ void add(const int *sums, int *y) { y[blockIdx.x * 1024 + threadIdx.x] += sums[blockIdx.x]; }
