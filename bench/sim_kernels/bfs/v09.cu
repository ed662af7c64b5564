// desc: a byte a node says whether it is in the front, blocks of 32 threads, two launches a level
// plan: scratch char front[n];
// plan: scratch char next[n];
// plan: scratch int more[1];
// plan: init<<<ceil_div(n,256), 256>>>(n, level, front, next);
// plan: do { fill(more, 0); expand<<<ceil_div(n,32), 32>>>(n, to, level, front, next); settle<<<ceil_div(n,32), 32>>>(n, level, front, next, more); } while (more[0]);
__global__ void init(int n, int *level, char *front, char *next) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n) { level[i] = i ? -1 : 0; front[i] = !i; next[i] = 0; } }
__global__ void expand(int n, const int *to, int *level, char *front, char *next)
{
    int u = blockIdx.x * 32 + threadIdx.x;
    if (u >= n || !front[u]) return;
    front[u] = 0;
    int l = level[u];
    for (int k = 0; k < 8; k++) { int v = to[8 * u + k]; if (level[v] < 0) { next[v] = 1; level[v] = l + 1; } }
}
__global__ void settle(int n, const int *level, char *front, char *next, int *more)
{
    int u = blockIdx.x * 32 + threadIdx.x;
    if (u < n && next[u]) { front[u] = 1; next[u] = 0; *more = 1; }
}
