// desc: two kernels: nearest with centres in constant memory, then a block per centre scans all points
// plan: copy(C, c);
// plan: nearest<<<ceil_div(n,128), 128>>>(n, p, near);
// plan: sums<<<64, 1024>>>(n, p, near, sum, count);
__constant__ float C[256];
__global__ void nearest(int n, const float4 *p, int *near)
{
    int i = blockIdx.x * 128 + threadIdx.x, best = 0;
    if (i >= n) return;
    float4 v = p[i];
    float least = 1e30f;
#pragma unroll 16
    for (int k = 0; k < 64; k++) {
        float a = v.x - C[4 * k], b = v.y - C[4 * k + 1], d = v.z - C[4 * k + 2], e = v.w - C[4 * k + 3], s = a * a + b * b + d * d + e * e;
        if (s < least) { least = s; best = k; }
    }
    near[i] = best;
}
__global__ void sums(int n, const float4 *p, const int *near, float *sum, int *count)
{
    __shared__ float s[4];
    __shared__ int m;
    int k = blockIdx.x, t = threadIdx.x, c = 0;
    float a = 0, b = 0, d = 0, e = 0;
    if (t < 4) s[t] = 0;
    if (t == 0) m = 0;
    __syncthreads();
    for (int i = t; i < n; i += 1024) if (near[i] == k) { float4 v = p[i]; a += v.x; b += v.y; d += v.z; e += v.w; c++; }
    for (int o = 16; o; o /= 2) { a += __shfl_xor_sync(~0u, a, o); b += __shfl_xor_sync(~0u, b, o); d += __shfl_xor_sync(~0u, d, o); e += __shfl_xor_sync(~0u, e, o); c += __shfl_xor_sync(~0u, c, o); }
    if (!(t & 31)) { atomicAdd(&s[0], a); atomicAdd(&s[1], b); atomicAdd(&s[2], d); atomicAdd(&s[3], e); atomicAdd(&m, c); }
    __syncthreads();
    if (t < 4) sum[4 * k + t] = s[t];
    if (t == 0) count[k] = m;
}
