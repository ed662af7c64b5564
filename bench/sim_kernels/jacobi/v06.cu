// desc: two columns a thread by double2
// plan: scratch double t[n*n];
// plan: copy(t, a);
// plan: for (int s = 0; s < steps; s++) { step<<<dim3(n/128,n/4), dim3(64,4)>>>(n, t, b); swap(t, b); }
// plan: copy(b, t);
__global__ void step(int n, const double *__restrict__ a, double *__restrict__ b) { int j = (blockIdx.x * 64 + threadIdx.x) * 2, i = blockIdx.y * 4 + threadIdx.y, p = i * n + j; double2 c = *(const double2 *)&a[p], r = c;
  if (i && i < n - 1) { double2 u = *(const double2 *)&a[p - n], d = *(const double2 *)&a[p + n]; if (j) r.x = 0.25 * (u.x + d.x + a[p - 1] + c.y); if (j < n - 2) r.y = 0.25 * (u.y + d.y + c.x + a[p + 2]); }
  *(double2 *)&b[p] = r; }
