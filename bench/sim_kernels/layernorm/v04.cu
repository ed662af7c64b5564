// desc: thread per row
// plan: ln<<<ceil_div(m,64), 64>>>(m, n, x, g, b, y);
__global__ void ln(int m, int n, const float *x, const float *g, const float *b, float *y) {
  int i = blockIdx.x * 64 + threadIdx.x; if (i >= m) return; x += i * n; y += i * n; float s = 0, q = 0; for (int j = 0; j < n; j++) s += x[j]; s /= n; for (int j = 0; j < n; j++) q += (x[j] - s) * (x[j] - s);
  float r = rsqrtf(q / n + 1e-5f); for (int j = 0; j < n; j++) y[j] = (x[j] - s) * r * g[j] + b[j]; }
