// desc: float4 points, centres in shared memory, sums by shared atomics then global ones, 256
// plan: fill(sum, 0);
// plan: fill(count, 0);
// plan: go<<<ceil_div(n,256), 256>>>(n, p, c, near, sum, count);
__global__ void go(int n, const float4 *__restrict__ p, const float *__restrict__ c, int *near, float *sum, int *count)
{
    __shared__ float4 cs[64];
    __shared__ float ss[256];
    __shared__ int cc[64];
    int i = blockIdx.x * 256 + threadIdx.x, best = 0, t = threadIdx.x;
    ((float *)cs)[t] = c[t];
    ss[t] = 0;
    if (t < 64) cc[t] = 0;
    __syncthreads();
    if (i < n) {
        float4 v = p[i];
        float least = 1e30f;
#pragma unroll 8
        for (int k = 0; k < 64; k++) {
            float4 q = cs[k];
            float a = v.x - q.x, b = v.y - q.y, d = v.z - q.z, e = v.w - q.w, s = a * a + b * b + d * d + e * e;
            if (s < least) { least = s; best = k; }
        }
        near[i] = best;
        atomicAdd(&cc[best], 1);
        atomicAdd(&ss[best * 4], v.x); atomicAdd(&ss[best * 4 + 1], v.y); atomicAdd(&ss[best * 4 + 2], v.z); atomicAdd(&ss[best * 4 + 3], v.w);
    }
    __syncthreads();
    atomicAdd(&sum[t], ss[t]);
    if (t < 64) atomicAdd(&count[t], cc[t]);
}
