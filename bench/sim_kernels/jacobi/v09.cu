// desc: two steps a launch by a shared tile with a halo of two, 32x16
// plan: scratch double t[n*n];
// plan: copy(t, a);
// plan: for (int s = 0; s < steps; s += 2) { step<<<dim3(ceil_div(n,28),ceil_div(n,12)), dim3(32,16)>>>(n, t, b); swap(t, b); }
// plan: copy(b, t);
__global__ void step(int n, const double *a, double *b) {
  __shared__ double s[16][33], u[16][33]; int x = threadIdx.x, y = threadIdx.y, j = blockIdx.x * 28 + x - 2, i = blockIdx.y * 12 + y - 2, p = i * n + j; bool in = i >= 0 && j >= 0 && i < n && j < n, mid = i > 0 && j > 0 && i < n - 1 && j < n - 1;
  double v = in ? a[p] : 0; s[y][x] = v; __syncthreads(); bool core = x > 0 && y > 0 && x < 31 && y < 15;
  if (core && mid) v = 0.25 * (s[y - 1][x] + s[y + 1][x] + s[y][x - 1] + s[y][x + 1]); u[y][x] = v; __syncthreads();
  if (x > 1 && y > 1 && x < 30 && y < 14 && in) b[p] = mid ? 0.25 * (u[y - 1][x] + u[y + 1][x] + u[y][x - 1] + u[y][x + 1]) : v; }
