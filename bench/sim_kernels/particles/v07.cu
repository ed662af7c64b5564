// desc: fp64 throughout, two double loads of float4
// plan: move<<<ceil_div(n,256), 256>>>(n, dt, p, q);
__global__ void move(int n, float dt, const float4 *__restrict__ p, float4 *__restrict__ q) { int i = blockIdx.x * 256 + threadIdx.x; if (i >= n) return; float4 a = p[2 * i], b = p[2 * i + 1]; double x = a.x, y = a.y, z = a.z, r = sqrt(x * x + y * y + z * z) + 0.1, f = a.w * exp(-r) / r;
  double u = b.x - dt * f * x, v = b.y - dt * f * y, w = b.z - dt * f * z; q[2 * i] = make_float4(x + dt * u, y + dt * v, z + dt * w, a.w); q[2 * i + 1] = make_float4(u, v, w, b.w * 0.99 + 0.01 * f); }
