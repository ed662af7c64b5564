// desc: fp32 shared tile 32
// plan: mm<<<dim3(n/32,n/32), dim3(32,32)>>>(n, A, B, C);
__global__ void mm(int n, const float *A, const float *B, float *C) {
  __shared__ float a[32][32], b[32][32]; int x = threadIdx.x, y = threadIdx.y, i = blockIdx.y * 32 + y, j = blockIdx.x * 32 + x; float s = 0;
  for (int k0 = 0; k0 < n; k0 += 32) { a[y][x] = A[i * n + k0 + x]; b[y][x] = B[(k0 + y) * n + j]; __syncthreads(); for (int k = 0; k < 32; k++) s += a[y][k] * b[k][x]; __syncthreads(); }
  C[i * n + j] = s;
}
