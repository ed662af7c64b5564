// desc: thread per counter, ballots, an atomic per warp
// plan: fill(hits, 0);
// plan: mc<<<ceil_div(n,256), 256>>>(n, seed, hits);
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
__device__ __forceinline__ bool in(unsigned a, unsigned b) { float x = (a >> 8) * 0x1p-24f, y = (b >> 8) * 0x1p-24f; return x * x + y * y <= 1.0f; }
__global__ void mc(int n, unsigned seed, int *hits)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    uint4 c = philox(i, seed);
    unsigned a = __ballot_sync(~0u, i < n && in(c.x, c.y)), b = __ballot_sync(~0u, i < n && in(c.z, c.w));
    if (threadIdx.x % 32 == 0) atomicAdd(hits, __popc(a) + __popc(b));
}
