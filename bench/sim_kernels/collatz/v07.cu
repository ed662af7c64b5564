// desc: table of the first 4096 counts in shared memory, 512 threads, grid-stride
// plan: scratch short tab[4096];
// plan: fillt<<<16, 256>>>(tab);
// plan: col<<<528, 512>>>(n, x, tab, y);
__global__ void fillt(short *tab) { int i = blockIdx.x * 256 + threadIdx.x; unsigned long long v = i; int c = 0; if (i) while (v != 1) { v = v & 1 ? 3 * v + 1 : v >> 1; c++; } tab[i] = c; }
__global__ void col(int n, const int *x, const short *tab, int *y) {
  __shared__ short s[4096]; for (int k = threadIdx.x; k < 4096; k += 512) s[k] = tab[k]; __syncthreads();
  for (int i = blockIdx.x * 512 + threadIdx.x; i < n; i += gridDim.x * 512) { unsigned long long v = x[i]; int c = 0; while (v >= 4096) { v = v & 1 ? 3 * v + 1 : v >> 1; c++; } y[i] = c + s[v]; } }
