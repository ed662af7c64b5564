// desc: three kernels, Hillis-Steele in shared memory, 256
// plan: scratch int sums[ceil_div(n,256)];
// plan: blocks<<<ceil_div(n,256), 256>>>(n, x, y, sums);
// plan: one<<<1, 1024>>>(ceil_div(n,256), sums);
// plan: add<<<ceil_div(n,256), 256>>>(n, sums, y);
__global__ void blocks(int n, const int *x, int *y, int *sums) {
  __shared__ int s[2][256]; int t = threadIdx.x, i = blockIdx.x * 256 + t, p = 0;
  s[0][t] = i < n ? x[i] : 0; __syncthreads();
  for (int k = 1; k < 256; k *= 2) { s[1 - p][t] = s[p][t] + (t >= k ? s[p][t - k] : 0); p = 1 - p; __syncthreads(); }
  if (i < n) y[i] = s[p][t];
  if (t == 255) sums[blockIdx.x] = s[p][t];
}
__global__ void one(int m, int *sums) { /* exclusive */
  __shared__ int s[1024]; int t = threadIdx.x, k = (m + 1023) / 1024, v = 0;
  for (int j = t * k; j < min(m, (t + 1) * k); j++) v += sums[j];
  s[t] = v; __syncthreads();
  for (int o = 1; o < 1024; o *= 2) { int a = t >= o ? s[t - o] : 0; __syncthreads(); s[t] += a; __syncthreads(); }
  v = t ? s[t - 1] : 0;
  for (int j = t * k; j < min(m, (t + 1) * k); j++) { int a = sums[j]; sums[j] = v; v += a; }
}
__global__ void add(int n, const int *sums, int *y) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n) y[i] += sums[blockIdx.x]; }
