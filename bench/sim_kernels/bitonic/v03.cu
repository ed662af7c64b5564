// desc: first 2048 and the short distances in shared memory, 1024 threads
// plan: copy(y, x);
// plan: local<<<n/2048, 1024>>>(2, 2048, y);
// plan: for (int k = 4096; k <= n; k *= 2) { for (int j = k / 2; j >= 2048; j /= 2) step<<<n/512, 256>>>(j, k, y); local<<<n/2048, 1024>>>(k, k, y); }
__global__ void step(int j, int k, int *y) { int t = blockIdx.x * 256 + threadIdx.x, i = (t & ~(j - 1)) * 2 + (t & (j - 1)), o = i + j; int a = y[i], b = y[o]; if (((i & k) == 0) == (a > b)) { y[i] = b; y[o] = a; } }
__global__ void local(int from, int to, int *y) {
  __shared__ int s[2048]; int t = threadIdx.x, g = blockIdx.x * 2048; s[t] = y[g + t]; s[t + 1024] = y[g + t + 1024];
  for (int k = from; k <= to; k *= 2) for (int j = min(k / 2, 1024); j > 0; j /= 2) { __syncthreads(); int i = (t & ~(j - 1)) * 2 + (t & (j - 1)), a = s[i], b = s[i + j]; if ((((g + i) & k) == 0) == (a > b)) { s[i] = b; s[i + j] = a; } }
  __syncthreads(); y[g + t] = s[t]; y[g + t + 1024] = s[t + 1024];
}
