// desc: thread per query in registers, points in tiles of 128 through shared memory, blocks of 32 so that all multiprocessors work
// plan: knn<<<ceil_div(q,32), 32>>>(q, n, a, b, dist, near);
__global__ void knn(int q, int n, const float4 *__restrict__ a, const float4 *__restrict__ b, float *dist, int *near)
{
    __shared__ float4 s[256];
    int t = threadIdx.x, i = blockIdx.x * 32 + t;
    float4 u = a[2 * min(i, q - 1)], v = a[2 * min(i, q - 1) + 1];
    float least = 1e30f;
    int best = 0;
    for (int base = 0; base < n; base += 128) {
        for (int k = t; k < 256; k += 32) if (base * 2 + k < 2 * n) s[k] = b[base * 2 + k];
        __syncthreads();
        int end = min(128, n - base);
#pragma unroll 4
        for (int k = 0; k < end; k++) {
            float4 x = s[2 * k], y = s[2 * k + 1];
            float d0 = u.x - x.x, d1 = u.y - x.y, d2 = u.z - x.z, d3 = u.w - x.w, d4 = v.x - y.x, d5 = v.y - y.y, d6 = v.z - y.z, d7 = v.w - y.w;
            float r = d0 * d0 + d1 * d1 + d2 * d2 + d3 * d3 + d4 * d4 + d5 * d5 + d6 * d6 + d7 * d7;
            if (r < least) { least = r; best = base + k; }
        }
        __syncthreads();
    }
    if (i < q) { dist[i] = least; near[i] = best; }
}
