// desc: thread per body, global reads, division and sqrtf
// plan: nb<<<ceil_div(n,256), 256>>>(n, px, py, pz, m, ax, ay, az);
__global__ void nb(int n, const float *px, const float *py, const float *pz, const float *m, float *ax, float *ay, float *az) {
  int i = blockIdx.x * 256 + threadIdx.x; if (i >= n) return;
  float x = 0, y = 0, z = 0, a = px[i], b = py[i], c = pz[i];
  for (int j = 0; j < n; j++) {
    float dx = px[j] - a, dy = py[j] - b, dz = pz[j] - c, r2 = dx * dx + dy * dy + dz * dz + 0.01f, f = m[j] / (r2 * sqrtf(r2));
    x += f * dx; y += f * dy; z += f * dz;
  }
  ax[i] = x; ay[i] = y; az[i] = z;
}
