// desc: blocks of 1024 keys sorted in shared memory by eight one-bit splits with ballots, then runs written out
// plan: scratch int cnt[256*ceil_div(n,1024)];
// plan: scratch int tot[256];
// plan: count<<<ceil_div(n,1024), 1024>>>(n, shift, key, cnt, ceil_div(n,1024));
// plan: scan_digits<<<256, 256>>>(ceil_div(n,1024), cnt, tot);
// plan: scan_totals<<<1, 256>>>(tot);
// plan: scatter<<<ceil_div(n,1024), 1024>>>(n, shift, key, cnt, tot, out, ceil_div(n,1024));
__global__ void count(int n, int shift, const unsigned *key, int *cnt, int nb)
{
    __shared__ int h[256];
    int t = threadIdx.x, i = blockIdx.x * 1024 + t;
    if (t < 256) h[t] = 0;
    __syncthreads();
    if (i < n) atomicAdd(&h[key[i] >> shift & 255], 1);
    __syncthreads();
    if (t < 256) cnt[t * nb + blockIdx.x] = h[t];
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
__global__ void __launch_bounds__(1024) scatter(int n, int shift, const unsigned *key, const int *cnt, const int *tot, unsigned *out, int nb)
{
    __shared__ unsigned s[1024];
    __shared__ int ws[32], first[256];
    int t = threadIdx.x, lane = t & 31, w = t >> 5, i = blockIdx.x * 1024 + t, m = min(1024, n - blockIdx.x * 1024);
    unsigned k = i < n ? key[i] : ~0u;
    for (int b = 0; b < 8; b++) {
        int one = k >> (shift + b) & 1;
        unsigned zeros = __ballot_sync(~0u, !one);
        if (lane == 0) ws[w] = __popc(zeros);
        __syncthreads();
        if (w == 0) {
            int x = ws[lane];
            for (int o = 1; o < 32; o *= 2) { int y = __shfl_up_sync(~0u, x, o); if (lane >= o) x += y; }
            ws[lane] = x;
        }
        __syncthreads();
        int z = (w ? ws[w - 1] : 0) + __popc(zeros & ((1u << lane) - 1)), p = one ? ws[31] + t - z : z;
        s[p] = k;
        __syncthreads();
        k = s[t];
        __syncthreads();
    }
    int d = k >> shift & 255;
    if (t == 0 || (s[t - 1] >> shift & 255) != d) first[d] = t;
    __syncthreads();
    if (t < m) out[tot[d] + cnt[d * nb + blockIdx.x] + t - first[d]] = k;
}
