// desc: queues: a node is claimed by compare-and-swap, a place by an atomic for each; the count read back
// plan: scratch int qa[n];
// plan: scratch int qb[n];
// plan: scratch int count[1];
// plan: init<<<ceil_div(n,256), 256>>>(n, level, qa);
// plan: int l = 0, m = 1;
// plan: while (m) { fill(count, 0); step<<<ceil_div(m,128), 128>>>(m, l, to, level, qa, qb, count); m = count[0]; swap(qa, qb); l++; }
__global__ void init(int n, int *level, int *q) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n) level[i] = i ? -1 : 0; if (i == 0) q[0] = 0; }
__global__ void step(int m, int l, const int *to, int *level, const int *qa, int *qb, int *count)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i >= m) return;
    int u = qa[i];
    for (int k = 0; k < 8; k++) {
        int v = to[8 * u + k];
        if (level[v] < 0 && atomicCAS(&level[v], -1, l + 1) == -1) qb[atomicAdd(count, 1)] = v;
    }
}
