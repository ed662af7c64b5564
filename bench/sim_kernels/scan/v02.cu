// desc: three kernels, shuffles, 1024 threads, 4 a thread by int4
// plan: scratch int sums[n/4096];
// plan: blocks<<<n/4096, 1024>>>(n, x, y, sums);
// plan: one<<<1, 1024>>>(n/4096, sums);
// plan: add<<<n/4096, 1024>>>(n, sums, y);
__device__ int wscan(int v) { for (int o = 1; o < 32; o *= 2) { int a = __shfl_up_sync(0xffffffffu, v, o); if ((threadIdx.x & 31) >= o) v += a; } return v; }
__device__ int bscan(int v) {
  __shared__ int s[32]; int l = threadIdx.x & 31, w = threadIdx.x >> 5; v = wscan(v);
  if (l == 31) s[w] = v; __syncthreads(); if (!w) s[l] = wscan(s[l]); __syncthreads();
  return v + (w ? s[w - 1] : 0);
}
__global__ void blocks(int n, const int *__restrict__ x, int *__restrict__ y, int *sums) {
  int i = blockIdx.x * 1024 + threadIdx.x; int4 v = ((const int4 *)x)[i]; v.y += v.x; v.z += v.y; v.w += v.z;
  int e = bscan(v.w), b = e - v.w; ((int4 *)y)[i] = make_int4(v.x + b, v.y + b, v.z + b, e);
  if (threadIdx.x == 1023) sums[blockIdx.x] = e;
}
__global__ void one(int m, int *sums) { int v = threadIdx.x < m ? sums[threadIdx.x] : 0, e = bscan(v); if (threadIdx.x < m) sums[threadIdx.x] = e - v; }
__global__ void add(int n, const int *sums, int *y) { int i = blockIdx.x * 1024 + threadIdx.x, b = sums[blockIdx.x]; int4 v = ((int4 *)y)[i]; ((int4 *)y)[i] = make_int4(v.x + b, v.y + b, v.z + b, v.w + b); }
