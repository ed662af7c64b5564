// desc: packed keys, 8 blocks of 256 a row, warps by shuffles, one atomicMax a warp
// plan: scratch unsigned long long k[m];
// plan: fill(k, 0);
// plan: am<<<dim3(8,m), 256>>>(n, x, k);
// plan: out<<<ceil_div(m,256), 256>>>(m, k, at);
__device__ unsigned long long pack(float v, int j) { unsigned b = __float_as_uint(v); b = b >> 31 ? ~b : b | 0x80000000u; return (unsigned long long)b << 32 | (unsigned)~j; }
__global__ void am(int n, const float4 *__restrict__ x, unsigned long long *k)
{
    const float4 *r = x + (long)blockIdx.y * (n / 4);
    unsigned long long b = 0;
    for (int j = blockIdx.x * 256 + threadIdx.x; j < n / 4; j += 2048) {
        float4 q = r[j];
        b = max(max(b, pack(q.x, 4 * j)), max(max(pack(q.y, 4 * j + 1), pack(q.z, 4 * j + 2)), pack(q.w, 4 * j + 3)));
    }
    for (int o = 16; o; o /= 2) b = max(b, __shfl_xor_sync(~0u, b, o));
    if (!(threadIdx.x & 31)) atomicMax(&k[blockIdx.y], b);
}
__global__ void out(int m, const unsigned long long *k, int *at) { int i = blockIdx.x * 256 + threadIdx.x; if (i < m) at[i] = (int)~(unsigned)k[i]; }
