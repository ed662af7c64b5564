// desc: thread per row
// plan: lse<<<ceil_div(m,256), 256>>>(m, w, len, x, y);
__global__ void lse(int m, int w, const int *len, const float *x, float *y) { int i = blockIdx.x * 256 + threadIdx.x; if (i >= m) return; float s = 1; int n = len[i]; for (int j = 0; j < n; j++) s += expf(x[i * w + j]); y[i] = logf(s); }
