// desc: blocks of 2048 keys: shared histogram, sums by a block per digit, ranks by match_any with counters per warp
// plan: scratch int cnt[256*ceil_div(n,2048)];
// plan: scratch int tot[256];
// plan: count<<<ceil_div(n,2048), 256>>>(n, shift, key, cnt, ceil_div(n,2048));
// plan: scan_digits<<<256, 256>>>(ceil_div(n,2048), cnt, tot);
// plan: scan_totals<<<1, 256>>>(tot);
// plan: scatter<<<ceil_div(n,2048), 256>>>(n, shift, key, cnt, tot, out, ceil_div(n,2048));
__global__ void count(int n, int shift, const unsigned *__restrict__ key, int *cnt, int nb)
{
    __shared__ int h[256];
    h[threadIdx.x] = 0;
    __syncthreads();
    for (int k = 0; k < 8; k++) { int i = blockIdx.x * 2048 + k * 256 + threadIdx.x; if (i < n) atomicAdd(&h[key[i] >> shift & 255], 1); }
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
__global__ void __launch_bounds__(256) scatter(int n, int shift, const unsigned *__restrict__ key, const int *__restrict__ cnt, const int *__restrict__ tot, unsigned *__restrict__ out, int nb)
{
    __shared__ int c[8][256];
    int t = threadIdx.x, w = t >> 5, lane = t & 31, rank[8];
    unsigned k[8];
    for (int i = t; i < 2048; i += 256) c[i >> 8][i & 255] = 0;
    int base = blockIdx.x * 2048 + w * 256 + lane;
#pragma unroll
    for (int r = 0; r < 8; r++) k[r] = base + r * 32 < n ? key[base + r * 32] : ~0u;
    __syncthreads();
#pragma unroll
    for (int r = 0; r < 8; r++) {
        int d = k[r] >> shift & 255;
        unsigned same = __match_any_sync(~0u, d), below = same & ((1u << lane) - 1);
        int old = c[w][d];
        rank[r] = old + __popc(below);
        __syncwarp();
        if (!below) c[w][d] = old + __popc(same);
        __syncwarp();
    }
    __syncthreads();
    int sum = tot[t] + cnt[t * nb + blockIdx.x];
    for (int j = 0; j < 8; j++) { int v = c[j][t]; c[j][t] = sum; sum += v; }
    __syncthreads();
#pragma unroll
    for (int r = 0; r < 8; r++) if (base + r * 32 < n) out[c[w][k[r] >> shift & 255] + rank[r]] = k[r];
}
