// desc: scores to global memory (thread per score), softmax, weighted sum: three kernels
// plan: scratch float s[h*n*n];
// plan: score<<<dim3(n/32,n/8,h), dim3(32,8)>>>(n, q, k, s);
// plan: soft<<<h*n, 128>>>(n, s);
// plan: mix<<<dim3(n/4,h), dim3(64,4)>>>(n, s, v, o);
__global__ void score(int n, const float *q, const float *k, float *s) { int j = blockIdx.x * 32 + threadIdx.x, i = blockIdx.y * 8 + threadIdx.y, b = blockIdx.z; const float *Q = q + (b * n + i) * 64, *K = k + (b * n + j) * 64; float a = 0; for (int d = 0; d < 64; d++) a += Q[d] * K[d]; s[(b * n + i) * n + j] = a * 0.125f; }
__global__ void soft(int n, float *s) { __shared__ float r[128]; int t = threadIdx.x; s += blockIdx.x * n; float m = -1e30f; for (int j = t; j < n; j += 128) m = fmaxf(m, s[j]); r[t] = m; __syncthreads(); for (int k = 64; k; k >>= 1) { if (t < k) r[t] = fmaxf(r[t], r[t + k]); __syncthreads(); } m = r[0]; __syncthreads();
  float a = 0; for (int j = t; j < n; j += 128) { float e = __expf(s[j] - m); s[j] = e; a += e; } r[t] = a; __syncthreads(); for (int k = 64; k; k >>= 1) { if (t < k) r[t] += r[t + k]; __syncthreads(); } a = 1 / r[0]; for (int j = t; j < n; j += 128) s[j] *= a; }
__global__ void mix(int n, const float *s, const float *v, float *o) { int d = threadIdx.x, i = blockIdx.x * 4 + threadIdx.y, b = blockIdx.y; float a = 0; for (int j = 0; j < n; j++) a += s[(b * n + i) * n + j] * v[(b * n + j) * 64 + d]; o[(b * n + i) * 64 + d] = a; }
