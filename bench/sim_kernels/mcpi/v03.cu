// desc: thread per counter in blocks of 128, tree in shared memory, an atomic per block
// plan: fill(hits, 0);
// plan: mc<<<ceil_div(n,128), 128>>>(n, seed, hits);
__global__ void mc(int n, unsigned seed, int *hits)
{
    __shared__ int s[128];
    int t = threadIdx.x, i = blockIdx.x * 128 + t, count = 0;
    if (i < n) {
        unsigned c0 = i, c1 = 0, c2 = 0, c3 = 0, k0 = seed, k1 = 0xCAFEF00Du;
#pragma unroll
        for (int r = 0; r < 10; r++) {
            unsigned long long p = (unsigned long long)0xD2511F53u * c0, q = (unsigned long long)0xCD9E8D57u * c2;
            c0 = (unsigned)(q >> 32) ^ c1 ^ k0;
            c2 = (unsigned)(p >> 32) ^ c3 ^ k1;
            c1 = (unsigned)q;
            c3 = (unsigned)p;
            k0 += 0x9E3779B9u;
            k1 += 0xBB67AE85u;
        }
        const float u = 1.0f / 16777216.0f;
        float x = (c0 >> 8) * u, y = (c1 >> 8) * u, z = (c2 >> 8) * u, w = (c3 >> 8) * u;
        count = (x * x + y * y <= 1.0f) + (z * z + w * w <= 1.0f);
    }
    s[t] = count;
    __syncthreads();
    for (int o = 64; o; o >>= 1) { if (t < o) s[t] += s[t + o]; __syncthreads(); }
    if (t == 0) atomicAdd(hits, s[0]);
}
