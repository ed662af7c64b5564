// desc: shared tiles, 64 threads, j split in 8 with atomics
// plan: fill(ax, 0);
// plan: fill(ay, 0);
// plan: fill(az, 0);
// plan: nb<<<dim3(ceil_div(n,64),8), 64>>>(n, px, py, pz, m, ax, ay, az);
__global__ void nb(int n, const float *px, const float *py, const float *pz, const float *m, float *ax, float *ay, float *az) {
  __shared__ float4 s[64];
  int i = blockIdx.x * 64 + threadIdx.x; float x = 0, y = 0, z = 0, a = px[i], b = py[i], c = pz[i];
  for (int j0 = blockIdx.y * (n / 8); j0 < (blockIdx.y + 1) * (n / 8); j0 += 64) {
    int j = j0 + threadIdx.x; s[threadIdx.x] = make_float4(px[j], py[j], pz[j], m[j]); __syncthreads();
#pragma unroll
    for (int k = 0; k < 64; k++) { float4 v = s[k]; float dx = v.x - a, dy = v.y - b, dz = v.z - c, r2 = dx * dx + dy * dy + dz * dz + 0.01f, q = rsqrtf(r2), f = v.w * q * q * q;
      x += f * dx; y += f * dy; z += f * dz; }
    __syncthreads();
  }
  atomicAdd(&ax[i], x); atomicAdd(&ay[i], y); atomicAdd(&az[i], z);
}
