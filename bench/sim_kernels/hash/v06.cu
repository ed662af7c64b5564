// desc: buckets of 8 slots with a lock each (a lane at a time takes the lock), 128
// plan: scratch int slot[cap];
// plan: scratch int c[cap];
// plan: scratch int lock[cap/8];
// plan: fill(slot, -1);
// plan: fill(c, 0);
// plan: fill(lock, 0);
// plan: put<<<ceil_div(n,128), 128>>>(n, cap/8-1, key, slot, c, lock);
// plan: get<<<ceil_div(n,128), 128>>>(n, cap/8-1, key, slot, c, y);
__device__ unsigned mix(unsigned k) { k ^= k >> 16; k *= 0x85ebca6bu; k ^= k >> 13; k *= 0xc2b2ae35u; return k ^ k >> 16; }
__global__ void put(int n, unsigned mask, const int *key, int *slot, int *c, int *lock)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i >= n) return;
    int e = key[i];
    for (unsigned h = mix(e) & mask; ; h = (h + 1) & mask) {
        volatile int *s = slot + 8 * h, *d = c + 8 * h;
        bool done = false, held = false;
        while (!held) {
            if (atomicCAS(&lock[h], 0, 1) == 0) {
                __threadfence();
                for (int q = 0; q < 8 && !done; q++)
                    if (s[q] == e || s[q] == -1) { s[q] = e; d[q] = d[q] + 1; done = true; }
                __threadfence();
                atomicExch(&lock[h], 0);
                held = true;
            }
        }
        if (done) return;
    }
}
__global__ void get(int n, unsigned mask, const int *key, const int *slot, const int *c, int *y)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i >= n) return;
    int e = key[i];
    for (unsigned h = mix(e) & mask; ; h = (h + 1) & mask)
        for (int q = 0; q < 8; q++) if (slot[8 * h + q] == e) { y[i] = c[8 * h + q]; return; }
}
