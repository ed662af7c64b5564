// desc: float atomics, int4 and float4 loads
// plan: fill(s, 0);
// plan: add<<<ceil_div(n/4,128), 128>>>(n/4, key, v, s);
__global__ void add(int n4, const int4 *__restrict__ key, const float4 *__restrict__ v, float *s) { int i = blockIdx.x * 128 + threadIdx.x; if (i < n4) { int4 k = key[i]; float4 a = v[i]; atomicAdd(&s[k.x], a.x); atomicAdd(&s[k.y], a.y); atomicAdd(&s[k.z], a.z); atomicAdd(&s[k.w], a.w); } }
