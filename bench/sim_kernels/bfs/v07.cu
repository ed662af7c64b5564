// desc: one block of 1024 does all levels
// plan: run<<<1, 1024>>>(n, to, level);
__global__ void run(int n, const int *to, int *level)
{
    __shared__ int more;
    for (int u = threadIdx.x; u < n; u += 1024) level[u] = u ? -1 : 0;
    for (int l = 0; ; l++) {
        __syncthreads();
        if (threadIdx.x == 0) more = 0;
        __syncthreads();
        for (int u = threadIdx.x; u < n; u += 1024) {
            if (level[u] != l) continue;
            for (int k = 0; k < 8; k++) { int v = to[8 * u + k]; if (level[v] < 0) { level[v] = l + 1; more = 1; } }
        }
        __syncthreads();
        if (!more) break;
    }
}
