// desc: warp per row, 1024-thread blocks, three reads of x, no registers
// plan: ln<<<ceil_div(m,32), 1024>>>(m, n, x, g, b, y);
__device__ float ws(float v) { for (int o = 16; o; o >>= 1) v += __shfl_xor_sync(0xffffffffu, v, o); return v; }
__global__ void ln(int m, int n, const float *x, const float *g, const float *b, float *y) {
  int row = (blockIdx.x * 1024 + threadIdx.x) / 32, l = threadIdx.x & 31; if (row >= m) return; x += row * n; y += row * n; float s = 0; for (int j = l; j < n; j += 32) s += x[j]; float mu = ws(s) / n; s = 0; for (int j = l; j < n; j += 32) s += (x[j] - mu) * (x[j] - mu);
  float r = 1.f / sqrtf(ws(s) / n + 1e-5f); for (int j = l; j < n; j += 32) y[j] = (x[j] - mu) * r * g[j] + b[j]; }
