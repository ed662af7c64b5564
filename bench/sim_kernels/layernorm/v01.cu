// desc: block of 256 per row, two shared trees, three reads of x
// plan: ln<<<m, 256>>>(n, x, g, b, y);
__device__ float tree(float v) { __shared__ float s[256]; int t = threadIdx.x; __syncthreads(); s[t] = v; __syncthreads(); for (int k = 128; k; k >>= 1) { if (t < k) s[t] += s[t + k]; __syncthreads(); } return s[0]; }
__global__ void ln(int n, const float *x, const float *g, const float *b, float *y) {
  x += blockIdx.x * n; y += blockIdx.x * n; float v = 0; for (int j = threadIdx.x; j < n; j += 256) v += x[j]; float mu = tree(v) / n; v = 0; for (int j = threadIdx.x; j < n; j += 256) v += (x[j] - mu) * (x[j] - mu);
  float r = rsqrtf(tree(v) / n + 1e-5f); for (int j = threadIdx.x; j < n; j += 256) y[j] = (x[j] - mu) * r * g[j] + b[j]; }
