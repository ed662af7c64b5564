// desc: a launch for every step, thread per element
// plan: copy(y, x);
// plan: for (int k = 2; k <= n; k *= 2) for (int j = k / 2; j > 0; j /= 2) step<<<n/256, 256>>>(j, k, y);
__global__ void step(int j, int k, int *y) { int i = blockIdx.x * 256 + threadIdx.x, o = i ^ j; if (o > i) { int a = y[i], b = y[o]; if (((i & k) == 0) == (a > b)) { y[i] = b; y[o] = a; } } }
