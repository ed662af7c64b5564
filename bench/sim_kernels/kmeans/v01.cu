// desc: thread per point, centres from global memory, five global atomics, 256
// plan: fill(sum, 0);
// plan: fill(count, 0);
// plan: go<<<ceil_div(n,256), 256>>>(n, p, c, near, sum, count);
__global__ void go(int n, const float *p, const float *c, int *near, float *sum, int *count)
{
    int i = blockIdx.x * 256 + threadIdx.x, best = 0;
    if (i >= n) return;
    float least = 1e30f;
    for (int k = 0; k < 64; k++) {
        float s = 0;
        for (int d = 0; d < 4; d++) { float e = p[i * 4 + d] - c[k * 4 + d]; s += e * e; }
        if (s < least) { least = s; best = k; }
    }
    near[i] = best;
    atomicAdd(&count[best], 1);
    for (int d = 0; d < 4; d++) atomicAdd(&sum[best * 4 + d], p[i * 4 + d]);
}
