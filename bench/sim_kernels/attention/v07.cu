// desc: block of 128 per query row: scores in shared memory, two trees, then 64 threads sum
// plan: fa<<<dim3(n,h), 128, n*4>>>(n, q, k, v, o);
__global__ void fa(int n, const float *__restrict__ q, const float *__restrict__ k, const float *__restrict__ v, float *o) {
  extern __shared__ float s[]; __shared__ float r[128], Q[64]; int t = threadIdx.x, b = blockIdx.y, i = blockIdx.x; if (t < 64) Q[t] = q[(b * n + i) * 64 + t]; __syncthreads(); float m = -1e30f;
  for (int j = t; j < n; j += 128) { const float4 *K = (const float4 *)(k + (b * n + j) * 64); float a = 0; for (int d = 0; d < 16; d++) { float4 y = K[d]; a += Q[d * 4] * y.x + Q[d * 4 + 1] * y.y + Q[d * 4 + 2] * y.z + Q[d * 4 + 3] * y.w; } s[j] = a * 0.125f; m = fmaxf(m, s[j]); }
  r[t] = m; __syncthreads(); for (int e = 64; e; e >>= 1) { if (t < e) r[t] = fmaxf(r[t], r[t + e]); __syncthreads(); } m = r[0]; __syncthreads(); float a = 0; for (int j = t; j < n; j += 128) { s[j] = expf(s[j] - m); a += s[j]; } r[t] = a; __syncthreads(); for (int e = 64; e; e >>= 1) { if (t < e) r[t] += r[t + e]; __syncthreads(); } float z = r[0]; __syncthreads();
  a = 0; for (int j = t / 64; j < n; j += 2) a += s[j] * v[(b * n + j) * 64 + t % 64]; r[t] = a; __syncthreads(); if (t < 64) o[(b * n + i) * 64 + t] = (r[t] + r[t + 64]) / z; }
