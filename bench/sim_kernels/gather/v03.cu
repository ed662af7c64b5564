// desc: blocks of 32
// plan: ga<<<ceil_div(n,32), 32>>>(n, idx, x, y);
__global__ void ga(int n, const int *idx, const float *x, float *y) { int i = blockIdx.x * 32 + threadIdx.x; if (i < n) y[i] = 2.f * x[idx[i]]; }
