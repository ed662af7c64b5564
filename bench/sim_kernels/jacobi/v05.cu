// desc: columns marched by 32 rows, three values in registers
// plan: scratch double t[n*n];
// plan: copy(t, a);
// plan: for (int s = 0; s < steps; s++) { step<<<dim3(n/128,n/32), 128>>>(n, t, b); swap(t, b); }
// plan: copy(b, t);
__global__ void step(int n, const double *__restrict__ a, double *__restrict__ b) { int j = blockIdx.x * 128 + threadIdx.x, i0 = blockIdx.y * 32; double u = i0 ? a[(i0 - 1) * n + j] : 0, c = a[i0 * n + j];
  for (int i = i0; i < i0 + 32; i++) { int p = i * n + j; double d = i < n - 1 ? a[p + n] : 0; b[p] = i && j && i < n - 1 && j < n - 1 ? 0.25 * (u + d + a[p - 1] + a[p + 1]) : c; u = c; c = d; } }
