// desc: scores by a tiled product (32x32 shared), softmax by warps, weighted sum by a tiled product
// plan: scratch float s[h*n*n];
// plan: score<<<dim3(n/32,n/32,h), dim3(32,8)>>>(n, q, k, s);
// plan: soft<<<h*n/8, 256>>>(n, s);
// plan: mix<<<dim3(n/32,h), dim3(64,8)>>>(n, s, v, o);
__global__ void score(int n, const float *q, const float *k, float *s) { __shared__ float Q[32][65], K[32][65]; int x = threadIdx.x, y = threadIdx.y, i0 = blockIdx.y * 32, j0 = blockIdx.x * 32, b = blockIdx.z;
  for (int r = y; r < 32; r += 8) for (int d = x; d < 64; d += 32) { Q[r][d] = q[(b * n + i0 + r) * 64 + d]; K[r][d] = k[(b * n + j0 + r) * 64 + d]; } __syncthreads(); float a[4] = {};
#pragma unroll 8
  for (int d = 0; d < 64; d++) for (int r = 0; r < 4; r++) a[r] += Q[y + 8 * r][d] * K[x][d];
  for (int r = 0; r < 4; r++) s[(b * n + i0 + y + 8 * r) * n + j0 + x] = a[r] * 0.125f; }
__global__ void soft(int n, float *s) { int l = threadIdx.x & 31; s += (blockIdx.x * 8 + threadIdx.x / 32) * n; float m = -1e30f, a = 0; for (int j = l; j < n; j += 32) m = fmaxf(m, s[j]); for (int e = 16; e; e >>= 1) m = fmaxf(m, __shfl_xor_sync(0xffffffffu, m, e)); for (int j = l; j < n; j += 32) a += __expf(s[j] - m); for (int e = 16; e; e >>= 1) a += __shfl_xor_sync(0xffffffffu, a, e); a = 1 / a; for (int j = l; j < n; j += 32) s[j] = __expf(s[j] - m) * a; }
__global__ void mix(int n, const float *s, const float *v, float *o) { __shared__ float S[32][33], V[32][64]; int x = threadIdx.x, y = threadIdx.y, t = y * 64 + x, i0 = blockIdx.x * 32, b = blockIdx.y; float a[4] = {};
  for (int j0 = 0; j0 < n; j0 += 32) { for (int e = t; e < 1024; e += 512) S[e / 32][e % 32] = s[(b * n + i0 + e / 32) * n + j0 + e % 32]; for (int r = y; r < 32; r += 8) V[r][x] = v[(b * n + j0 + r) * 64 + x]; __syncthreads();
#pragma unroll 8
    for (int j = 0; j < 32; j++) for (int r = 0; r < 4; r++) a[r] += S[y + 8 * r][j] * V[j][x]; __syncthreads(); }
  for (int r = 0; r < 4; r++) o[(b * n + i0 + y + 8 * r) * 64 + x] = a[r]; }
