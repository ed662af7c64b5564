// Kernels whose control or addresses depend on data, scalar arithmetic, protocols between threads. Compiled together with plain.cu, whose macros it uses.

__global__ void spmv_warp(ARGS) // rows of 1..32 entries at k
{
    int row = ID / 32, lane = threadIdx.x & 31, len = (row * 7) % 32 + 1, from = row * 32;
    float v = 0;
    for (int i = lane; i < len; i += 32) v += x[from + i] * __ldg(&z[k[from + i] & 1023]);
    for (int o = 16; o; o >>= 1) v += __shfl_down_sync(0xffffffffu, v, o);
    if (!lane) Y[row] = v;
}

__global__ void bfs_step(ARGS) // a plain look before the atomic; zero[]: distances
{
    int v = ID;
    for (int e = 0; e < 4; e++) {
        int to = (k[(v * 4 + e) & 1023] * 31 + e) & 255;
        if (zero[to] == 0) atomicCAS(&zero[to], 0, 1);
    }
}

__device__ void atomic_max_float(float *p, float v)
{
    int *q = (int *)p, old = *q;
    while (__int_as_float(old) < v) {
        int seen = old;
        old = atomicCAS(q, seen, __float_as_int(v));
        if (old == seen) break;
    }
}
__global__ void max_cas(ARGS) { atomic_max_float((float *)&zero[threadIdx.x & 3], fabsf(x[ID])); }

__device__ double atomic_add_double(double *p, double v) // as in the programming guide
{
    unsigned long long *q = (unsigned long long *)p, old = *q, seen;
    do {
        seen = old;
        old = atomicCAS(q, seen, __double_as_longlong(v + __longlong_as_double(seen)));
    } while (seen != old);
    return __longlong_as_double(old);
}
__global__ void sum_cas(ARGS) { atomic_add_double((double *)zero, d[ID]); }

__global__ void bits(ARGS)
{
    unsigned v = (unsigned)k[ID] * 2654435761u;
    YI[ID] = __popc(v) + __clz(v) * 3 + __ffs(v) * 5 + (__brev(v) >> 7) + __byte_perm(v, ~v, 0x3610) + __funnelshift_l(v, v, 11) + __funnelshift_rc(v, ~v, 40) +
             (int)__popcll((unsigned long long)v << 13) + __clzll((long long)v) + (v >> 3 & 0xff) + __sad(k[ID], 50, 7u) + __mul24(k[ID], 77) + __mulhi(k[ID], 1 << 30) +
             __umulhi(v, v) + __vaddus4(v, 0x10f03040u) + __dp4a((int)v, 0x01ff0203, 5);
}

__global__ void bitonic(ARGS)
{
    __shared__ int s[512];
    int t = threadIdx.x;
    s[t] = k[t], s[t + 256] = k[t + 256];
    for (int size = 2; size <= 512; size *= 2)
        for (int o = size / 2; o > 0; o >>= 1) {
            __syncthreads();
            int i = 2 * t - (t & (o - 1)), up = (t & (size / 2)) == 0;
            int a = s[i], b = s[i + o];
            if ((a > b) == up) s[i] = b, s[i + o] = a;
        }
    __syncthreads();
    YI[t] = s[t], YI[t + 256] = s[t + 256];
}

__global__ void split_ballot(ARGS) // stable partition by the lowest bit, a warp
{
    int lane = threadIdx.x, v = k[ID];
    unsigned odd = __ballot_sync(0xffffffff, v & 1), below = (1u << lane) - 1;
    int at = v & 1 ? __popc(~odd) + __popc(odd & below) : __popc(~odd & below);
    YI[blockIdx.x * 32 + at] = v;
}

__global__ void local_array(ARGS)
{
    int a[16], i = ID;
    for (int j = 0; j < 16; j++) a[j] = k[(i + j) % n];
    for (int j = 1; j < 16; j++) { // insertion sort
        int v = a[j], p = j;
        while (p > 0 && a[p - 1] > v) a[p] = a[p - 1], p--;
        a[p] = v;
    }
    YI[i] = a[k[i] & 15];
}

__device__ float branch(int c, float v)
{
    switch (c) {
    case 0: return v + 1;
    case 1: return v * 2;
    case 2: return v * v;
    case 3: return -v;
    case 4: return v - 3;
    case 5: return fabsf(v);
    case 6: return v / 4;
    case 7: return sqrtf(fabsf(v));
    case 8: return floorf(v);
    case 9: return fminf(v, 0.5f);
    default: return 42;
    }
}
__global__ void switch_table(ARGS) { Y[ID] = branch(k[ID] % 12, x[ID]); }

__global__ void carries(ARGS)
{
    unsigned a = (unsigned)k[ID] * 0x9e3779b9u, b = ~a, lo, hi, top;
    asm("add.cc.u32 %0, %3, %4;\n\taddc.cc.u32 %1, %4, %4;\n\taddc.u32 %2, 0, 0;" : "=r"(lo), "=r"(hi), "=r"(top) : "r"(a), "r"(b | 1));
    unsigned long long p = (unsigned long long)a * 0x123456789abcdefull;
    unsigned __int128 wide = (unsigned __int128)p * ~p + lo;
    YI[ID] = (int)(lo ^ hi ^ top ^ (unsigned)__umul64hi(p, ~p) ^ (unsigned)(wide >> 77));
}

__global__ void math_double(ARGS)
{
    double v = d[ID], a = fabs(v) + 0.5;
    YD[ID] = sin(v) + cos(100 * v) * exp(v / 8) + log(a) - pow(a, 1.7) + atan2(v, a) + erf(v) + cbrt(v) + tgamma(a) + hypot(v, 2.0) + fmod(v, 0.3) + rsqrt(a) + tanh(v) + sinpi(v);
}

__global__ void math_float(ARGS)
{
    float v = x[ID], a = fabsf(v) + 0.25f, s, c;
    sincosf(v, &s, &c);
    Y[ID] = s * c + expf(v) * 0.1f + logf(a) + powf(a, 1.3f) + tanhf(v) + erff(v) + __sinf(v) + __logf(a) + exp2f(v) + log1pf(a) + rsqrtf(a) + cbrtf(v) + atanf(v) + copysignf(a, v) +
            truncf(v * 3) + rintf(v * 5) + ldexpf(v, 3) + fmodf(v, 0.7f) + normcdff(v);
}

__global__ void dot_double(ARGS)
{
    __shared__ double s[128];
    double v = 0;
    for (int i = threadIdx.x; i < n; i += 128) v = fma(d[i], (double)x[i], v);
    s[threadIdx.x] = v;
    __syncthreads();
    for (int o = 64; o; o >>= 1) {
        if (threadIdx.x < o) s[threadIdx.x] += s[threadIdx.x + o];
        __syncthreads();
    }
    if (!threadIdx.x) YD[0] = s[0];
}

__device__ unsigned xorshift(unsigned &s) { s ^= s << 13; s ^= s >> 17; s ^= s << 5; return s; }
__global__ void monte_carlo(ARGS)
{
    unsigned s = ID * 747796405u + 2891336453u;
    int in = 0;
    for (int i = 0; i < 100; i++) {
        float a = xorshift(s) * 2.3283064e-10f, b = xorshift(s) * 2.3283064e-10f;
        in += a * a + b * b < 1;
    }
    YI[ID] = in;
}

__global__ void shared_pool(ARGS) // several arrays in one dynamic allocation
{
    extern __shared__ char pool[];
    double *pd = (double *)pool;
    float *pf = (float *)(pd + 64);
    short *ps = (short *)(pf + 64);
    unsigned char *pb = (unsigned char *)(ps + 64);
    int t = threadIdx.x;
    pd[t] = d[t], pf[t] = x[t], ps[t] = (short)k[t], pb[t] = (unsigned char)k[63 - t];
    __syncthreads();
    int u = 63 - t;
    Y[t] = (float)pd[u] + pf[u ^ 1] + ps[u ^ 3] + pb[u];
}

struct Params { float scale; int shift[3]; double offset; };
struct Point { float a, b, c; };
__device__ float apply(Params p, const Point &q) { return p.scale * q.a + q.b * p.shift[1] + q.c + (float)p.offset; }
__global__ void structs(ARGS)
{
    Params p = {x[0], {1, k[1], 3}, d[2]};
    Y[ID] = apply(p, ((const Point *)x)[ID]);
}

__global__ void mandelbrot(ARGS)
{
    float cr = (ID % 32) / 12.0f - 2, ci = (ID / 32) / 12.0f - 1.3f, a = 0, b = 0;
    int i = 0;
    while (a * a + b * b < 4 && i < 60) {
        float t = a * a - b * b + cr;
        b = 2 * a * b + ci;
        a = t;
        i++;
    }
    YI[ID] = i;
}

__global__ void nbody_tile(ARGS)
{
    __shared__ float4 p[64];
    int i = ID;
    float ax = 0, ay = 0;
    for (int b = 0; b < 256; b += 64) {
        p[threadIdx.x] = make_float4(x[b + threadIdx.x], z[b + threadIdx.x], 0, 1 + (b + threadIdx.x) % 3);
        __syncthreads();
        for (int j = 0; j < 64; j++) {
            float dx = p[j].x - x[i], dy = p[j].y - z[i], r = rsqrtf(dx * dx + dy * dy + 0.01f), f = p[j].w * r * r * r;
            ax += dx * f, ay += dy * f;
        }
        __syncthreads();
    }
    Y[2 * i] = ax, Y[2 * i + 1] = ay;
}

__device__ int find(int *parent, int v)
{
    while (parent[v] != v) v = parent[v];
    return v;
}
__global__ void union_find(ARGS) // zero[] is filled first, by the block itself
{
    int t = threadIdx.x;
    zero[t] = t;
    __syncthreads();
    int a = t, b = (t * 5 + 4) % 256 / 4 * 4 + t % 4;
    while (true) {
        a = find(zero, a), b = find(zero, b);
        if (a == b) break;
        if (a < b) { int c = a; a = b; b = c; }
        if (atomicCAS(&zero[a], a, b) == a) break;
    }
    __syncthreads();
    YI[t] = find(zero, t);
}

__global__ void spin_lock(ARGS)
{
    if (threadIdx.x == 0) {
        while (atomicExch(&zero[8], 1)) __nanosleep(20);
        __threadfence();
        zero[0] = zero[0] + k[blockIdx.x];
        __threadfence();
        atomicExch(&zero[8], 0);
    }
}

__global__ void lane_locks(ARGS) // threads of one warp take one lock in turn
{
    bool done = false;
    while (!done) {
        if (atomicCAS(&zero[1], 0, 1) == 0) {
            __threadfence();
            zero[0] += k[ID];
            __threadfence();
            atomicExch(&zero[1], 0);
            done = true;
        }
    }
}

__global__ void compact(ARGS)
{
    float v = x[ID];
    unsigned keep = __ballot_sync(0xffffffff, v > 0);
    int lane = threadIdx.x & 31, base = 0;
    if (lane == 0) base = atomicAdd(&zero[0], __popc(keep));
    base = __shfl_sync(0xffffffff, base, 0);
    if (v > 0) w[base + __popc(keep & ((1u << lane) - 1))] = v;
}

__global__ void producer_consumer(ARGS) // named barriers: warps 0-1 fill, warps 2-3 use
{
    __shared__ float buf[2][64];
    int t = threadIdx.x;
    if (t < 64) {
        for (int i = 0; i < 4; i++) {
            if (i >= 2) asm volatile("bar.sync %0, 128;" ::"r"(3 + i % 2) : "memory");
            buf[i % 2][t] = x[i * 64 + t];
            __threadfence_block();
            asm volatile("bar.arrive %0, 128;" ::"r"(1 + i % 2) : "memory");
        }
    } else {
        float v = 0;
        for (int i = 0; i < 4; i++) {
            asm volatile("bar.sync %0, 128;" ::"r"(1 + i % 2) : "memory");
            v += buf[i % 2][127 - t];
            if (i < 2) asm volatile("bar.arrive %0, 128;" ::"r"(3 + i % 2) : "memory");
        }
        Y[t - 64] = v;
    }
}

__global__ void half_warps(ARGS) // groups of 16 lanes with their own masks and __syncwarp
{
    __shared__ float s[64];
    int t = threadIdx.x, lane = t & 31, g = lane / 16;
    unsigned mask = 0xffffu << (16 * g);
    s[t] = x[ID];
    __syncwarp(mask);
    float v = s[(t & ~15) + 15 - (t & 15)];
    if (g) for (int o = 8; o; o >>= 1) v += __shfl_xor_sync(mask, v, o, 16);
    else for (int o = 8; o; o >>= 1) v = fmaxf(v, __shfl_xor_sync(mask, v, o, 16));
    __syncwarp(mask);
    s[t] = v;
    __syncwarp();
    Y[ID] = s[t ^ 16];
}

__global__ void votes(ARGS)
{
    int v = k[ID];
    int r = __all_sync(~0u, v >= 0) + 2 * __any_sync(~0u, v == 7) + 4 * (__reduce_add_sync(~0u, v) & 255) + __reduce_max_sync(~0u, (unsigned)v) * 1000;
    if (v & 1) r += __popc(__activemask()) > 0 ? __reduce_min_sync(__ballot_sync(__activemask(), 1), v) : 0;
    YI[ID] = r + __syncthreads_count(v > 50) + __syncthreads_or(v == 3) * 100000 + __syncthreads_and(v >= 0) * 200000;
}

__global__ void long_division(ARGS)
{
    long long a = (long long)k[ID] * 1234567890123ll - 99, b = k[(ID + 5) % n] % 13 + 1;
    unsigned long long u = (unsigned long long)a;
    YI[ID] = (int)(a / b + a % b + u / (unsigned)b + u % 1000007 + (k[ID] - 50) / 7 + (k[ID] - 50) % 7 + (unsigned)k[ID] / 3u);
}

__global__ void bytes(ARGS)
{
    uchar4 c = ((const uchar4 *)k)[ID];
    short2 s = ((const short2 *)k)[ID];
    signed char b = ((const signed char *)k)[ID * 4];
    ((uchar4 *)out)[ID] = make_uchar4(c.x + 1, s.x - s.y, (unsigned char)(b * 3), c.x > 50 ? 255 : c.w);
}

__global__ void bilinear(ARGS)
{
    float u = (ID % 32) * 0.93f, v = (ID / 32) * 0.89f;
    int a = (int)u, b = __float2int_rd(v);
    float fu = u - a, fv = v - b;
    const float *p = x + b * 32 + a;
    Y[ID] = (1 - fv) * ((1 - fu) * p[0] + fu * p[1]) + fv * ((1 - fu) * p[32] + fu * p[33]);
}

__global__ void stack_sort(ARGS) // quicksort with a stack of its own, a thread
{
    if (threadIdx.x) return;
    int stack[32], top = 0;
    for (int i = 0; i < 100; i++) zero[i] = k[i];
    stack[top++] = 0, stack[top++] = 99;
    while (top) {
        int hi = stack[--top], lo = stack[--top], i = lo, j = hi, p = zero[(lo + hi) / 2];
        while (i <= j) {
            while (zero[i] < p) i++;
            while (zero[j] > p) j--;
            if (i <= j) { int v = zero[i]; zero[i++] = zero[j]; zero[j--] = v; }
        }
        if (lo < j) stack[top++] = lo, stack[top++] = j;
        if (i < hi) stack[top++] = i, stack[top++] = hi;
    }
}

__global__ void rounding(ARGS)
{
    float a = x[ID], b = z[ID] + 3;
    double v = d[ID];
    Y[ID] = __fadd_ru(a, b) + __fmul_rz(a, b) - __fdiv_rd(a, b) + __fsqrt_ru(fabsf(a)) + __fmaf_rd(a, b, a) + __double2float_rz(v) + (float)__double2int_ru(v * 9) + __float2int_rn(a * 7) +
            __uint_as_float(__float_as_uint(a) & 0xffff0000u) + (float)__float2uint_rz(fabsf(b) * 3) + __frcp_rn(b) + __fsub_rn(a, b) + (float)__double2ll_rd(v * 5) + __int2float_rz(k[ID] * 16777259);
}

template <int N, typename F> __device__ void each(F f)
{
#pragma unroll
    for (int i = 0; i < N; i++) f(i);
}
template <typename V> struct Acc {
    V v = 0;
    __device__ Acc &operator+=(V o) { v += o; return *this; }
    __device__ operator V() const { return v; }
};
__global__ void lambdas(ARGS)
{
    Acc<float> sum;
    int base = ID;
    each<5>([&](int i) { sum += x[(base + i) % n] * (float)(i + 1); });
    Y[base] = sum;
}

__global__ void printing(ARGS)
{
    if (ID == 0) printf("n = %d, x[0] = %g\n", n, x[0]);
    Y[ID] = x[ID] + 1;
}

__global__ void early_exit(ARGS) // threads that leave before the barrier
{
    __shared__ float s[128];
    int t = threadIdx.x;
    if (ID >= n - 40) return;
    s[t] = x[ID];
    __syncthreads();
    Y[ID] = s[t] + (t ? s[t - 1] : 0);
}

__global__ void generic_pointers(ARGS)
{
    __shared__ float s[64];
    float l[4] = {1, 2, 3, 4};
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    const float *p = k[t] % 3 == 0 ? &s[63 - t] : k[t] % 3 == 1 ? &z[t] : &l[t & 3];
    Y[t] = *p;
}

__global__ void ring_flags(ARGS) // warps hand over through volatile flags in shared memory
{
    __shared__ volatile int turn;
    __shared__ int total;
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (threadIdx.x == 0) turn = 0, total = 0;
    __syncthreads();
    if (lane == 0) {
        while (turn != warp) {}
        __threadfence_block();
        total += k[warp] + warp;
        __threadfence_block();
        turn = warp + 1;
    }
    __syncthreads();
    if (threadIdx.x == 0) YI[0] = total;
}

__global__ void acquire_release(ARGS) // a block hands to the next with .release and .acquire
{
    if (threadIdx.x) return;
    int b = blockIdx.x, seen;
    if (b) do asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(seen) : "l"(&zero[b - 1]) : "memory"); while (!seen);
    w[b] = (b ? w[b - 1] : 0) + x[b];
    asm volatile("st.release.gpu.global.s32 [%0], %1;" ::"l"(&zero[b]), "r"(1) : "memory");
    Y[b] = w[b];
}

__global__ void same_value(ARGS) // many threads store one value: harmless
{
    __shared__ int any;
    if (threadIdx.x == 0) any = 0;
    __syncthreads();
    if (k[ID] > 90) any = 1;
    __syncthreads();
    YI[ID] = any;
}

__global__ void padded_tile(ARGS) // the tail of the tile is never written and never used
{
    __shared__ float s[64];
    int t = threadIdx.x, m = 50;
    if (t < m) s[t] = x[t];
    __syncthreads();
    float v = s[t] * 2 + s[t ^ 1];
    if (t < m) Y[t] = v;
}
