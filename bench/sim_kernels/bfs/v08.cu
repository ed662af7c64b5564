// desc: labels corrected by atomicMin along every edge until nothing changes, thread per node
// plan: scratch int more[1];
// plan: init<<<ceil_div(n,128), 128>>>(n, level);
// plan: do { fill(more, 0); relax<<<ceil_div(n,128), 128>>>(n, to, level, more); } while (more[0]);
// plan: done<<<ceil_div(n,128), 128>>>(n, level);
__global__ void init(int n, int *level) { int i = blockIdx.x * 128 + threadIdx.x; if (i < n) level[i] = i ? 1 << 30 : 0; }
__global__ void relax(int n, const int *to, int *level, int *more)
{
    int u = blockIdx.x * 128 + threadIdx.x;
    if (u >= n) return;
    int l = ((volatile int *)level)[u] + 1;
    if (l > 1 << 30) return;
    for (int k = 0; k < 8; k++) { int v = to[8 * u + k]; if (((volatile int *)level)[v] > l && atomicMin(&level[v], l) > l) *more = 1; }
}
__global__ void done(int n, int *level) { int i = blockIdx.x * 128 + threadIdx.x; if (i < n && level[i] == 1 << 30) level[i] = -1; }
