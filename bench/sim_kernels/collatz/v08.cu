// desc: each thread 16 consecutive numbers, 64 threads
// plan: col<<<n/16/64, 64>>>(n, x, y);
__global__ void col(int n, const int *x, int *y) { int i0 = (blockIdx.x * 64 + threadIdx.x) * 16; for (int k = 0; k < 16; k++) { unsigned long long v = x[i0 + k]; int c = 0; while (v != 1) { v = v & 1 ? 3 * v + 1 : v >> 1; c++; } y[i0 + k] = c; } }
