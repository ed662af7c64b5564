// desc: 64 rows a block, 256 threads, scores 64x32 by 4x2 register tiles in shared memory
// plan: fa<<<dim3(n/64,h), 256>>>(n, q, k, v, o);
__global__ void __launch_bounds__(256) fa(int n, const float *__restrict__ q, const float *__restrict__ k, const float *__restrict__ v, float *__restrict__ o) {
  __shared__ float Q[64][65], K[32][65], S[64][33]; __shared__ __align__(16) float V[32][64]; __shared__ float M[64], L[64], C[64];
  int t = threadIdx.x, b = blockIdx.y, i0 = blockIdx.x * 64, tx = t % 16, ty = t / 16; float a[4][4] = {};
  for (int e = t; e < 4096; e += 256) Q[e / 64][e % 64] = q[(b * n + i0) * 64 + e]; if (t < 64) { M[t] = -1e30f; L[t] = 0; }
  for (int j0 = 0; j0 < n; j0 += 32) {
    __syncthreads(); for (int e = t; e < 2048; e += 256) { K[e / 64][e % 64] = k[(b * n + j0) * 64 + e]; V[e / 64][e % 64] = v[(b * n + j0) * 64 + e]; } __syncthreads();
    float s[4][2] = {};
#pragma unroll 16
    for (int d = 0; d < 64; d++) { float y0 = K[tx][d], y1 = K[tx + 16][d];
#pragma unroll
      for (int r = 0; r < 4; r++) { float x = Q[ty * 4 + r][d]; s[r][0] += x * y0; s[r][1] += x * y1; } }
#pragma unroll
    for (int r = 0; r < 4; r++) { S[ty * 4 + r][tx] = s[r][0] * 0.125f; S[ty * 4 + r][tx + 16] = s[r][1] * 0.125f; }
    __syncthreads();
    if (t < 64) { float m = M[t], w = m, z = 0; for (int j = 0; j < 32; j++) w = fmaxf(w, S[t][j]); for (int j = 0; j < 32; j++) { float p = __expf(S[t][j] - w); S[t][j] = p; z += p; } C[t] = __expf(m - w); L[t] = L[t] * C[t] + z; M[t] = w; }
    __syncthreads();
#pragma unroll
    for (int r = 0; r < 4; r++) { float c = C[ty * 4 + r]; for (int u = 0; u < 4; u++) a[r][u] *= c; }
#pragma unroll 8
    for (int j = 0; j < 32; j++) { float4 y = *(float4 *)&V[j][tx * 4];
#pragma unroll
      for (int r = 0; r < 4; r++) { float p = S[ty * 4 + r][j]; a[r][0] += p * y.x; a[r][1] += p * y.y; a[r][2] += p * y.z; a[r][3] += p * y.w; } }
  }
  for (int r = 0; r < 4; r++) { float z = 1 / L[ty * 4 + r]; *(float4 *)&o[(b * n + i0 + ty * 4 + r) * 64 + tx * 4] = make_float4(a[r][0] * z, a[r][1] * z, a[r][2] * z, a[r][3] * z); }
}
