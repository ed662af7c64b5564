// desc: grid-stride, 132 blocks of 128, float4
// plan: move<<<132, 128>>>(n, dt, p, q);
__global__ void move(int n, float dt, const float4 *__restrict__ p, float4 *__restrict__ q) { for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += 132 * 128) { float4 a = p[2 * i], b = p[2 * i + 1]; float r = sqrtf(a.x * a.x + a.y * a.y + a.z * a.z) + 0.1f, f = a.w * __expf(-r) / r;
  b.x -= dt * f * a.x; b.y -= dt * f * a.y; b.z -= dt * f * a.z; b.w = b.w * 0.99f + 0.01f * f; q[2 * i] = make_float4(a.x + dt * b.x, a.y + dt * b.y, a.z + dt * b.z, a.w); q[2 * i + 1] = b; } }
