// desc: value and place packed into 64 bits, atomicMax for every element on its row
// plan: scratch unsigned long long k[m];
// plan: fill(k, 0);
// plan: am<<<dim3(n/256,m), 256>>>(n, x, k);
// plan: out<<<ceil_div(m,256), 256>>>(m, k, at);
__device__ unsigned long long pack(float v, int j) { unsigned b = __float_as_uint(v); b = b >> 31 ? ~b : b | 0x80000000u; return (unsigned long long)b << 32 | (unsigned)~j; }
__global__ void am(int n, const float *x, unsigned long long *k) { int j = blockIdx.x * 256 + threadIdx.x; atomicMax(&k[blockIdx.y], pack(x[(long)blockIdx.y * n + j], j)); }
__global__ void out(int m, const unsigned long long *k, int *at) { int i = blockIdx.x * 256 + threadIdx.x; if (i < m) at[i] = (int)~(unsigned)k[i]; }
