// desc: open addressing, blocks of 32, second probe by a stride of its own, table twice as full
// plan: scratch int k[cap/2];
// plan: scratch int c[cap/2];
// plan: fill(k, -1);
// plan: fill(c, 0);
// plan: put<<<ceil_div(n,32), 32>>>(n, cap/2-1, key, k, c);
// plan: get<<<ceil_div(n,32), 32>>>(n, cap/2-1, key, k, c, y);
__device__ unsigned mix(unsigned k) { k ^= k >> 16; k *= 0x85ebca6bu; k ^= k >> 13; k *= 0xc2b2ae35u; return k ^ k >> 16; }
__global__ void put(int n, unsigned mask, const int *key, int *k, int *c)
{
    int i = blockIdx.x * 32 + threadIdx.x;
    if (i >= n) return;
    int e = key[i];
    unsigned h = mix(e), d = h >> 7 | 1;
    for (h &= mask; ; h = (h + d) & mask) {
        int old = ((volatile int *)k)[h];
        if (old == -1) old = atomicCAS(&k[h], -1, e);
        if (old == -1 || old == e) { atomicAdd(&c[h], 1); return; }
    }
}
__global__ void get(int n, unsigned mask, const int *key, const int *k, const int *c, int *y)
{
    int i = blockIdx.x * 32 + threadIdx.x;
    if (i >= n) return;
    int e = key[i];
    unsigned h = mix(e), d = h >> 7 | 1;
    for (h &= mask; k[h] != e; h = (h + d) & mask) { }
    y[i] = c[h];
}
