// desc: thread per query row straight from global memory, row in local arrays, 128 threads
// plan: fa<<<dim3(n/128,h), 128>>>(n, q, k, v, o);
__global__ void fa(int n, const float *q, const float *k, const float *v, float *o) {
  int b = blockIdx.y, i = blockIdx.x * 128 + threadIdx.x; float x[64], a[64], m = -1e30f, l = 0; for (int d = 0; d < 64; d++) { x[d] = q[(b * n + i) * 64 + d]; a[d] = 0; }
  for (int j = 0; j < n; j++) { const float *K = k + (b * n + j) * 64, *V = v + (b * n + j) * 64; float s = 0; for (int d = 0; d < 64; d++) s += x[d] * K[d]; s *= 0.125f; float w = fmaxf(m, s), c = __expf(m - w), p = __expf(s - w); m = w; l = l * c + p; for (int d = 0; d < 64; d++) a[d] = a[d] * c + p * V[d]; }
  for (int d = 0; d < 64; d++) o[(b * n + i) * 64 + d] = a[d] / l; }
