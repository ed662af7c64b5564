// desc: 264 persistent blocks of 256, row in shared memory, float sums with atomics in shared memory
// plan: ln<<<264, 256>>>(m, n, x, g, b, y);
__global__ void ln(int m, int n, const float *__restrict__ x, const float *__restrict__ g, const float *__restrict__ b, float *__restrict__ y) {
  __shared__ float r[768], s[2]; int t = threadIdx.x;
  for (int i = blockIdx.x; i < m; i += 264) {
    if (t < 2) s[t] = 0; float v = 0; for (int j = t; j < 768; j += 256) { float u = x[i * 768 + j]; r[j] = u; v += u; } __syncthreads(); for (int o = 16; o; o >>= 1) v += __shfl_xor_sync(0xffffffffu, v, o); if (!(t & 31)) atomicAdd(&s[0], v); __syncthreads();
    float mu = s[0] / 768; v = 0; for (int j = t; j < 768; j += 256) v += (r[j] - mu) * (r[j] - mu); for (int o = 16; o; o >>= 1) v += __shfl_xor_sync(0xffffffffu, v, o); if (!(t & 31)) atomicAdd(&s[1], v); __syncthreads();
    float q = rsqrtf(s[1] / 768 + 1e-5f); for (int j = t; j < 768; j += 256) y[i * 768 + j] = (r[j] - mu) * q * g[j] + b[j]; __syncthreads();
  }
}
