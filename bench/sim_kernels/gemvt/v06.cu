// desc: float4 columns, 128 slices to scratch, second kernel adds them
// plan: scratch float part[128*n];
// plan: mv<<<dim3(ceil_div(n,512),128), 128>>>(m, n, A, x, part);
// plan: add<<<ceil_div(n,128), 128>>>(n, part, y);
__global__ void mv(int m, int n, const float *__restrict__ A, const float *__restrict__ x, float *__restrict__ p) {
  int j = (blockIdx.x * 128 + threadIdx.x) * 4, k = m / 128; if (j >= n) return;
  float4 s = make_float4(0, 0, 0, 0);
#pragma unroll 4
  for (int i = blockIdx.y * k; i < (blockIdx.y + 1) * k; i++) { float4 a = *(const float4 *)&A[i * n + j]; float v = x[i]; s.x += a.x * v; s.y += a.y * v; s.z += a.z * v; s.w += a.w * v; }
  *(float4 *)&p[blockIdx.y * n + j] = s;
}
__global__ void add(int n, const float *p, float *y) {
  int j = blockIdx.x * 128 + threadIdx.x; if (j >= n) return;
  float s = 0; for (int k = 0; k < 128; k++) s += p[k * n + j]; y[j] = s;
}
