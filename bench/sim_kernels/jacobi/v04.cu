// desc: shared tile 34x10, halo by the edge threads
// plan: scratch double t[n*n];
// plan: copy(t, a);
// plan: for (int s = 0; s < steps; s++) { step<<<dim3(n/32,n/8), dim3(32,8)>>>(n, t, b); swap(t, b); }
// plan: copy(b, t);
__global__ void step(int n, const double *a, double *b) {
  __shared__ double s[10][34]; int x = threadIdx.x + 1, y = threadIdx.y + 1, j = blockIdx.x * 32 + threadIdx.x, i = blockIdx.y * 8 + threadIdx.y, p = i * n + j;
  s[y][x] = a[p]; if (x == 1 && j) s[y][0] = a[p - 1]; if (x == 32 && j < n - 1) s[y][33] = a[p + 1]; if (y == 1 && i) s[0][x] = a[p - n]; if (y == 8 && i < n - 1) s[9][x] = a[p + n];
  __syncthreads(); b[p] = i && j && i < n - 1 && j < n - 1 ? 0.25 * (s[y - 1][x] + s[y + 1][x] + s[y][x - 1] + s[y][x + 1]) : s[y][x]; }
