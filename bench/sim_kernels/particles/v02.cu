// desc: the same, restrict and values in registers first
// plan: move<<<ceil_div(n,256), 256>>>(n, dt, p, q);
__global__ void move(int n, float dt, const float *__restrict__ p, float *__restrict__ q) { int i = blockIdx.x * 256 + threadIdx.x; if (i >= n) return; float a[8];
#pragma unroll
  for (int k = 0; k < 8; k++) a[k] = p[8 * i + k];
  float r = sqrtf(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]) + 0.1f, f = a[3] * expf(-r) / r, u = a[4] - dt * f * a[0], v = a[5] - dt * f * a[1], w = a[6] - dt * f * a[2]; float b[8] = {a[0] + dt * u, a[1] + dt * v, a[2] + dt * w, a[3], u, v, w, a[7] * 0.99f + 0.01f * f};
#pragma unroll
  for (int k = 0; k < 8; k++) q[8 * i + k] = b[k]; }
