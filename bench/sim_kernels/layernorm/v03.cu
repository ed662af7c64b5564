// desc: warp per row, float4 in registers, 4 rows a block
// plan: ln<<<ceil_div(m,4), 128>>>(m, n, x, g, b, y);
__device__ float ws(float v) { for (int o = 16; o; o >>= 1) v += __shfl_xor_sync(0xffffffffu, v, o); return v; }
__global__ void ln(int m, int n, const float4 *__restrict__ x, const float4 *__restrict__ g, const float4 *__restrict__ b, float4 *__restrict__ y) {
  int row = (blockIdx.x * 128 + threadIdx.x) / 32, l = threadIdx.x & 31; if (row >= m) return; float4 v[6]; float s = 0, q = 0;
#pragma unroll
  for (int k = 0; k < 6; k++) { v[k] = x[row * 192 + k * 32 + l]; s += v[k].x + v[k].y + v[k].z + v[k].w; }
  float mu = ws(s) / 768;
#pragma unroll
  for (int k = 0; k < 6; k++) { v[k].x -= mu; v[k].y -= mu; v[k].z -= mu; v[k].w -= mu; q += v[k].x * v[k].x + v[k].y * v[k].y + v[k].z * v[k].z + v[k].w * v[k].w; }
  float r = rsqrtf(ws(q) / 768 + 1e-5f);
#pragma unroll
  for (int k = 0; k < 6; k++) { float4 a = g[k * 32 + l], c = b[k * 32 + l]; y[row * 192 + k * 32 + l] = make_float4(v[k].x * r * a.x + c.x, v[k].y * r * a.y + c.y, v[k].z * r * a.z + c.z, v[k].w * r * a.w + c.w); } }
