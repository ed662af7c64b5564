// desc: grid-stride, 132 blocks of 128, one load at a time
// plan: ga<<<132, 128>>>(n, idx, x, y);
__global__ void ga(int n, const int *idx, const float *x, float *y) { for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += 132 * 128) y[i] = 2.f * x[idx[i]]; }
