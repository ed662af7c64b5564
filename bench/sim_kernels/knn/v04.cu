// desc: warp per query, lanes over points 32 bytes apart, scalar loads, 8 warps a block
// plan: knn<<<ceil_div(q,8), 256>>>(q, n, a, b, dist, near);
__global__ void knn(int q, int n, const float *__restrict__ a, const float *__restrict__ b, float *dist, int *near)
{
    int i = (blockIdx.x * 256 + threadIdx.x) / 32, l = threadIdx.x % 32;
    if (i >= q) return;
    float p[8], least = 1e30f;
    int best = 0;
    for (int d = 0; d < 8; d++) p[d] = a[i * 8 + d];
    for (int j = l; j < n; j += 32) {
        float s = 0;
#pragma unroll
        for (int d = 0; d < 8; d++) { float e = p[d] - b[j * 8 + d]; s += e * e; }
        if (s < least) { least = s; best = j; }
    }
    for (int o = 16; o; o >>= 1) {
        float s = __shfl_down_sync(~0u, least, o);
        int j = __shfl_down_sync(~0u, best, o);
        if (s < least || (s == least && j < best)) { least = s; best = j; }
    }
    if (l == 0) { dist[i] = least; near[i] = best; }
}
