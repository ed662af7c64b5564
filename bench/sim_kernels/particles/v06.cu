// desc: to structure of arrays, update, and back: three kernels
// plan: scratch float a[8*n];
// plan: scratch float b[8*n];
// plan: split<<<n/32, 256>>>(n, p, a);
// plan: move<<<ceil_div(n,256), 256>>>(n, dt, a, b);
// plan: join<<<n/32, 256>>>(n, b, q);
__global__ void split(int n, const float *p, float *a) { int e = blockIdx.x * 256 + threadIdx.x; a[e % 8 * n + e / 8] = p[e]; }
__global__ void join(int n, const float *b, float *q) { int e = blockIdx.x * 256 + threadIdx.x; q[e] = b[e % 8 * n + e / 8]; }
__global__ void move(int n, float dt, const float *a, float *b) { int i = blockIdx.x * 256 + threadIdx.x; if (i >= n) return; float x = a[i], y = a[n + i], z = a[2 * n + i], m = a[3 * n + i], r = sqrtf(x * x + y * y + z * z) + 0.1f, f = m * expf(-r) / r, u = a[4 * n + i] - dt * f * x, v = a[5 * n + i] - dt * f * y, w = a[6 * n + i] - dt * f * z;
  b[i] = x + dt * u; b[n + i] = y + dt * v; b[2 * n + i] = z + dt * w; b[3 * n + i] = m; b[4 * n + i] = u; b[5 * n + i] = v; b[6 * n + i] = w; b[7 * n + i] = a[7 * n + i] * 0.99f + 0.01f * f; }
