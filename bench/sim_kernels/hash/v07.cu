// desc: counted directly in sixteen passes over ranges of keys that stay in L2, blocks of 1024
// plan: scratch int c[n];
// plan: fill(c, 0);
// plan: for (int p = 0; p < 16; p++) put<<<ceil_div(n,1024), 1024>>>(n, p*(n/16), (p+1)*(n/16), key, c);
// plan: get<<<ceil_div(n,1024), 1024>>>(n, key, c, y);
__global__ void put(int n, int lo, int hi, const int *key, int *c) { int i = blockIdx.x * 1024 + threadIdx.x; if (i < n && key[i] >= lo && key[i] < hi) atomicAdd(&c[key[i]], 1); }
__global__ void get(int n, const int *key, const int *c, int *y) { int i = blockIdx.x * 1024 + threadIdx.x; if (i < n) y[i] = c[key[i]]; }
