// desc: each thread 32 consecutive elements (uncoalesced)
// plan: ga<<<n/32/256, 256>>>(n, idx, x, y);
__global__ void ga(int n, const int *idx, const float *x, float *y) { int i0 = (blockIdx.x * 256 + threadIdx.x) * 32; for (int k = 0; k < 32; k++) y[i0 + k] = 2.f * x[idx[i0 + k]]; }
