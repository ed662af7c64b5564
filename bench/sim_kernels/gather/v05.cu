// desc: grid-stride, 264 blocks of 1024, unrolled by 4
// plan: ga<<<264, 1024>>>(n, idx, x, y);
__global__ void ga(int n, const int *__restrict__ idx, const float *__restrict__ x, float *__restrict__ y) {
#pragma unroll 4
  for (int i = blockIdx.x * 1024 + threadIdx.x; i < n; i += 264 * 1024) y[i] = 2.f * x[idx[i]]; }
