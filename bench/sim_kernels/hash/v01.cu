// desc: open addressing by compare-and-swap, keys and counts in two arrays, linear probing, then looked up
// plan: scratch int k[cap];
// plan: scratch int c[cap];
// plan: fill(k, -1);
// plan: fill(c, 0);
// plan: put<<<ceil_div(n,256), 256>>>(n, cap-1, key, k, c);
// plan: get<<<ceil_div(n,256), 256>>>(n, cap-1, key, k, c, y);
__device__ unsigned mix(unsigned k) { k ^= k >> 16; k *= 0x85ebca6bu; k ^= k >> 13; k *= 0xc2b2ae35u; return k ^ k >> 16; }
__global__ void put(int n, unsigned mask, const int *key, int *k, int *c)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= n) return;
    int e = key[i];
    for (unsigned h = mix(e) & mask; ; h = (h + 1) & mask) {
        int old = atomicCAS(&k[h], -1, e);
        if (old == -1 || old == e) { atomicAdd(&c[h], 1); return; }
    }
}
__global__ void get(int n, unsigned mask, const int *key, const int *k, const int *c, int *y)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= n) return;
    int e = key[i];
    unsigned h = mix(e) & mask;
    while (k[h] != e) h = (h + 1) & mask;
    y[i] = c[h];
}
