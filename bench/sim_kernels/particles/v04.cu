// desc: turned in shared memory (padded), coalesced both ways, 128
// plan: move<<<n/128, 128>>>(dt, p, q);
__global__ void move(float dt, const float *__restrict__ p, float *__restrict__ q) { __shared__ float s[128 * 9]; int t = threadIdx.x, g = blockIdx.x * 1024;
#pragma unroll
  for (int k = 0; k < 8; k++) { int e = k * 128 + t; s[e / 8 * 9 + e % 8] = p[g + e]; } __syncthreads(); float *a = s + t * 9; float r = sqrtf(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]) + 0.1f, f = a[3] * expf(-r) / r;
  a[4] -= dt * f * a[0]; a[5] -= dt * f * a[1]; a[6] -= dt * f * a[2]; a[0] += dt * a[4]; a[1] += dt * a[5]; a[2] += dt * a[6]; a[7] = a[7] * 0.99f + 0.01f * f; __syncthreads();
#pragma unroll
  for (int k = 0; k < 8; k++) { int e = k * 128 + t; q[g + e] = s[e / 8 * 9 + e % 8]; } }
