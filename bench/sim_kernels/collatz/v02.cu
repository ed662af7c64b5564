// desc: odd steps taken with the halving after them, trailing zeros counted, 64-bit
// plan: col<<<ceil_div(n,256), 256>>>(n, x, y);
__global__ void col(int n, const int *x, int *y) { int i = blockIdx.x * 256 + threadIdx.x; if (i >= n) return; unsigned long long v = x[i]; int z = __ffsll(v) - 1, c = z; v >>= z; while (v != 1) { v = 3 * v + 1; z = __ffsll(v) - 1; v >>= z; c += z + 1; } y[i] = c; }
