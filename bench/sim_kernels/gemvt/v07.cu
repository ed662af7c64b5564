// desc: an atomic for every element
// plan: fill(y, 0);
// plan: mv<<<dim3(ceil_div(n,256),m), 256>>>(m, n, A, x, y);
__global__ void mv(int m, int n, const float *A, const float *x, float *y) {
  int j = blockIdx.x * 256 + threadIdx.x, i = blockIdx.y; if (j < n) atomicAdd(&y[j], A[i * n + j] * x[i]);
}
