// desc: thread per component, force computed eight times
// plan: move<<<n/32, 256>>>(dt, p, q);
__global__ void move(float dt, const float *p, float *q) { int e = blockIdx.x * 256 + threadIdx.x, c = e & 7; const float *a = p + (e & ~7); float r = sqrtf(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]) + 0.1f, f = a[3] * expf(-r) / r, o = a[c];
  if (c < 3) o = a[c] + dt * (a[c + 4] - dt * f * a[c]); else if (c == 7) o = a[7] * 0.99f + 0.01f * f; else if (c > 3) o = a[c] - dt * f * a[c - 4]; q[e] = o; }
