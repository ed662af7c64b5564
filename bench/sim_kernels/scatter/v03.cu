// desc: compare-and-swap loop on floats
// plan: fill(s, 0);
// plan: add<<<ceil_div(n,256), 256>>>(n, key, v, s);
__global__ void add(int n, const int *key, const float *v, float *s) { int i = blockIdx.x * 256 + threadIdx.x; if (i >= n) return;
  int *p = (int *)&s[key[i]], old = *p, seen; do { seen = old; old = atomicCAS(p, seen, __float_as_int(__int_as_float(seen) + v[i])); } while (old != seen); }
