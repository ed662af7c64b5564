// desc: each thread owns 32 consecutive elements (uncoalesced)
// plan: fill(s, 0);
// plan: add<<<n/32/128, 128>>>(n, key, v, s);
__global__ void add(int n, const int *key, const float *v, float *s) { int i0 = (blockIdx.x * 128 + threadIdx.x) * 32; for (int k = 0; k < 32; k++) atomicAdd(&s[key[i0 + k]], v[i0 + k]); }
