// desc: float atomics, one element a thread, 256
// plan: fill(s, 0);
// plan: add<<<ceil_div(n,256), 256>>>(n, key, v, s);
__global__ void add(int n, const int *key, const float *v, float *s) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n) atomicAdd(&s[key[i]], v[i]); }
