// desc: 1056 persistent blocks, coordinates and test in double
// plan: fill(hits, 0);
// plan: mc<<<1056, 256>>>(n, seed, hits);
__global__ void mc(int n, unsigned seed, int *hits)
{
    int count = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        unsigned c[4] = { (unsigned)i, 0, 0, 0 }, k0 = seed, k1 = 0xCAFEF00Du;
#pragma unroll
        for (int r = 0; r < 10; r++) {
            unsigned long long p = 0xD2511F53ull * c[0], q = 0xCD9E8D57ull * c[2];
            unsigned a = (unsigned)(q >> 32) ^ c[1] ^ k0, b = (unsigned)(p >> 32) ^ c[3] ^ k1;
            c[1] = (unsigned)q; c[3] = (unsigned)p; c[0] = a; c[2] = b;
            k0 += 0x9E3779B9u; k1 += 0xBB67AE85u;
        }
        for (int h = 0; h < 4; h += 2) {
            double x = (c[h] >> 8) / 16777216.0, y = (c[h + 1] >> 8) / 16777216.0;
            if (sqrt(x * x + y * y) <= 1.0) count++;
        }
    }
    for (int o = 16; o; o >>= 1) count += __shfl_down_sync(~0u, count, o);
    if (threadIdx.x % 32 == 0) atomicAdd(hits, count);
}
