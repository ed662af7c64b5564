// desc: a warp per point: two centres a lane, shuffles; atomics by lane 0, 256
// plan: fill(sum, 0);
// plan: fill(count, 0);
// plan: go<<<n/8, 256>>>(n, p, c, near, sum, count);
__global__ void go(int n, const float4 *p, const float4 *c, int *near, float *sum, int *count)
{
    int i = blockIdx.x * 8 + threadIdx.x / 32, l = threadIdx.x & 31, best = l;
    float4 v = p[i], q = c[l], r = c[l + 32];
    float s = (v.x - q.x) * (v.x - q.x) + (v.y - q.y) * (v.y - q.y) + (v.z - q.z) * (v.z - q.z) + (v.w - q.w) * (v.w - q.w);
    float u = (v.x - r.x) * (v.x - r.x) + (v.y - r.y) * (v.y - r.y) + (v.z - r.z) * (v.z - r.z) + (v.w - r.w) * (v.w - r.w);
    if (u < s) { s = u; best = l + 32; }
    for (int o = 16; o; o /= 2) {
        float a = __shfl_xor_sync(~0u, s, o);
        int b = __shfl_xor_sync(~0u, best, o);
        if (a < s || (a == s && b < best)) { s = a; best = b; }
    }
    if (l == 0) {
        near[i] = best;
        atomicAdd(&count[best], 1);
        atomicAdd(&sum[best * 4], v.x); atomicAdd(&sum[best * 4 + 1], v.y); atomicAdd(&sum[best * 4 + 2], v.z); atomicAdd(&sum[best * 4 + 3], v.w);
    }
}
