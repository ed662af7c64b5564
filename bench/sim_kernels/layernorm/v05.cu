// desc: three kernels: mean, variance (block per row), normalise (thread per element)
// plan: scratch float mu[m];
// plan: scratch float rs[m];
// plan: mean<<<m, 128>>>(n, x, mu);
// plan: var<<<m, 128>>>(n, x, mu, rs);
// plan: normal<<<ceil_div(m*n,256), 256>>>(m*n, n, x, g, b, mu, rs, y);
__device__ float tree(float v) { __shared__ float s[128]; int t = threadIdx.x; s[t] = v; __syncthreads(); for (int k = 64; k; k >>= 1) { if (t < k) s[t] += s[t + k]; __syncthreads(); } return s[0]; }
__global__ void mean(int n, const float *x, float *mu) { float v = 0; for (int j = threadIdx.x; j < n; j += 128) v += x[blockIdx.x * n + j]; v = tree(v); if (!threadIdx.x) mu[blockIdx.x] = v / n; }
__global__ void var(int n, const float *x, const float *mu, float *rs) { float v = 0, a = mu[blockIdx.x]; for (int j = threadIdx.x; j < n; j += 128) { float d = x[blockIdx.x * n + j] - a; v += d * d; } v = tree(v); if (!threadIdx.x) rs[blockIdx.x] = rsqrtf(v / n + 1e-5f); }
__global__ void normal(int N, int n, const float *x, const float *g, const float *b, const float *mu, const float *rs, float *y) { int i = blockIdx.x * 256 + threadIdx.x; if (i < N) { int r = i / n, j = i % n; y[i] = (x[i] - mu[r]) * rs[r] * g[j] + b[j]; } }
