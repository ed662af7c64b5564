// desc: key and count in one 64-bit word, a look before the compare-and-swap, place remembered
// plan: scratch unsigned long long w[cap];
// plan: scratch int at[n];
// plan: fill(w, 0);
// plan: put<<<ceil_div(n,128), 128>>>(n, cap-1, key, w, at);
// plan: get<<<ceil_div(n,128), 128>>>(n, w, at, y);
__device__ unsigned mix(unsigned k) { k ^= k >> 16; k *= 0x85ebca6bu; k ^= k >> 13; k *= 0xc2b2ae35u; return k ^ k >> 16; }
__global__ void put(int n, unsigned mask, const int *__restrict__ key, unsigned long long *w, int *at)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i >= n) return;
    unsigned e = key[i] + 1, h = mix(e) & mask;
    for (;; h = (h + 1) & mask) {
        unsigned long long v = ((volatile unsigned long long *)w)[h];
        if (v == 0) v = atomicCAS(&w[h], 0ull, (unsigned long long)e << 32);
        if (v == 0 || v >> 32 == e) break;
    }
    atomicAdd(&w[h], 1ull);
    at[i] = h;
}
__global__ void get(int n, const unsigned long long *__restrict__ w, const int *__restrict__ at, int *__restrict__ y)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n) y[i] = (int)(w[at[i]] & 0xffffffffu);
}
