// desc: radix sort, a bit a pass: flags, scan by one block, scatter (20 passes)
// plan: scratch int t[n];
// plan: scratch int c[n/1024];
// plan: copy(t, x);
// plan: for (int b = 0; b < 20; b++) { count<<<n/1024, 1024>>>(b, t, c); one<<<1, 1024>>>(n/1024, c); move<<<n/1024, 1024>>>(n, b, t, c, y); swap(t, y); }
// plan: copy(y, t);
__global__ void count(int b, const int *x, int *c) { int z = __syncthreads_count(!(x[blockIdx.x * 1024 + threadIdx.x] >> b & 1)); if (!threadIdx.x) c[blockIdx.x] = z; }
__global__ void one(int m, int *c) { __shared__ int s[1024]; int t = threadIdx.x, v = t < m ? c[t] : 0; s[t] = v; __syncthreads(); for (int o = 1; o < 1024; o *= 2) { int a = t >= o ? s[t - o] : 0; __syncthreads(); s[t] += a; __syncthreads(); } if (t < m) c[t] = s[t]; }
__global__ void move(int n, int b, const int *x, const int *c, int *y) {
  __shared__ int s[32]; int t = threadIdx.x, i = blockIdx.x * 1024 + t, v = x[i], z = !(v >> b & 1); unsigned q = __ballot_sync(0xffffffffu, z); int r = __popc(q & ((1u << (t & 31)) - 1)); if (!(t & 31)) s[t >> 5] = __popc(q); __syncthreads();
  int before = r; for (int k = 0; k < t / 32; k++) before += s[k]; int zeros = before + (blockIdx.x ? c[blockIdx.x - 1] : 0), all = c[n / 1024 - 1]; y[z ? zeros : all + i - zeros] = v; }
