// desc: four points a thread, centres by __ldg float4, warp-matched counts, global atomics for sums, 256
// plan: fill(sum, 0);
// plan: fill(count, 0);
// plan: go<<<n/1024, 256>>>(n, p, c, near, sum, count);
__global__ void go(int n, const float4 *__restrict__ p, const float4 *__restrict__ c, int4 *near, float *sum, int *count)
{
    int i = (blockIdx.x * 256 + threadIdx.x) * 4, best[4] = {0};
    float4 v[4];
    float least[4] = {1e30f, 1e30f, 1e30f, 1e30f};
#pragma unroll
    for (int q = 0; q < 4; q++) v[q] = p[i + q];
    for (int k = 0; k < 64; k++) {
        float4 m = __ldg(&c[k]);
#pragma unroll
        for (int q = 0; q < 4; q++) {
            float a = v[q].x - m.x, b = v[q].y - m.y, d = v[q].z - m.z, e = v[q].w - m.w, s = a * a + b * b + d * d + e * e;
            if (s < least[q]) { least[q] = s; best[q] = k; }
        }
    }
    near[i / 4] = make_int4(best[0], best[1], best[2], best[3]);
#pragma unroll
    for (int q = 0; q < 4; q++) {
        unsigned same = __match_any_sync(~0u, best[q]);
        if ((threadIdx.x & 31) == __ffs(same) - 1) atomicAdd(&count[best[q]], __popc(same));
        atomicAdd(&sum[best[q] * 4], v[q].x); atomicAdd(&sum[best[q] * 4 + 1], v[q].y); atomicAdd(&sum[best[q] * 4 + 2], v[q].z); atomicAdd(&sum[best[q] * 4 + 3], v[q].w);
    }
}
