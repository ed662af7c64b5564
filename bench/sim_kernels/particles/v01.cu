// desc: array of structures, scalar accesses, 256
// plan: move<<<ceil_div(n,256), 256>>>(n, dt, p, q);
__global__ void move(int n, float dt, const float *p, float *q) { int i = blockIdx.x * 256 + threadIdx.x; if (i >= n) return; const float *a = p + 8 * i; float *b = q + 8 * i; float r = sqrtf(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]) + 0.1f, f = a[3] * expf(-r) / r;
  float u = a[4] - dt * f * a[0], v = a[5] - dt * f * a[1], w = a[6] - dt * f * a[2]; b[4] = u; b[5] = v; b[6] = w; b[0] = a[0] + dt * u; b[1] = a[1] + dt * v; b[2] = a[2] + dt * w; b[3] = a[3]; b[7] = a[7] * 0.99f + 0.01f * f; }
