// desc: all random numbers written to memory first as a library would, then counted by a grid-stride kernel
// plan: scratch unsigned rnd[4*n];
// plan: fill(hits, 0);
// plan: generate<<<ceil_div(n,256), 256>>>(n, seed, rnd);
// plan: count<<<528, 256>>>(n, rnd, hits);
__global__ void generate(int n, unsigned seed, uint4 *rnd)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= n) return;
    uint4 c = make_uint4(i, 0, 0, 0);
    unsigned k0 = seed, k1 = 0xCAFEF00Du;
#pragma unroll
    for (int r = 0; r < 10; r++) {
        unsigned ph = __umulhi(0xD2511F53u, c.x), pl = 0xD2511F53u * c.x, qh = __umulhi(0xCD9E8D57u, c.z), ql = 0xCD9E8D57u * c.z;
        c = make_uint4(qh ^ c.y ^ k0, ql, ph ^ c.w ^ k1, pl);
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    rnd[i] = c;
}
__global__ void count(int n, const uint4 *rnd, int *hits)
{
    __shared__ int s;
    if (threadIdx.x == 0) s = 0;
    __syncthreads();
    int v = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        uint4 c = rnd[i];
        float x = (c.x >> 8) * 0x1p-24f, y = (c.y >> 8) * 0x1p-24f, z = (c.z >> 8) * 0x1p-24f, w = (c.w >> 8) * 0x1p-24f;
        v += (x * x + y * y <= 1.f) + (z * z + w * w <= 1.f);
    }
    atomicAdd(&s, v);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(hits, s);
}
