// desc: sliding window: a thread walks down 16 rows, 25 inputs in registers, constant weights
// plan: copy(cw, w);
// plan: conv<<<dim3(ceil_div(n,128),ceil_div(n,16)), 128>>>(n, x, y);
__constant__ float cw[25];
__global__ void conv(int n, const float *__restrict__ x, float *__restrict__ y) {
  int j = blockIdx.x * 128 + threadIdx.x, i0 = blockIdx.y * 16;
  float v[5][5];
  auto row = [&](int i, float *to) {
#pragma unroll
    for (int b = 0; b < 5; b++) { int c = j + b - 2; to[b] = i >= 0 && i < n && c >= 0 && c < n ? x[i * n + c] : 0.f; } };
#pragma unroll
  for (int a = 0; a < 4; a++) row(i0 + a - 2, v[a]);
#pragma unroll 5
  for (int k = 0; k < 16; k++) {
    row(i0 + k + 2, v[4]);
    float s = 0;
#pragma unroll
    for (int a = 0; a < 5; a++)
#pragma unroll
      for (int b = 0; b < 5; b++) s += cw[a * 5 + b] * v[a][b];
    y[(i0 + k) * n + j] = s;
#pragma unroll
    for (int a = 0; a < 4; a++)
#pragma unroll
      for (int b = 0; b < 5; b++) v[a][b] = v[a + 1][b];
  }
}
