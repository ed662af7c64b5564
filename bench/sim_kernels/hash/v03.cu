// desc: no table: keys are small enough to count directly, atomics, 256
// plan: scratch int c[n];
// plan: fill(c, 0);
// plan: put<<<ceil_div(n,256), 256>>>(n, key, c);
// plan: get<<<ceil_div(n,256), 256>>>(n, key, c, y);
__global__ void put(int n, const int *key, int *c) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n) atomicAdd(&c[key[i]], 1); }
__global__ void get(int n, const int *key, const int *c, int *y) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n) y[i] = c[key[i]]; }
