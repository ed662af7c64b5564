// desc: shared tiles of float4, 256 threads, rsqrtf
// plan: nb<<<ceil_div(n,256), 256>>>(n, px, py, pz, m, ax, ay, az);
__global__ void nb(int n, const float *px, const float *py, const float *pz, const float *m, float *ax, float *ay, float *az) {
  __shared__ float4 s[256];
  int i = blockIdx.x * 256 + threadIdx.x; float x = 0, y = 0, z = 0, a = px[i], b = py[i], c = pz[i];
  for (int j0 = 0; j0 < n; j0 += 256) {
    int j = j0 + threadIdx.x; s[threadIdx.x] = make_float4(px[j], py[j], pz[j], m[j]); __syncthreads();
#pragma unroll 8
    for (int k = 0; k < 256; k++) { float4 v = s[k]; float dx = v.x - a, dy = v.y - b, dz = v.z - c, r2 = dx * dx + dy * dy + dz * dz + 0.01f, q = rsqrtf(r2), f = v.w * q * q * q;
      x += f * dx; y += f * dy; z += f * dz; }
    __syncthreads();
  }
  ax[i] = x; ay[i] = y; az[i] = z;
}
