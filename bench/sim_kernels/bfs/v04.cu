// desc: 24 levels without looking, thread per node, int4 loads of the edges
// plan: init<<<ceil_div(n,256), 256>>>(n, level);
// plan: for (int l = 0; l < 24; l++) step<<<ceil_div(n,256), 256>>>(n, l, to, level);
__global__ void init(int n, int *level) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n) level[i] = i ? -1 : 0; }
__global__ void step(int n, int l, const int4 *__restrict__ to, int *level)
{
    int u = blockIdx.x * 256 + threadIdx.x;
    if (u >= n || level[u] != l) return;
    int4 a = to[2 * u], b = to[2 * u + 1];
    int v[8] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w};
#pragma unroll
    for (int k = 0; k < 8; k++) if (level[v[k]] < 0) level[v[k]] = l + 1;
}
