// desc: warp per row, row in registers, shuffles, 8 rows a block
// plan: ln<<<ceil_div(m,8), 256>>>(m, n, x, g, b, y);
__device__ float ws(float v) { for (int o = 16; o; o >>= 1) v += __shfl_xor_sync(0xffffffffu, v, o); return v; }
__global__ void ln(int m, int n, const float *__restrict__ x, const float *__restrict__ g, const float *__restrict__ b, float *__restrict__ y) {
  int row = (blockIdx.x * 256 + threadIdx.x) / 32, l = threadIdx.x & 31; if (row >= m) return; float v[24], s = 0;
#pragma unroll
  for (int k = 0; k < 24; k++) { v[k] = x[row * 768 + k * 32 + l]; s += v[k]; }
  float mu = ws(s) / 768; s = 0;
#pragma unroll
  for (int k = 0; k < 24; k++) s += (v[k] - mu) * (v[k] - mu);
  float r = rsqrtf(ws(s) / 768 + 1e-5f);
#pragma unroll
  for (int k = 0; k < 24; k++) y[row * 768 + k * 32 + l] = (v[k] - mu) * r * g[k * 32 + l] + b[k * 32 + l]; }
