// desc: reduce, scan the sums, scan again: 264 persistent blocks of 512
// plan: scratch int sums[264];
// plan: red<<<264, 512>>>(n, x, sums);
// plan: scan<<<264, 512>>>(n, x, sums, y);
__device__ int wscan(int v) { for (int o = 1; o < 32; o *= 2) { int a = __shfl_up_sync(0xffffffffu, v, o); if ((threadIdx.x & 31) >= o) v += a; } return v; }
__global__ void red(int n, const int *x, int *sums) {
  __shared__ int s[16]; int k = (n / 264 + 511) / 512 * 512, lo = min(n, blockIdx.x * k), hi = blockIdx.x == 263 ? n : min(n, lo + k), v = 0;
  for (int i = lo + threadIdx.x; i < hi; i += 512) v += x[i];
  v = wscan(v); if ((threadIdx.x & 31) == 31) s[threadIdx.x >> 5] = v; __syncthreads();
  if (!threadIdx.x) { v = 0; for (int j = 0; j < 16; j++) v += s[j]; sums[blockIdx.x] = v; }
}
__global__ void scan(int n, const int *x, const int *sums, int *y) {
  __shared__ int s[16], base; int k = (n / 264 + 511) / 512 * 512, lo = min(n, blockIdx.x * k), hi = blockIdx.x == 263 ? n : min(n, lo + k);
  if (!threadIdx.x) { int b = 0; for (int j = 0; j < blockIdx.x; j++) b += sums[j]; base = b; } __syncthreads();
  for (int i0 = lo; i0 < hi; i0 += 512) {
    int i = i0 + threadIdx.x, v = i < hi ? x[i] : 0, w = threadIdx.x >> 5; v = wscan(v);
    if ((threadIdx.x & 31) == 31) s[w] = v; __syncthreads();
    int b = base, all = 0; for (int j = 0; j < 16; j++) { if (j < w) b += s[j]; all += s[j]; }
    if (i < hi) y[i] = v + b; __syncthreads(); if (!threadIdx.x) base += all; __syncthreads();
  }
}
