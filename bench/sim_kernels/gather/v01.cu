// desc: one element a thread, 256
// plan: ga<<<ceil_div(n,256), 256>>>(n, idx, x, y);
__global__ void ga(int n, const int *idx, const float *x, float *y) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n) y[i] = 2.f * x[idx[i]]; }
