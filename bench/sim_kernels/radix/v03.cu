// desc: blocks of 256 keys, rank of a key by counting equal digits before it in shared memory
// plan: scratch int cnt[256*ceil_div(n,256)];
// plan: scratch int tot[256];
// plan: count<<<ceil_div(n,256), 256>>>(n, shift, key, cnt, ceil_div(n,256));
// plan: scan_digits<<<256, 256>>>(ceil_div(n,256), cnt, tot);
// plan: scan_totals<<<1, 256>>>(tot);
// plan: scatter<<<ceil_div(n,256), 256>>>(n, shift, key, cnt, tot, out, ceil_div(n,256));
__global__ void count(int n, int shift, const unsigned *key, int *cnt, int nb)
{
    __shared__ int h[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    h[threadIdx.x] = 0;
    __syncthreads();
    if (i < n) atomicAdd(&h[key[i] >> shift & 255], 1);
    __syncthreads();
    cnt[threadIdx.x * nb + blockIdx.x] = h[threadIdx.x];
}
/* block per digit: exclusive sums along its nb counts, the total apart */
__global__ void scan_digits(int nb, int *cnt, int *tot)
{
    __shared__ int s[8];
    int t = threadIdx.x, lane = t & 31, run = 0;
    int *c = cnt + blockIdx.x * nb;
    for (int base = 0; base < nb; base += 256) {
        int i = base + t, v = i < nb ? c[i] : 0, x = v;
        for (int o = 1; o < 32; o *= 2) { int y = __shfl_up_sync(~0u, x, o); if (lane >= o) x += y; }
        if (lane == 31) s[t >> 5] = x;
        __syncthreads();
        int before = 0, all = 0;
        for (int k = 0; k < 8; k++) { if (k < t >> 5) before += s[k]; all += s[k]; }
        if (i < nb) c[i] = run + before + x - v;
        run += all;
        __syncthreads();
    }
    if (t == 0) tot[blockIdx.x] = run;
}
__global__ void scan_totals(int *tot)
{
    __shared__ int s[256];
    int t = threadIdx.x, v = tot[t];
    s[t] = v;
    __syncthreads();
    for (int o = 1; o < 256; o *= 2) { int y = t >= o ? s[t - o] : 0; __syncthreads(); s[t] += y; __syncthreads(); }
    tot[t] = s[t] - v;
}
__global__ void scatter(int n, int shift, const unsigned *key, const int *cnt, const int *tot, unsigned *out, int nb)
{
    __shared__ int s[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    unsigned k = i < n ? key[i] : 0;
    int d = k >> shift & 255, rank = 0;
    s[t] = d;
    __syncthreads();
    for (int j = 0; j < t; j++) if (s[j] == d) rank++;
    if (i < n) out[tot[d] + cnt[d * nb + blockIdx.x] + rank] = k;
}
