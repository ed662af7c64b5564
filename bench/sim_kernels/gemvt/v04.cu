// desc: block per column, strided, shared tree
// plan: mv<<<n, 128>>>(m, n, A, x, y);
__global__ void mv(int m, int n, const float *A, const float *x, float *y) {
  __shared__ float s[128]; int t = threadIdx.x; float v = 0;
  for (int i = t; i < m; i += 128) v += A[i * n + blockIdx.x] * x[i];
  s[t] = v; __syncthreads();
  for (int k = 64; k; k >>= 1) { if (t < k) s[t] += s[t + k]; __syncthreads(); }
  if (!t) y[blockIdx.x] = s[0];
}
