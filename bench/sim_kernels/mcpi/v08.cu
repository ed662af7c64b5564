// desc: 32 blocks of 128 threads striding: too few
// plan: fill(hits, 0);
// plan: mc<<<32, 128>>>(n, seed, hits);
__global__ void mc(int n, unsigned seed, int *hits)
{
    int count = 0;
    for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += 32 * 128) {
        unsigned c0 = i, c1 = 0, c2 = 0, c3 = 0, k0 = seed, k1 = 0xCAFEF00Du;
#pragma unroll
        for (int r = 0; r < 10; r++) {
            unsigned ph = __umulhi(0xD2511F53u, c0), pl = 0xD2511F53u * c0, qh = __umulhi(0xCD9E8D57u, c2), ql = 0xCD9E8D57u * c2;
            c0 = qh ^ c1 ^ k0; c1 = ql; c2 = ph ^ c3 ^ k1; c3 = pl;
            k0 += 0x9E3779B9u; k1 += 0xBB67AE85u;
        }
        float x = (c0 >> 8) * 0x1p-24f, y = (c1 >> 8) * 0x1p-24f, z = (c2 >> 8) * 0x1p-24f, w = (c3 >> 8) * 0x1p-24f;
        if (x * x + y * y <= 1.f) count++;
        if (z * z + w * w <= 1.f) count++;
    }
    atomicAdd(hits, count);
}
