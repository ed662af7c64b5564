// desc: signed division and remainder, 128
// plan: col<<<ceil_div(n,128), 128>>>(n, x, y);
__global__ void col(int n, const int *x, int *y) { int i = blockIdx.x * 128 + threadIdx.x; if (i >= n) return; long long v = x[i]; int c = 0; while (v != 1) { if (v % 2 == 0) v = v / 2; else v = v * 3 + 1; c++; } y[i] = c; }
