// desc: blocks of 8192 keys with 512 threads: match_any ranks, keys put in order in shared memory, then written in coalesced runs
// plan: scratch int cnt[256*ceil_div(n,8192)];
// plan: scratch int tot[256];
// plan: count<<<ceil_div(n,8192), 512>>>(n, shift, key, cnt, ceil_div(n,8192));
// plan: scan_digits<<<256, 256>>>(ceil_div(n,8192), cnt, tot);
// plan: scan_totals<<<1, 256>>>(tot);
// plan: scatter<<<ceil_div(n,8192), 512, (8192+16*256+512)*4>>>(n, shift, key, cnt, tot, out, ceil_div(n,8192));
__global__ void count(int n, int shift, const uint4 *__restrict__ key, int *cnt, int nb)
{
    __shared__ int h[4][256];
    int t = threadIdx.x;
    for (int i = t; i < 1024; i += 512) h[i >> 8][i & 255] = 0;
    __syncthreads();
    int *mine = h[t >> 5 & 3];
#pragma unroll
    for (int k = 0; k < 4; k++) {
        int i = blockIdx.x * 2048 + k * 512 + t;
        if (i * 4 < n) {
            uint4 v = key[i];
            atomicAdd(&mine[v.x >> shift & 255], 1);
            atomicAdd(&mine[v.y >> shift & 255], 1);
            atomicAdd(&mine[v.z >> shift & 255], 1);
            atomicAdd(&mine[v.w >> shift & 255], 1);
        }
    }
    __syncthreads();
    if (t < 256) cnt[t * nb + blockIdx.x] = h[0][t] + h[1][t] + h[2][t] + h[3][t];
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
__global__ void __launch_bounds__(512) scatter(int n, int shift, const unsigned *__restrict__ key, const int *__restrict__ cnt, const int *__restrict__ tot, unsigned *__restrict__ out, int nb)
{
    extern __shared__ unsigned s[];
    int *c = (int *)s + 8192, *first = c + 16 * 256, *to = first + 256;
    int t = threadIdx.x, w = t >> 5, lane = t & 31, *mine = c + w * 256;
    unsigned k[16];
    unsigned short rank[16];
    for (int i = t; i < 16 * 256; i += 512) c[i] = 0;
    int base = blockIdx.x * 8192 + w * 512 + lane;
#pragma unroll
    for (int r = 0; r < 16; r++) k[r] = key[base + r * 32];
    __syncthreads();
#pragma unroll
    for (int r = 0; r < 16; r++) {
        int d = k[r] >> shift & 255;
        unsigned same = __match_any_sync(~0u, d), below = same & ((1u << lane) - 1);
        int old = mine[d];
        rank[r] = old + __popc(below);
        __syncwarp();
        if (!below) mine[d] = old + __popc(same);
        __syncwarp();
    }
    __syncthreads();
    int sum = 0;
    if (t < 256) {
        for (int j = 0; j < 16; j++) { int v = c[j * 256 + t]; c[j * 256 + t] = sum; sum += v; }
        first[t] = sum;
    }
    __syncthreads();
    for (int o = 1; o < 256; o *= 2) {
        int y = t < 256 && t >= o ? first[t - o] : 0;
        __syncthreads();
        if (t < 256) first[t] += y;
        __syncthreads();
    }
    if (t < 256) {
        int f = first[t] - sum;
        for (int j = 0; j < 16; j++) c[j * 256 + t] += f;
        to[t] = tot[t] + cnt[t * nb + blockIdx.x] - f;
    }
    __syncthreads();
#pragma unroll
    for (int r = 0; r < 16; r++) s[mine[k[r] >> shift & 255] + rank[r]] = k[r];
    __syncthreads();
    for (int i = t; i < 8192; i += 512) { unsigned v = s[i]; out[to[v >> shift & 255] + i] = v; }
}
