// desc: a launch for every step, thread per pair
// plan: copy(y, x);
// plan: for (int k = 2; k <= n; k *= 2) for (int j = k / 2; j > 0; j /= 2) step<<<n/512, 256>>>(j, k, y);
__global__ void step(int j, int k, int *y) { int t = blockIdx.x * 256 + threadIdx.x, i = (t & ~(j - 1)) * 2 + (t & (j - 1)), o = i + j; int a = y[i], b = y[o]; if (((i & k) == 0) == (a > b)) { y[i] = b; y[o] = a; } }
