// desc: every block has bins of its own in global memory, plain atomics there, then summed
// plan: scratch float h[64*bins];
// plan: fill(h, 0);
// plan: add<<<ceil_div(n,1024), 256>>>(n, bins, key, v, h);
// plan: sum<<<ceil_div(bins,128), 128>>>(bins, h, s);
__global__ void add(int n, int bins, const int *key, const float *v, float *h) { for (int k = 0; k < 4; k++) { int i = blockIdx.x * 1024 + k * 256 + threadIdx.x; if (i < n) atomicAdd(&h[(blockIdx.x & 63) * bins + key[i]], v[i]); } }
__global__ void sum(int bins, const float *h, float *s) { int b = blockIdx.x * 128 + threadIdx.x; float a = 0; for (int k = 0; k < 64; k++) a += h[k * bins + b]; s[b] = a; }
