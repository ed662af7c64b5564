// desc: warp per row in fp64
// plan: lse<<<ceil_div(m,4), 128>>>(m, w, len, x, y);
__global__ void lse(int m, int w, const int *len, const float *x, float *y) { int i = (blockIdx.x * 128 + threadIdx.x) / 32, l = threadIdx.x & 31; if (i >= m) return; double s = 0; int n = len[i]; for (int j = l; j < n; j += 32) s += exp((double)x[i * w + j]); for (int o = 16; o; o >>= 1) s += __shfl_down_sync(0xffffffffu, s, o); if (!l) y[i] = log(1 + s); }
