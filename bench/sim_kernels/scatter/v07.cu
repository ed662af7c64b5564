// desc: block per 64 bins reads every key
// plan: add<<<ceil_div(bins,64), 256>>>(n, key, v, s);
__global__ void add(int n, const int *__restrict__ key, const float *__restrict__ v, float *s) {
  __shared__ float h[64]; if (threadIdx.x < 64) h[threadIdx.x] = 0; __syncthreads();
  for (int i = threadIdx.x; i < n; i += 256) { int k = key[i]; if (k / 64 == blockIdx.x) atomicAdd(&h[k & 63], v[i]); }
  __syncthreads(); if (threadIdx.x < 64) s[blockIdx.x * 64 + threadIdx.x] = h[threadIdx.x];
}
