// desc: one kernel: warp per query row, two dimensions a lane, shuffles for every key
// plan: fa<<<dim3(n/8,h), 256>>>(n, q, k, v, o);
__global__ void fa(int n, const float2 *__restrict__ q, const float2 *__restrict__ k, const float2 *__restrict__ v, float2 *__restrict__ o) {
  int l = threadIdx.x & 31, i = blockIdx.x * 8 + threadIdx.x / 32, b = blockIdx.y; float2 x = q[(b * n + i) * 32 + l], a = make_float2(0, 0); float m = -1e30f, z = 0;
  for (int j = 0; j < n; j++) { float2 y = k[(b * n + j) * 32 + l]; float s = x.x * y.x + x.y * y.y; for (int e = 16; e; e >>= 1) s += __shfl_xor_sync(0xffffffffu, s, e);
    s *= 0.125f; float w = fmaxf(m, s), c = __expf(m - w), p = __expf(s - w); m = w; z = z * c + p; y = v[(b * n + j) * 32 + l]; a.x = a.x * c + p * y.x; a.y = a.y * c + p * y.y; }
  o[(b * n + i) * 32 + l] = make_float2(a.x / z, a.y / z);
}
