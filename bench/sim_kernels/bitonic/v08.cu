// desc: shared memory with 64-bit keys of value and place, 512 elements, thread per element
// plan: copy(y, x);
// plan: local<<<n/512, 512>>>(2, 512, y);
// plan: for (int k = 1024; k <= n; k *= 2) { for (int j = k / 2; j >= 512; j /= 2) step<<<n/256, 256>>>(j, k, y); local<<<n/512, 512>>>(k, k, y); }
__global__ void step(int j, int k, int *y) { int i = blockIdx.x * 256 + threadIdx.x, o = i ^ j; if (o > i) { int a = y[i], b = y[o]; if (((i & k) == 0) == (a > b)) { y[i] = b; y[o] = a; } } }
__global__ void local(int from, int to, int *y) {
  __shared__ long long s[512]; int t = threadIdx.x, g = blockIdx.x * 512; s[t] = (long long)y[g + t] << 10 | t;
  for (int k = from; k <= to; k *= 2) for (int j = min(k / 2, 256); j > 0; j /= 2) { __syncthreads(); int o = t ^ j; if (o > t) { long long a = s[t], b = s[o]; if ((((g + t) & k) == 0) == (a > b)) { s[t] = b; s[o] = a; } } }
  __syncthreads(); y[g + t] = (int)(s[t] >> 10);
}
