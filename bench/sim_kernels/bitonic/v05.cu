// desc: launches for the long distances, shuffles inside a warp for the short ones
// plan: copy(y, x);
// plan: for (int k = 2; k <= n; k *= 2) { for (int j = k / 2; j >= 32; j /= 2) step<<<n/512, 256>>>(j, k, y); warp<<<n/256, 256>>>(k, y); }
__global__ void step(int j, int k, int *y) { int t = blockIdx.x * 256 + threadIdx.x, i = (t & ~(j - 1)) * 2 + (t & (j - 1)), o = i + j; int a = y[i], b = y[o]; if (((i & k) == 0) == (a > b)) { y[i] = b; y[o] = a; } }
__global__ void warp(int k, int *y) { int i = blockIdx.x * 256 + threadIdx.x, v = y[i]; for (int j = min(k / 2, 16); j > 0; j /= 2) { int o = __shfl_xor_sync(0xffffffffu, v, j); v = (((i & k) == 0) == ((i & j) == 0)) ? min(v, o) : max(v, o); } y[i] = v; }
