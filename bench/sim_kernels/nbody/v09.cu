// desc: one block of 128 a multiprocessor, grid-stride over bodies in pairs
// plan: nb<<<132, 128>>>(n, px, py, pz, m, ax, ay, az);
__global__ void nb(int n, const float *__restrict__ px, const float *__restrict__ py, const float *__restrict__ pz, const float *__restrict__ m, float *ax, float *ay, float *az) {
  for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += 132 * 128) {
    float x = 0, y = 0, z = 0, a = px[i], b = py[i], c = pz[i];
#pragma unroll 4
    for (int j = 0; j < n; j++) { float dx = px[j] - a, dy = py[j] - b, dz = pz[j] - c, r2 = dx * dx + dy * dy + dz * dz + 0.01f, q = rsqrtf(r2), f = m[j] * q * q * q;
      x += f * dx; y += f * dy; z += f * dz; }
    ax[i] = x; ay[i] = y; az[i] = z;
  }
}
