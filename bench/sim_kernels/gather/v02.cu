// desc: int4 and float4, restrict, 128
// plan: ga<<<ceil_div(n/4,128), 128>>>(n/4, idx, x, y);
__global__ void ga(int n, const int4 *__restrict__ idx, const float *__restrict__ x, float4 *__restrict__ y) { int i = blockIdx.x * 128 + threadIdx.x; if (i < n) { int4 k = idx[i]; y[i] = make_float4(2.f * x[k.x], 2.f * x[k.y], 2.f * x[k.z], 2.f * x[k.w]); } }
