// desc: thread per edge and level, 512 threads
// plan: scratch int more[1];
// plan: fill(level, -1);
// plan: first<<<1, 1>>>(level);
// plan: int l = 0;
// plan: do { fill(more, 0); step<<<ceil_div(8*n,512), 512>>>(n, l, to, level, more); l++; } while (more[0]);
__global__ void first(int *level) { level[0] = 0; }
__global__ void step(int n, int l, const int *to, int *level, int *more)
{
    int e = blockIdx.x * 512 + threadIdx.x;
    if (e >= 8 * n || level[e / 8] != l) return;
    int v = to[e];
    if (level[v] < 0) { level[v] = l + 1; *more = 1; }
}
