// desc: block of 256 per row, shared tree of values and places
// plan: am<<<m, 256>>>(n, x, at);
__global__ void am(int n, const float *x, int *at)
{
    __shared__ float v[256];
    __shared__ int p[256];
    int t = threadIdx.x, b = t;
    const float *r = x + (long)blockIdx.x * n;
    for (int j = t; j < n; j += 256) if (r[j] > r[b]) b = j;
    v[t] = r[b]; p[t] = b;
    for (int h = 128; h; h /= 2) {
        __syncthreads();
        if (t < h && (v[t + h] > v[t] || (v[t + h] == v[t] && p[t + h] < p[t]))) v[t] = v[t + h], p[t] = p[t + h];
    }
    if (t == 0) at[blockIdx.x] = p[0];
}
