// desc: shared tile, weights in constant memory, 32x32 outputs by 32x8 threads
// plan: copy(cw, w);
// plan: conv<<<dim3(ceil_div(n,32),ceil_div(n,32)), dim3(32,8)>>>(n, x, y);
__constant__ float cw[25];
__global__ void conv(int n, const float *__restrict__ x, float *__restrict__ y) {
  __shared__ float t[36][36];
  int j0 = blockIdx.x * 32, i0 = blockIdx.y * 32, tid = threadIdx.y * 32 + threadIdx.x;
  for (int q = tid; q < 36 * 36; q += 256) {
    int r = q / 36, c = q % 36, i = i0 + r - 2, j = j0 + c - 2;
    t[r][c] = i >= 0 && i < n && j >= 0 && j < n ? x[i * n + j] : 0.f;
  }
  __syncthreads();
#pragma unroll
  for (int k = 0; k < 4; k++) {
    int r = threadIdx.y + 8 * k;
    float s = 0;
#pragma unroll
    for (int a = 0; a < 5; a++)
#pragma unroll
      for (int b = 0; b < 5; b++) s += cw[a * 5 + b] * t[r + a][threadIdx.x + b];
    y[(i0 + r) * n + j0 + threadIdx.x] = s;
  }
}
