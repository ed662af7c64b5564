// desc: one kernel: thread per query row, online softmax, K and V from shared tiles of 32, row in registers
// plan: fa<<<dim3(n/64,h), 64>>>(n, q, k, v, o);
__global__ void fa(int n, const float *__restrict__ q, const float *__restrict__ k, const float *__restrict__ v, float *__restrict__ o) {
  __shared__ float4 K[32][16], V[32][16]; int t = threadIdx.x, b = blockIdx.y, i = blockIdx.x * 64 + t; float4 x[16], a[16]; float m = -1e30f, l = 0;
#pragma unroll
  for (int d = 0; d < 16; d++) { x[d] = ((const float4 *)q)[(b * n + i) * 16 + d]; a[d] = make_float4(0, 0, 0, 0); }
  for (int j0 = 0; j0 < n; j0 += 32) {
    __syncthreads(); for (int e = t; e < 512; e += 64) { K[e / 16][e % 16] = ((const float4 *)k)[(b * n + j0) * 16 + e]; V[e / 16][e % 16] = ((const float4 *)v)[(b * n + j0) * 16 + e]; } __syncthreads();
    for (int j = 0; j < 32; j++) { float s = 0;
#pragma unroll
      for (int d = 0; d < 16; d++) { float4 y = K[j][d]; s += x[d].x * y.x + x[d].y * y.y + x[d].z * y.z + x[d].w * y.w; }
      s *= 0.125f; float w = fmaxf(m, s), c = __expf(m - w), p = __expf(s - w); m = w; l = l * c + p;
#pragma unroll
      for (int d = 0; d < 16; d++) { float4 y = V[j][d]; a[d].x = a[d].x * c + p * y.x; a[d].y = a[d].y * c + p * y.y; a[d].z = a[d].z * c + p * y.z; a[d].w = a[d].w * c + p * y.w; } }
  }
#pragma unroll
  for (int d = 0; d < 16; d++) ((float4 *)o)[(b * n + i) * 16 + d] = make_float4(a[d].x / l, a[d].y / l, a[d].z / l, a[d].w / l);
}
