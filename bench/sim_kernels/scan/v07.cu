// desc: one block of 1024 walks over everything
// plan: scan<<<1, 1024>>>(n, x, y);
__device__ int wscan(int v) { for (int o = 1; o < 32; o *= 2) { int a = __shfl_up_sync(0xffffffffu, v, o); if ((threadIdx.x & 31) >= o) v += a; } return v; }
__global__ void scan(int n, const int *x, int *y) {
  __shared__ int s[32]; int base = 0, t = threadIdx.x, w = t >> 5, l = t & 31;
  for (int i = t; i < n / 4; i += 1024) {
    int4 v = ((const int4 *)x)[i]; v.y += v.x; v.z += v.y; v.w += v.z; int sum = wscan(v.w);
    if (l == 31) s[w] = sum; __syncthreads(); if (!w) s[l] = wscan(s[l]); __syncthreads();
    int a = base + (w ? s[w - 1] : 0) + sum - v.w; ((int4 *)y)[i] = make_int4(v.x + a, v.y + a, v.z + a, v.w + a); base += s[31]; __syncthreads();
  }
}
