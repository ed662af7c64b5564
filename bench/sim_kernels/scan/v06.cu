// desc: log n passes over global memory
// plan: scratch int t[n];
// plan: first<<<ceil_div(n,256), 256>>>(n, x, y);
// plan: for (int k = 2; k < n; k *= 2) { step<<<ceil_div(n,256), 256>>>(n, k, y, t); swap(y, t); }
__global__ void first(int n, const int *x, int *y) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n) y[i] = x[i] + (i ? x[i - 1] : 0); }
__global__ void step(int n, int k, const int *a, int *b) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n) b[i] = a[i] + (i >= k ? a[i - k] : 0); }
