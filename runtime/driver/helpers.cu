// Our own kernels on a real device: hashing, guard zones, wide fills, the L2 flush and the kernel that holds the stream.
// helpers_ptx.inc is made from this file by tools/gen-helpers.sh and loaded as PTX before anything is locked down.
typedef unsigned long long u64;

__device__ static u64 mix(u64 x)
{
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

// A sum over words of mix(word, index): independent of the order in which threads add.
extern "C" __global__ void rg_hash(const unsigned char *data, u64 bytes, u64 *sum)
{
    u64 words = bytes / 8, stride = (u64)gridDim.x * blockDim.x, s = 0;
    const u64 *w = (const u64 *)data;
    for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < words; i += stride) s += mix(w[i] ^ mix(i));
    if (blockIdx.x == 0 && threadIdx.x == 0 && bytes % 8) {
        u64 tail = 0;
        for (u64 i = words * 8; i < bytes; i++) tail = tail << 8 | data[i];
        s += mix(tail ^ mix(words + bytes));
    }
    for (int d = 16; d; d >>= 1) s += __shfl_xor_sync(0xffffffffu, s, d);
    if (threadIdx.x % 32 == 0) atomicAdd(sum, s);
}

// A reference on the device is kept so that no kernel finds it there and copies it.
extern "C" __global__ void rg_veil(unsigned char *data, u64 n, int bytes, u64 key)
{
    u64 stride = (u64)gridDim.x * blockDim.x;
    for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        if (bytes == 8) ((u64 *)data)[i] ^= mix(i ^ key);
        else ((unsigned *)data)[i] ^= (unsigned)mix(i ^ key);
}

__device__ static double real_at(const unsigned char *data, u64 i, int bytes, u64 veil)
{
    return bytes == 8 ? __longlong_as_double((long long)(((const u64 *)data)[i] ^ veil)) : (double)__uint_as_float(((const unsigned *)data)[i] ^ (unsigned)veil);
}

// How many reals are not surely right: what runtime/data/compare.c tolerates at once.
extern "C" __global__ void rg_compare(const unsigned char *got, int got_bytes, const unsigned char *veiled, int ref_bytes, u64 key, u64 n,
                                      double slack, double rtol, double base, double fixed, double ulps, u64 *odd)
{
    u64 stride = (u64)gridDim.x * blockDim.x, bad = 0;
    for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        double r = real_at(veiled, i, ref_bytes, mix(i ^ key)), d = fabs(real_at(got, i, got_bytes, 0) - r), size = fabs(r);
        bad += !(d <= fmax(slack + rtol * size, base) && d <= fixed + ulps * size && d < __longlong_as_double(0x7ff0000000000000ll));
    }
    for (int d = 16; d; d >>= 1) bad += __shfl_xor_sync(0xffffffffu, bad, d);
    if (threadIdx.x % 32 == 0 && bad) atomicAdd(odd, bad);
}

// One block a zone; bad[zone], all ones before, becomes the lowest index (in words of 4 bytes) that lost the pattern.
extern "C" __global__ void rg_guard(const u64 *zones, unsigned words, unsigned pattern, unsigned *bad)
{
    const unsigned *z = (const unsigned *)zones[blockIdx.x];
    for (unsigned i = threadIdx.x; i < words; i += blockDim.x)
        if (z[i] != pattern) atomicMin(&bad[blockIdx.x], i);
}

extern "C" __global__ void rg_fill64(u64 *to, u64 n, u64 value)
{
    u64 stride = (u64)gridDim.x * blockDim.x;
    for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) to[i] = value;
}

// Reading evicts without leaving dirty lines whose write-back the next kernel would pay for.
extern "C" __global__ void rg_flush(const uint4 *data, u64 n, unsigned *sink)
{
    u64 stride = (u64)gridDim.x * blockDim.x;
    unsigned s = 0;
    for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        uint4 v = data[i];
        s ^= v.x ^ v.y ^ v.z ^ v.w;
    }
    if (s == 0x5eed5eedu) *sink = s;
}

// Cycles of this multiprocessor and nanoseconds between two ticks of the global timer, which on some devices comes once a microsecond only: both
// counts begin and end right behind one. The bound is for a timer that stands still.
extern "C" __global__ void rg_clock(u64 *cycles_ns, u64 span_ns)
{
    u64 first, start, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(first));
    start = first;
    for (int i = 0; i < 1 << 16 && start == first; i++) asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
    long long c0 = clock64();
    t = start;
    for (int i = 0; i < 1 << 16 && t - start < span_ns; i++) asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    cycles_ns[0] = (u64)(clock64() - c0);
    cycles_ns[1] = t - start;
}

// Fused multiply-adds that depend on nothing but themselves, 8 chains a thread: 16 operations a thread and round.
template <class T> __device__ static void chains(T *sink, T a, T b, int rounds)
{
    T x[8];
    for (int i = 0; i < 8; i++) x[i] = (T)(threadIdx.x + i);
    for (int r = 0; r < rounds; r += 8)
#pragma unroll
        for (int u = 0; u < 8; u++)
#pragma unroll
            for (int i = 0; i < 8; i++) x[i] = x[i] * a + b;
    T s = x[0] + x[1] + x[2] + x[3] + x[4] + x[5] + x[6] + x[7];
    if (s == (T)0.12345) *sink = s;
}
extern "C" __global__ void rg_fma32(float *sink, float a, float b, int rounds) { chains(sink, a, b, rounds); }
extern "C" __global__ void rg_fma64(double *sink, double a, double b, int rounds) { chains(sink, a, b, rounds); }

// Keeps the stream busy until the host raises the flag, so that what is queued behind runs back to back. Gives up by itself
// after `limit_ns`: a host that died must not hang the device.
extern "C" __global__ void rg_hold(volatile unsigned *flag, u64 limit_ns)
{
    u64 t0, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    } while (!*flag && t - t0 < limit_ns);
}
