// desc: fp64 multiply, 1024 threads, staged in shared memory with a barrier
// plan: ga<<<ceil_div(n,1024), 1024>>>(n, idx, x, y);
__global__ void ga(int n, const int *idx, const float *x, float *y) { __shared__ double s[1024]; int i = blockIdx.x * 1024 + threadIdx.x; s[threadIdx.x] = i < n ? 2.0 * x[idx[i]] : 0; __syncthreads(); if (i < n) y[i] = s[threadIdx.x]; }
