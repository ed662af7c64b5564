// desc: four outputs along x a thread, float4 loads, constant weights
// plan: copy(cw, w);
// plan: conv<<<dim3(ceil_div(n,128),ceil_div(n,8)), dim3(32,8)>>>(n, x, y);
__constant__ float cw[25];
__global__ void conv(int n, const float *__restrict__ x, float *__restrict__ y) {
  int j = (blockIdx.x * 32 + threadIdx.x) * 4, i = blockIdx.y * 8 + threadIdx.y;
  float s[4] = {};
#pragma unroll
  for (int a = 0; a < 5; a++) {
    int r = i + a - 2;
    if (r < 0 || r >= n) continue;
    float4 z = make_float4(0, 0, 0, 0), l = j ? *(const float4 *)&x[r * n + j - 4] : z, m = *(const float4 *)&x[r * n + j],
           h = j + 4 < n ? *(const float4 *)&x[r * n + j + 4] : z;
    float v[8] = {l.z, l.w, m.x, m.y, m.z, m.w, h.x, h.y};
#pragma unroll
    for (int b = 0; b < 5; b++)
#pragma unroll
      for (int k = 0; k < 4; k++) s[k] += cw[a * 5 + b] * v[b + k];
  }
  *(float4 *)&y[i * n + j] = make_float4(s[0], s[1], s[2], s[3]);
}
