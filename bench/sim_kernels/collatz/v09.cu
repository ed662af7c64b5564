// desc: in double precision
// plan: col<<<ceil_div(n,256), 256>>>(n, x, y);
__global__ void col(int n, const int *x, int *y) { int i = blockIdx.x * 256 + threadIdx.x; if (i >= n) return; double v = x[i]; int c = 0; while (v != 1) { double h = 0.5 * v; v = h == floor(h) ? h : 3 * v + 1; c++; } y[i] = c; }
