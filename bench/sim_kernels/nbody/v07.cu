// desc: fp64 arithmetic, thread per body, 64
// plan: nb<<<ceil_div(n,64), 64>>>(n, px, py, pz, m, ax, ay, az);
__global__ void nb(int n, const float *px, const float *py, const float *pz, const float *m, float *ax, float *ay, float *az) {
  int i = blockIdx.x * 64 + threadIdx.x; if (i >= n) return;
  double x = 0, y = 0, z = 0, a = px[i], b = py[i], c = pz[i];
  for (int j = 0; j < n; j++) {
    double dx = px[j] - a, dy = py[j] - b, dz = pz[j] - c, r2 = dx * dx + dy * dy + dz * dz + 0.01, q = rsqrt(r2), f = m[j] * q * q * q;
    x += f * dx; y += f * dy; z += f * dz;
  }
  ax[i] = x; ay[i] = y; az[i] = z;
}
