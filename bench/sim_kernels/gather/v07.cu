// desc: two kernels: gather to scratch, then scale
// plan: scratch float t[n];
// plan: ga<<<ceil_div(n,256), 256>>>(n, idx, x, t);
// plan: sc<<<ceil_div(n,256), 256>>>(n, t, y);
__global__ void ga(int n, const int *idx, const float *x, float *y) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n) y[i] = x[idx[i]]; }
__global__ void sc(int n, const float *x, float *y) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n) y[i] = 2.f * x[i]; }
