// desc: thread per query, everything from global memory, 256 threads
// plan: knn<<<ceil_div(q,256), 256>>>(q, n, a, b, dist, near);
__global__ void knn(int q, int n, const float *a, const float *b, float *dist, int *near)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= q) return;
    float least = 1e30f;
    int best = 0;
    for (int j = 0; j < n; j++) {
        float s = 0;
        for (int d = 0; d < 8; d++) {
            float e = a[i * 8 + d] - b[j * 8 + d];
            s += e * e;
        }
        if (s < least) { least = s; best = j; }
    }
    dist[i] = least;
    near[i] = best;
}
