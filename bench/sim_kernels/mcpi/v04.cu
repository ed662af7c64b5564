// desc: 1056 persistent blocks of 256, count in a register, shuffles, an atomic per block
// plan: fill(hits, 0);
// plan: mc<<<1056, 256>>>(n, seed, hits);
__device__ __forceinline__ uint4 philox(unsigned i, unsigned k0)
{
    uint4 c = make_uint4(i, 0, 0, 0);
    unsigned k1 = 0xCAFEF00Du;
#pragma unroll
    for (int r = 0; r < 10; r++) {
        unsigned ph = __umulhi(0xD2511F53u, c.x), pl = 0xD2511F53u * c.x, qh = __umulhi(0xCD9E8D57u, c.z), ql = 0xCD9E8D57u * c.z;
        c = make_uint4(qh ^ c.y ^ k0, ql, ph ^ c.w ^ k1, pl);
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    return c;
}
__global__ void __launch_bounds__(256) mc(int n, unsigned seed, int *hits)
{
    __shared__ int s[8];
    int t = threadIdx.x, count = 0;
    for (int i = blockIdx.x * 256 + t; i < n; i += 1056 * 256) {
        uint4 c = philox(i, seed);
        float x = (c.x >> 8) * 0x1p-24f, y = (c.y >> 8) * 0x1p-24f, z = (c.z >> 8) * 0x1p-24f, w = (c.w >> 8) * 0x1p-24f;
        count += x * x + y * y <= 1.f;
        count += z * z + w * w <= 1.f;
    }
    count = __reduce_add_sync(~0u, count);
    if (!(t & 31)) s[t >> 5] = count;
    __syncthreads();
    if (t < 8) {
        count = s[t];
        for (int o = 4; o; o >>= 1) count += __shfl_xor_sync(0xFFu, count, o);
        if (!t) atomicAdd(hits, count);
    }
}
