// desc: float atomics, grid-stride with 132 blocks of 64
// plan: fill(s, 0);
// plan: add<<<132, 64>>>(n, key, v, s);
__global__ void add(int n, const int *key, const float *v, float *s) { for (int i = blockIdx.x * 64 + threadIdx.x; i < n; i += 132 * 64) atomicAdd(&s[key[i]], v[i]); }
