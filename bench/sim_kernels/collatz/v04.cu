// desc: grid-stride, 132 blocks of 256
// plan: col<<<132, 256>>>(n, x, y);
__global__ void col(int n, const int *x, int *y) { for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += 132 * 256) { unsigned long long v = x[i]; int c = 0; while (v != 1) { v = v & 1 ? 3 * v + 1 : v >> 1; c++; } y[i] = c; } }
