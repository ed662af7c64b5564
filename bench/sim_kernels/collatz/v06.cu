// desc: one warp per block takes work from a counter, 132x16 blocks of 128
// plan: scratch int next[1];
// plan: fill(next, 0);
// plan: col<<<2112, 128>>>(n, x, y, next);
__global__ void col(int n, const int *x, int *y, int *next) {
  for (;;) { int b; if (!(threadIdx.x & 31)) b = atomicAdd(next, 32); int i = __shfl_sync(0xffffffffu, b, 0) + (threadIdx.x & 31); if (i >= n) return;
    unsigned long long v = x[i]; int c = 0; while (v != 1) { v = v & 1 ? 3 * v + 1 : v >> 1; c++; } y[i] = c; } }
