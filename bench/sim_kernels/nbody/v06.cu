// desc: warp per body, lanes over j, shuffles
// plan: nb<<<ceil_div(n,8), 256>>>(n, px, py, pz, m, ax, ay, az);
__global__ void nb(int n, const float *px, const float *py, const float *pz, const float *m, float *ax, float *ay, float *az) {
  int i = (blockIdx.x * 256 + threadIdx.x) / 32, l = threadIdx.x & 31; float x = 0, y = 0, z = 0, a = px[i], b = py[i], c = pz[i];
  for (int j = l; j < n; j += 32) { float dx = px[j] - a, dy = py[j] - b, dz = pz[j] - c, r2 = dx * dx + dy * dy + dz * dz + 0.01f, q = rsqrtf(r2), f = m[j] * q * q * q;
    x += f * dx; y += f * dy; z += f * dz; }
  for (int o = 16; o; o >>= 1) { x += __shfl_down_sync(0xffffffffu, x, o); y += __shfl_down_sync(0xffffffffu, y, o); z += __shfl_down_sync(0xffffffffu, z, o); }
  if (!l) { ax[i] = x; ay[i] = y; az[i] = z; }
}
