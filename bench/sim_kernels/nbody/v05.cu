// desc: two bodies a thread, j split in 16, shared tiles of 128, scratch and a second kernel
// plan: scratch float p[48*n];
// plan: nb<<<dim3(n/256,16), 128>>>(n, px, py, pz, m, p);
// plan: add<<<n/128, 128>>>(n, p, ax, ay, az);
__global__ void nb(int n, const float *__restrict__ px, const float *__restrict__ py, const float *__restrict__ pz, const float *__restrict__ m, float *__restrict__ p) {
  __shared__ float4 s[128];
  int i = blockIdx.x * 256 + threadIdx.x; float3 r[2] = {}, o[2];
  for (int u = 0; u < 2; u++) o[u] = make_float3(px[i + 128 * u], py[i + 128 * u], pz[i + 128 * u]);
  for (int j0 = blockIdx.y * (n / 16); j0 < (blockIdx.y + 1) * (n / 16); j0 += 64) {
    __syncthreads();
    if (threadIdx.x < 64) { int j = j0 + threadIdx.x; s[threadIdx.x] = make_float4(px[j], py[j], pz[j], m[j]); } __syncthreads();
#pragma unroll 8
    for (int k = 0; k < 64; k++) { float4 v = s[k];
#pragma unroll
      for (int u = 0; u < 2; u++) { float dx = v.x - o[u].x, dy = v.y - o[u].y, dz = v.z - o[u].z, r2 = dx * dx + dy * dy + dz * dz + 0.01f, q = rsqrtf(r2), f = v.w * q * q * q;
        r[u].x += f * dx; r[u].y += f * dy; r[u].z += f * dz; } }
  }
  for (int u = 0; u < 2; u++) { p[(blockIdx.y * 3 + 0) * n + i + 128 * u] = r[u].x; p[(blockIdx.y * 3 + 1) * n + i + 128 * u] = r[u].y; p[(blockIdx.y * 3 + 2) * n + i + 128 * u] = r[u].z; }
}
__global__ void add(int n, const float *p, float *ax, float *ay, float *az) {
  int i = blockIdx.x * 128 + threadIdx.x; float x = 0, y = 0, z = 0;
  for (int k = 0; k < 16; k++) { x += p[(k * 3) * n + i]; y += p[(k * 3 + 1) * n + i]; z += p[(k * 3 + 2) * n + i]; }
  ax[i] = x; ay[i] = y; az[i] = z;
}
