// desc: counting rank: every element against all others from shared tiles
// plan: rank<<<n/256, 256>>>(n, x, y);
__global__ void rank(int n, const int *__restrict__ x, int *__restrict__ y) {
  __shared__ int s[256]; int i = blockIdx.x * 256 + threadIdx.x, v = x[i], r = 0;
  for (int j0 = 0; j0 < n; j0 += 256) { s[threadIdx.x] = x[j0 + threadIdx.x]; __syncthreads();
#pragma unroll 16
    for (int k = 0; k < 256; k++) r += s[k] < v || (s[k] == v && j0 + k < i); __syncthreads(); }
  y[r] = v; }
