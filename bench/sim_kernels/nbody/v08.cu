// desc: powf(r2, -1.5), shared tiles, 256
// plan: nb<<<ceil_div(n,256), 256>>>(n, px, py, pz, m, ax, ay, az);
__global__ void nb(int n, const float *px, const float *py, const float *pz, const float *m, float *ax, float *ay, float *az) {
  __shared__ float sx[256], sy[256], sz[256], sm[256];
  int t = threadIdx.x, i = blockIdx.x * 256 + t; float x = 0, y = 0, z = 0, a = px[i], b = py[i], c = pz[i];
  for (int j0 = 0; j0 < n; j0 += 256) {
    sx[t] = px[j0 + t]; sy[t] = py[j0 + t]; sz[t] = pz[j0 + t]; sm[t] = m[j0 + t]; __syncthreads();
    for (int k = 0; k < 256; k++) { float dx = sx[k] - a, dy = sy[k] - b, dz = sz[k] - c, f = sm[k] * powf(dx * dx + dy * dy + dz * dz + 0.01f, -1.5f);
      x += f * dx; y += f * dy; z += f * dz; }
    __syncthreads();
  }
  ax[i] = x; ay[i] = y; az[i] = z;
}
