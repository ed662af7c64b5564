// desc: one kernel: warp per row, lanes over keys, scores of 1024 keys in registers, then lanes over dimensions
// plan: fa<<<dim3(n/4,h), 128>>>(n, q, k, v, o);
__global__ void fa(int n, const float *__restrict__ q, const float *__restrict__ k, const float *__restrict__ v, float *__restrict__ o) {
  __shared__ float Q[4][64], P[4][32]; int l = threadIdx.x & 31, w = threadIdx.x / 32, i = blockIdx.x * 4 + w, b = blockIdx.y; Q[w][l] = q[(b * n + i) * 64 + l]; Q[w][l + 32] = q[(b * n + i) * 64 + l + 32]; __syncwarp(); float m = -1e30f, z = 0, a0 = 0, a1 = 0;
  for (int j0 = 0; j0 < n; j0 += 32) {
    const float4 *K = (const float4 *)(k + (b * n + j0 + l) * 64); float s = 0;
#pragma unroll
    for (int d = 0; d < 16; d++) { float4 y = K[d]; s += Q[w][d * 4] * y.x + Q[w][d * 4 + 1] * y.y + Q[w][d * 4 + 2] * y.z + Q[w][d * 4 + 3] * y.w; }
    s *= 0.125f; float u = s; for (int e = 16; e; e >>= 1) u = fmaxf(u, __shfl_xor_sync(0xffffffffu, u, e)); u = fmaxf(u, m); float c = __expf(m - u), p = __expf(s - u), t = p; m = u; for (int e = 16; e; e >>= 1) t += __shfl_xor_sync(0xffffffffu, t, e); z = z * c + t; a0 *= c; a1 *= c;
    P[w][l] = p; __syncwarp();
#pragma unroll 8
    for (int j = 0; j < 32; j++) { float r = P[w][j]; a0 += r * v[(b * n + j0 + j) * 64 + l]; a1 += r * v[(b * n + j0 + j) * 64 + l + 32]; } __syncwarp();
  }
  o[(b * n + i) * 64 + l] = a0 / z; o[(b * n + i) * 64 + l + 32] = a1 / z;
}
