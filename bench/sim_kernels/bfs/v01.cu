// desc: thread per node and level, a flag read back after every level
// plan: scratch int more[1];
// plan: init<<<ceil_div(n,256), 256>>>(n, level);
// plan: int l = 0;
// plan: do { fill(more, 0); step<<<ceil_div(n,256), 256>>>(n, l, to, level, more); l++; } while (more[0]);
__global__ void init(int n, int *level) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n) level[i] = i ? -1 : 0; }
__global__ void step(int n, int l, const int *to, int *level, int *more)
{
    int u = blockIdx.x * 256 + threadIdx.x;
    if (u >= n || level[u] != l) return;
    for (int k = 0; k < 8; k++) { int v = to[8 * u + k]; if (level[v] < 0) { level[v] = l + 1; *more = 1; } }
}
