// desc: fp64 atomics into scratch, converted after
// plan: scratch double d[bins];
// plan: fill(d, 0);
// plan: add<<<ceil_div(n,256), 256>>>(n, key, v, d);
// plan: out<<<ceil_div(bins,256), 256>>>(bins, d, s);
__global__ void add(int n, const int *key, const float *v, double *d) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n) atomicAdd(&d[key[i]], (double)v[i]); }
__global__ void out(int bins, const double *d, float *s) { int i = blockIdx.x * 256 + threadIdx.x; if (i < bins) s[i] = d[i]; }
