// desc: a partial count per block into scratch, one block of 1024 adds them up; 16 counters a thread
// plan: scratch int part[ceil_div(n,4096)];
// plan: mc<<<ceil_div(n,4096), 256>>>(n, seed, part);
// plan: last<<<1, 1024>>>(ceil_div(n,4096), part, hits);
__device__ void rounds(unsigned *c, unsigned k0)
{
    unsigned k1 = 0xCAFEF00Du;
    for (int r = 0; r < 10; r++) {
        unsigned long long p = 0xD2511F53ull * c[0], q = 0xCD9E8D57ull * c[2];
        c[0] = (unsigned)(q >> 32) ^ c[1] ^ k0;
        c[2] = (unsigned)(p >> 32) ^ c[3] ^ k1;
        c[1] = (unsigned)q;
        c[3] = (unsigned)p;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
}
__device__ int total(int v, int *s)
{
    int t = threadIdx.x;
    s[t] = v;
    __syncthreads();
    for (int o = blockDim.x / 2; o; o >>= 1) { if (t < o) s[t] += s[t + o]; __syncthreads(); }
    return s[0];
}
__global__ void mc(int n, unsigned seed, int *part)
{
    __shared__ int s[256];
    int count = 0;
    for (int k = 0; k < 16; k++) {
        int i = blockIdx.x * 4096 + k * 256 + threadIdx.x;
        if (i >= n) break;
        unsigned c[4] = { (unsigned)i, 0, 0, 0 };
        rounds(c, seed);
        float f[4];
        for (int j = 0; j < 4; j++) f[j] = (c[j] >> 8) / 16777216.0f;
        if (f[0] * f[0] + f[1] * f[1] <= 1) count++;
        if (f[2] * f[2] + f[3] * f[3] <= 1) count++;
    }
    count = total(count, s);
    if (threadIdx.x == 0) part[blockIdx.x] = count;
}
__global__ void last(int n, const int *part, int *hits)
{
    __shared__ int s[1024];
    int v = 0;
    for (int i = threadIdx.x; i < n; i += 1024) v += part[i];
    v = total(v, s);
    if (threadIdx.x == 0) *hits = v;
}
