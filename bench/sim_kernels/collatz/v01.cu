// desc: 64-bit, branch on parity, 256
// plan: col<<<ceil_div(n,256), 256>>>(n, x, y);
__global__ void col(int n, const int *x, int *y) { int i = blockIdx.x * 256 + threadIdx.x; if (i >= n) return; unsigned long long v = x[i]; int c = 0; while (v != 1) { if (v & 1) v = 3 * v + 1; else v /= 2; c++; } y[i] = c; }
