// desc: block of 64 queries with 4 threads each over quarters of a shared tile, distances summed in double
// plan: knn<<<ceil_div(q,64), dim3(4,64)>>>(q, n, a, b, dist, near);
__global__ void knn(int q, int n, const float *a, const float *b, float *dist, int *near)
{
    __shared__ float s[128 * 9];
    int l = threadIdx.x, t = threadIdx.y * 4 + l, i = blockIdx.x * 64 + threadIdx.y;
    double p[8], least = 1e30;
    int best = 0;
    for (int d = 0; d < 8; d++) p[d] = i < q ? a[i * 8 + d] : 0;
    for (int base = 0; base < n; base += 128) {
        for (int k = t; k < 1024; k += 256) s[k / 8 * 9 + k % 8] = base * 8 + k < n * 8 ? b[base * 8 + k] : 1e9f;
        __syncthreads();
        for (int j = l; j < 128; j += 4) {
            double r = 0;
#pragma unroll
            for (int d = 0; d < 8; d++) { double e = p[d] - s[j * 9 + d]; r += e * e; }
            if (r < least) { least = r; best = base + j; }
        }
        __syncthreads();
    }
    for (int o = 2; o; o >>= 1) {
        double r = __shfl_xor_sync(~0u, least, o);
        int j = __shfl_xor_sync(~0u, best, o);
        if (r < least || (r == least && j < best)) { least = r; best = j; }
    }
    if (l == 0 && i < q) { dist[i] = least; near[i] = best; }
}
