// desc: turned in shared memory without padding (bank conflicts)
// plan: move<<<n/128, 128>>>(dt, p, q);
__global__ void move(float dt, const float *__restrict__ p, float *__restrict__ q) { __shared__ float s[1024]; int t = threadIdx.x, g = blockIdx.x * 1024;
#pragma unroll
  for (int k = 0; k < 8; k++) s[k * 128 + t] = p[g + k * 128 + t]; __syncthreads(); float *a = s + t * 8; float r = sqrtf(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]) + 0.1f, f = a[3] * expf(-r) / r;
  a[4] -= dt * f * a[0]; a[5] -= dt * f * a[1]; a[6] -= dt * f * a[2]; a[0] += dt * a[4]; a[1] += dt * a[5]; a[2] += dt * a[6]; a[7] = a[7] * 0.99f + 0.01f * f; __syncthreads();
#pragma unroll
  for (int k = 0; k < 8; k++) q[g + k * 128 + t] = s[k * 128 + t]; }
