// desc: a block of 256 per digit goes over all keys, eight a thread, and packs its own in order; starts from a histogram with global atomics
// plan: scratch int h[256];
// plan: fill(h, 0);
// plan: histogram<<<ceil_div(n,256), 256>>>(n, shift, key, h);
// plan: pack<<<256, 256>>>(n, shift, key, h, out);
__global__ void histogram(int n, int shift, const unsigned *key, int *h)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) atomicAdd(&h[key[i] >> shift & 255], 1);
}
__global__ void pack(int n, int shift, const uint4 *key, const int *h, unsigned *out)
{
    __shared__ int s[8];
    int t = threadIdx.x, lane = t & 31, w = t >> 5, to = 0;
    unsigned mine = blockIdx.x;
    for (int d = 0; d < mine; d++) to += h[d];
    for (int base = 0; base < n; base += 2048) {
        int i = base + t * 8;
        __align__(16) unsigned k[8];
        unsigned hit = 0;
        if (i < n) {
            *(uint4 *)k = key[i / 4];
            *(uint4 *)(k + 4) = key[i / 4 + 1];
            for (int j = 0; j < 8; j++) if ((k[j] >> shift & 255) == mine) hit |= 1u << j;
        }
        int c = __popc(hit), x = c;
        for (int o = 1; o < 32; o *= 2) { int y = __shfl_up_sync(~0u, x, o); if (lane >= o) x += y; }
        if (lane == 31) s[w] = x;
        __syncthreads();
        int at = to + x - c;
        for (int j = 0; j < 8; j++) { if (j < w) at += s[j]; to += s[j]; }
        if (hit) for (int j = 0; j < 8; j++) if (hit >> j & 1) out[at++] = k[j];
        __syncthreads();
    }
}
