// desc: blocks of 32, 64-bit
// plan: col<<<ceil_div(n,32), 32>>>(n, x, y);
__global__ void col(int n, const int *x, int *y) { int i = blockIdx.x * 32 + threadIdx.x; if (i >= n) return; unsigned long long v = x[i]; int c = 0; while (v != 1) { if (v & 1) v = 3 * v + 1; else v /= 2; c++; } y[i] = c; }
