// desc: points turned to eight arrays first, then a warp per two queries with coalesced loads
// plan: scratch float t[8*n];
// plan: turn<<<ceil_div(8*n,256), 256>>>(n, b, t);
// plan: knn<<<ceil_div(q,16), 256>>>(q, n, a, t, dist, near);
__global__ void turn(int n, const float *b, float *t) { int k = blockIdx.x * 256 + threadIdx.x; if (k < 8 * n) t[k % 8 * n + k / 8] = b[k]; }
__global__ void knn(int q, int n, const float *__restrict__ a, const float *__restrict__ t, float *dist, int *near)
{
    int i = (blockIdx.x * 8 + threadIdx.x / 32) * 2, l = threadIdx.x & 31;
    if (i >= q) return;
    int i1 = min(i + 1, q - 1);
    float p[8], r[8], best[2] = { 1e30f, 1e30f };
    int who[2] = { 0, 0 };
#pragma unroll
    for (int d = 0; d < 8; d++) { p[d] = a[i * 8 + d]; r[d] = a[i1 * 8 + d]; }
#pragma unroll 2
    for (int j = l; j < n; j += 32) {
        float s0 = 0, s1 = 0;
#pragma unroll
        for (int d = 0; d < 8; d++) {
            float c = t[d * n + j], e = p[d] - c, f = r[d] - c;
            s0 += e * e;
            s1 += f * f;
        }
        if (s0 < best[0]) { best[0] = s0; who[0] = j; }
        if (s1 < best[1]) { best[1] = s1; who[1] = j; }
    }
#pragma unroll
    for (int k = 0; k < 2; k++) {
        for (int o = 16; o; o >>= 1) {
            float s = __shfl_xor_sync(~0u, best[k], o);
            int j = __shfl_xor_sync(~0u, who[k], o);
            if (s < best[k] || (s == best[k] && j < who[k])) { best[k] = s; who[k] = j; }
        }
        if (l == 0 && i + k < q) { dist[i + k] = best[k]; near[i + k] = who[k]; }
    }
}
