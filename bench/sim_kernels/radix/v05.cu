// desc: two passes of four bits, eight consecutive keys a thread, counters of 16 digits by 256 threads in shared memory
// plan: scratch unsigned mid[n];
// plan: scratch int cnt[16*ceil_div(n,2048)];
// plan: count<<<ceil_div(n,2048), 256>>>(n, shift, key, cnt, ceil_div(n,2048));
// plan: scan<<<1, 1024>>>(16*ceil_div(n,2048), cnt);
// plan: scatter<<<ceil_div(n,2048), 256>>>(n, shift, key, cnt, mid, ceil_div(n,2048));
// plan: count<<<ceil_div(n,2048), 256>>>(n, shift+4, mid, cnt, ceil_div(n,2048));
// plan: scan<<<1, 1024>>>(16*ceil_div(n,2048), cnt);
// plan: scatter<<<ceil_div(n,2048), 256>>>(n, shift+4, mid, cnt, out, ceil_div(n,2048));
__global__ void count(int n, int shift, const unsigned *key, int *cnt, int nb)
{
    __shared__ int h[16];
    if (threadIdx.x < 16) h[threadIdx.x] = 0;
    __syncthreads();
    for (int k = 0; k < 8; k++) {
        int i = blockIdx.x * 2048 + k * 256 + threadIdx.x;
        if (i < n) atomicAdd(&h[key[i] >> shift & 15], 1);
    }
    __syncthreads();
    if (threadIdx.x < 16) cnt[threadIdx.x * nb + blockIdx.x] = h[threadIdx.x];
}
__global__ void scan(int n, int *cnt)
{
    __shared__ int s[1024];
    int t = threadIdx.x, run = 0;
    for (int base = 0; base < n; base += 1024) {
        int v = base + t < n ? cnt[base + t] : 0;
        s[t] = v;
        __syncthreads();
        for (int o = 1; o < 1024; o *= 2) { int y = t >= o ? s[t - o] : 0; __syncthreads(); s[t] += y; __syncthreads(); }
        if (base + t < n) cnt[base + t] = run + s[t] - v;
        run += s[1023];
        __syncthreads();
    }
}
__global__ void scatter(int n, int shift, const unsigned *key, const int *cnt, unsigned *out, int nb)
{
    __shared__ int c[16][256], part[256], start[16];
    int t = threadIdx.x, first = blockIdx.x * 2048 + t * 8;
    unsigned k[8];
    for (int d = 0; d < 16; d++) c[d][t] = 0;
    for (int r = 0; r < 8; r++) if (first + r < n) { k[r] = key[first + r]; c[k[r] >> shift & 15][t]++; }
    __syncthreads();
    /* exclusive sums over the 4096 counters, 16 a thread */
    int *flat = &c[0][0], sum = 0;
    for (int j = 0; j < 16; j++) { int v = flat[t * 16 + j]; flat[t * 16 + j] = sum; sum += v; }
    part[t] = sum;
    __syncthreads();
    for (int o = 1; o < 256; o *= 2) { int y = t >= o ? part[t - o] : 0; __syncthreads(); part[t] += y; __syncthreads(); }
    for (int j = 0; j < 16; j++) flat[t * 16 + j] += part[t] - sum;
    __syncthreads();
    if (t < 16) start[t] = cnt[t * nb + blockIdx.x] - c[t][0];
    __syncthreads();
    for (int r = 0; r < 8; r++) if (first + r < n) { int d = k[r] >> shift & 15; out[start[d] + c[d][t]++] = k[r]; }
}
