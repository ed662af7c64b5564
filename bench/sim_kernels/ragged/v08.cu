// desc: warps take rows in turn, 132x2 blocks of 512
// plan: lse<<<264, 512>>>(m, w, len, x, y);
__global__ void lse(int m, int w, const int *len, const float *x, float *y) { int l = threadIdx.x & 31; for (int i = (blockIdx.x * 512 + threadIdx.x) / 32; i < m; i += 264 * 16) { float s = 0; int n = len[i]; for (int j = l; j < n; j += 32) s += expf(x[i * w + j]); for (int o = 16; o; o >>= 1) s += __shfl_down_sync(0xffffffffu, s, o); if (!l) y[i] = logf(1 + s); } }
