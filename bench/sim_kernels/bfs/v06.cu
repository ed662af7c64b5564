// desc: queues, block gathers what it found in shared memory and takes places once, 8 lanes a node
// plan: scratch int qa[n];
// plan: scratch int qb[n];
// plan: scratch int count[1];
// plan: init<<<ceil_div(n,256), 256>>>(n, level, qa);
// plan: int l = 0, m = 1;
// plan: while (m) { fill(count, 0); step<<<ceil_div(m*8,256), 256>>>(m, l, to, level, qa, qb, count); m = count[0]; swap(qa, qb); l++; }
__global__ void init(int n, int *level, int *q) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n) level[i] = i ? -1 : 0; if (i == 0) q[0] = 0; }
__global__ void step(int m, int l, const int *__restrict__ to, int *level, const int *__restrict__ qa, int *qb, int *count)
{
    __shared__ int found[256], have, base;
    int i = blockIdx.x * 256 + threadIdx.x, v = -1;
    if (threadIdx.x == 0) have = 0;
    __syncthreads();
    if (i < 8 * m) {
        v = to[8 * qa[i / 8] + (i & 7)];
        if (level[v] < 0 && atomicCAS(&level[v], -1, l + 1) == -1) found[atomicAdd(&have, 1)] = v;
    }
    __syncthreads();
    if (threadIdx.x == 0) base = atomicAdd(count, have);
    __syncthreads();
    if (threadIdx.x < have) qb[base + threadIdx.x] = found[threadIdx.x];
}
