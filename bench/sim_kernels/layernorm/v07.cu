// desc: block of 128 per row, sum and sum of squares in one pass, fp64
// plan: ln<<<m, 128>>>(n, x, g, b, y);
__global__ void ln(int n, const float *x, const float *g, const float *b, float *y) {
  __shared__ double s[128], q[128]; int t = threadIdx.x; double a = 0, c = 0; x += blockIdx.x * n; y += blockIdx.x * n; for (int j = t; j < n; j += 128) { double v = x[j]; a += v; c += v * v; } s[t] = a; q[t] = c; __syncthreads();
  for (int k = 64; k; k >>= 1) { if (t < k) { s[t] += s[t + k]; q[t] += q[t + k]; } __syncthreads(); }
  double mu = s[0] / n, r = 1 / sqrt(q[0] / n - mu * mu + 1e-5); for (int j = t; j < n; j += 128) y[j] = (float)((x[j] - mu) * r * g[j] + b[j]); }
