// desc: single pass, decoupled look-back, 256 threads, 8 a thread
// plan: scratch unsigned int st[2*(n/2048)+2];
// plan: fill(st, 0);
// plan: scan<<<n/2048, 256>>>(n, x, y, st);
__device__ int wscan(int v) { for (int o = 1; o < 32; o *= 2) { int a = __shfl_up_sync(0xffffffffu, v, o); if ((threadIdx.x & 31) >= o) v += a; } return v; }
__global__ void scan(int n, const int *__restrict__ x, int *__restrict__ y, unsigned *st0) {
  __shared__ int s[8]; __shared__ unsigned tile; __shared__ int pre;
  volatile unsigned long long *st = (volatile unsigned long long *)st0 + 1;
  int t = threadIdx.x, w = t >> 5; if (!t) tile = atomicAdd(st0, 1); __syncthreads();
  unsigned b = tile; const int4 *p = (const int4 *)(x + b * 2048 + t * 8); int4 u = p[0], v = p[1]; int e[8] = {u.x, u.y, u.z, u.w, v.x, v.y, v.z, v.w};
  for (int k = 1; k < 8; k++) e[k] += e[k - 1];
  int sum = wscan(e[7]), own = sum - e[7]; if ((t & 31) == 31) s[w] = sum; __syncthreads();
  int all = 0; for (int j = 0; j < 8; j++) { if (j < w) own += s[j]; all += s[j]; }
  if (!t) {
    int before = 0;
    if (b) { st[b] = 1ull << 32 | (unsigned)all;
      for (int j = b - 1;;) { unsigned long long q = st[j]; if (!(q >> 32)) continue; before += (int)(unsigned)q; if (q >> 32 == 2) break; j--; } }
    st[b] = 2ull << 32 | (unsigned)(before + all); pre = before;
  }
  __syncthreads(); own += pre; int4 *o = (int4 *)(y + b * 2048 + t * 8);
  o[0] = make_int4(e[0] + own, e[1] + own, e[2] + own, e[3] + own); o[1] = make_int4(e[4] + own, e[5] + own, e[6] + own, e[7] + own);
}
