// desc: fp32 register tile 128x128, 8x8 a thread
// plan: mm<<<dim3(n/128,n/128), 256>>>(n, A, B, C);
__global__ void __launch_bounds__(256) mm(int n, const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C) {
  __shared__ float a[8][132], b[8][128]; int t = threadIdx.x, tx = t % 16, ty = t / 16, i0 = blockIdx.y * 128, j0 = blockIdx.x * 128; float s[8][8] = {};
  for (int k0 = 0; k0 < n; k0 += 8) {
    float4 u = *(const float4 *)&A[(i0 + t / 2) * n + k0 + t % 2 * 4], v = *(const float4 *)&B[(k0 + t / 32) * n + j0 + t % 32 * 4];
    a[t % 2 * 4][t / 2] = u.x; a[t % 2 * 4 + 1][t / 2] = u.y; a[t % 2 * 4 + 2][t / 2] = u.z; a[t % 2 * 4 + 3][t / 2] = u.w; *(float4 *)&b[t / 32][t % 32 * 4] = v; __syncthreads();
#pragma unroll
    for (int k = 0; k < 8; k++) { float x[8], y[8];
#pragma unroll
      for (int r = 0; r < 8; r += 4) { *(float4 *)&x[r] = *(float4 *)&a[k][ty * 4 + r * 16]; *(float4 *)&y[r] = *(float4 *)&b[k][tx * 4 + r * 16]; }
#pragma unroll
      for (int r = 0; r < 8; r++)
#pragma unroll
        for (int q = 0; q < 8; q++) s[r][q] += x[r] * y[q]; }
    __syncthreads();
  }
  for (int r = 0; r < 8; r++) for (int h = 0; h < 2; h++) *(float4 *)&C[(i0 + r / 4 * 64 + ty * 4 + r % 4) * n + j0 + h * 64 + tx * 4] = make_float4(s[r][h * 4], s[r][h * 4 + 1], s[r][h * 4 + 2], s[r][h * 4 + 3]);
}
