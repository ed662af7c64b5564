// CUDA's device functions against plain C++ in the same kernel: each kernel counts the threads that disagree.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/atomic>
#include <cuda/pipeline>
#include <cuda_pipeline_primitives.h>
#include <cuda/barrier>
namespace cg = cooperative_groups;
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
#define ARGS const float *x, const u32 *k, const double *d, int *bad, u32 *w, int n
#define I (blockIdx.x * blockDim.x + threadIdx.x)
#define SAME(a, b) do { if (!((a) == (b))) atomicAdd(bad, 1); } while (0)
#define NEAR(a, b, tol) do { double a_ = (a), b_ = (b); if (!(fabs(a_ - b_) <= (tol) * (1 + fabs(b_)))) atomicAdd(bad, 1); } while (0)

__global__ void dots(ARGS)
{
    u32 a = k[I], b = k[I + 1], c = k[I + 2];
    int s = (int)c, m = (int)c;
    u32 u = c;
    for (int i = 0; i < 4; i++) s += (int)(signed char)(a >> 8 * i) * (int)(signed char)(b >> 8 * i), u += (a >> 8 * i & 255) * (b >> 8 * i & 255);
    SAME(__dp4a((int)a, (int)b, (int)c), s);
    SAME(__dp4a(a, b, c), u);
    for (int i = 0; i < 2; i++) m += (int)(short)(a >> 16 * i) * (int)(signed char)(b >> 8 * i);
    SAME(__dp2a_lo((int)a, (int)b, (int)c), m);
}
__global__ void bits(ARGS)
{
    u32 a = k[I], b = k[I + 1];
    u64 q = (u64)a << 32 | b;
    int n1 = 0, n64 = 0;
    u32 r = 0;
    for (int i = 0; i < 32; i++) n1 += a >> i & 1, r |= (a >> i & 1) << (31 - i);
    for (int i = 0; i < 64; i++) n64 += (int)(q >> i & 1);
    SAME(__popc(a), n1);
    SAME(__popcll(q), n64);
    SAME(__brev(a), r);
    int z = 0;
    while (z < 32 && !(a >> (31 - z) & 1)) z++;
    SAME(__clz((int)a), z);
    int f = 0;
    for (int i = 0; i < 32 && !f; i++) if (b >> i & 1) f = i + 1;
    SAME(__ffs((int)b), f);
    SAME(__ffsll((long long)q), q ? (b ? f : 32 + __ffs((int)a)) : 0);
    SAME(__byte_perm(a, b, 0x6240), (a & 255) | (b & 255) << 8 | (a >> 16 & 255) << 16 | (b >> 16 & 255) << 24);
    u32 sh = k[I + 3] & 31;
    SAME(__funnelshift_l(b, a, sh), sh ? a << sh | b >> (32 - sh) : a);
    SAME(__funnelshift_r(b, a, sh), sh ? b >> sh | a << (32 - sh) : b);
    SAME(__umulhi(a, b), (u32)((u64)a * b >> 32));
    SAME(__mulhi((int)a, (int)b), (int)((long long)(int)a * (int)b >> 32));
    SAME(__umul64hi(q, q ^ 0x123456789abcdefull), (u64)((unsigned __int128)q * (q ^ 0x123456789abcdefull) >> 64));
    SAME(__uhadd(a, b), (u32)(((u64)a + b) >> 1));
    SAME(__sad((int)a, (int)b, 5u), (u32)((long long)(int)a > (int)b ? (long long)(int)a - (int)b : (long long)(int)b - (int)a) + 5u);
    SAME(__usad(a, b, 5u), (a > b ? a - b : b - a) + 5u);
    SAME(__mul24((int)a, (int)b), ((int)(a << 8) >> 8) * ((int)(b << 8) >> 8));
    SAME(__fns(a, 0, 1), a ? (u32)(__ffs((int)a) - 1) : 0xffffffffu);
}
__global__ void simd_video(ARGS)
{
    u32 a = k[I], b = k[I + 1], s = 0, m = 0, e = 0, t = 0, v = 0;
    for (int i = 0; i < 4; i++) {
        u32 p = a >> 8 * i & 255, q = b >> 8 * i & 255;
        s |= (p + q & 255) << 8 * i;
        m |= (p < q ? p : q) << 8 * i;
        e |= (p == q ? 255u : 0u) << 8 * i;
        t += p > q ? p - q : q - p;
    }
    for (int i = 0; i < 2; i++) {
        int p = (short)(a >> 16 * i), q = (short)(b >> 16 * i);
        v |= (u32)(u16)(p > q ? p : q) << 16 * i;
    }
    SAME(__vadd4(a, b), s);
    SAME(__vminu4(a, b), m);
    SAME(__vcmpeq4(a, b), e);
    SAME(__vsadu4(a, b), t);
    SAME(__vmaxs2(a, b), v);
    SAME(__viaddmax_s32((int)a >> 2, (int)b >> 2, 7), max(((int)a >> 2) + ((int)b >> 2), 7));
}
__global__ void wide_sums(ARGS) // carry chains
{
    u64 a = (u64)k[I] << 32 | k[I + 1], b = (u64)k[I + 2] << 32 | k[I + 3];
    unsigned __int128 p = (unsigned __int128)a * b + (((unsigned __int128)b << 64) | a);
    SAME((u64)p, a * b + a);
    u64 lo = a * b, hi = __umul64hi(a, b), sum = lo + a, carry = sum < lo;
    SAME((u64)(p >> 64), hi + b + carry);
    u32 r0, r1, r2;
    asm("add.cc.u32 %0, %3, %4; addc.cc.u32 %1, %5, %6; addc.u32 %2, 0, 0;" : "=r"(r0), "=r"(r1), "=r"(r2) : "r"(k[I]), "r"(k[I + 1]), "r"(k[I + 2]), "r"(k[I + 3]));
    u64 x0 = (u64)k[I] + k[I + 1], x1 = (u64)k[I + 2] + k[I + 3] + (x0 >> 32);
    SAME(r0, (u32)x0);
    SAME(r1, (u32)x1);
    SAME(r2, (u32)(x1 >> 32));
}
__global__ void doubles(ARGS)
{
    double v = d[I], p = fabs(v) + 0.1;
    NEAR(sin(v) * sin(v) + cos(v) * cos(v), 1, 1e-14);
    NEAR(pow(p, 2.5), p * p * sqrt(p), 1e-13);
    NEAR(pow(v, 3.0), v * v * v, 1e-13);
    NEAR(exp(log(p)), p, 1e-13);
    NEAR(cbrt(p) * cbrt(p) * cbrt(p), p, 1e-13);
    NEAR(tanh(v), (exp(2 * v) - 1) / (exp(2 * v) + 1), 1e-13);
    NEAR(atan2(sin(v), cos(v)), v - 6.283185307179586 * rint(v / 6.283185307179586), 1e-13);
    NEAR(hypot(v, 1.0), sqrt(v * v + 1), 1e-14);
    NEAR(fmod(v * 7, 1.5), v * 7 - 1.5 * trunc(v * 7 / 1.5), 1e-12);
    NEAR(erf(v) + erfc(v), 1, 1e-14);
    NEAR(tgamma(p + 1), p * tgamma(p), 1e-12);
    NEAR(exp2(log2(p)), p, 1e-13);
    NEAR(sinh(v), (exp(v) - exp(-v)) / 2, 1e-13);
    NEAR(asin(v / 4) + acos(v / 4), 1.5707963267948966, 1e-14);
    NEAR(rsqrt(p) * sqrt(p), 1, 1e-14);
    NEAR(expm1(v), exp(v) - 1, 1e-13);
    NEAR(log1p(p), log(1 + p), 1e-13);
    NEAR(sin(v * 1e6), sin(fmod(v * 1e6, 2 * 3.14159265358979323846)), 1e-9);
    SAME(__double2int_rn(v * 100), (int)rint(v * 100));
    SAME(__double_as_longlong(__longlong_as_double(__double_as_longlong(v))), __double_as_longlong(v));
    SAME(__hiloint2double(__double2hiint(v), __double2loint(v)), v);
    NEAR(j0(v) * j0(v), j0(-v) * j0(-v), 1e-14);
}
__global__ void singles(ARGS)
{
    float v = x[I], p = fabsf(v) + 0.1f;
    NEAR(sinf(v) * sinf(v) + cosf(v) * cosf(v), 1, 1e-6);
    NEAR(__sinf(v), sinf(v), 1e-6);
    NEAR(__expf(v), expf(v), 1e-6);
    NEAR(__logf(p), logf(p), 1e-6);
    NEAR(__powf(p, 1.5f), p * sqrtf(p), 1e-5);
    NEAR(powf(p, 1.5f), p * sqrtf(p), 1e-6);
    NEAR(__fdividef(v, p), v / p, 1e-6);
    NEAR(tanhf(v), (expf(2 * v) - 1) / (expf(2 * v) + 1), 1e-6);
    NEAR(erff(v) + erfcf(v), 1, 1e-6);
    NEAR(sinf(v * 1e6f), sin((double)(v * 1e6f)), 1e-6);
    NEAR(fmodf(v * 7, 0.3f), fmod((double)(v * 7), (double)0.3f), 1e-6);
    SAME(__fadd_rz(v, p), (float)((double)v + p) == v + p ? __fadd_rz(v, p) : __fadd_rz(v, p));
    SAME(__fadd_ru(v, p) >= v + p && __fadd_rd(v, p) <= v + p, true);
    SAME(__fmaf_rn(v, p, 1.0f), fmaf(v, p, 1.0f));
    SAME(__float2int_rd(v * 100), (int)floorf(v * 100));
    SAME(rintf(v * 100), (float)__float2int_rn(v * 100));
    SAME(__saturatef(v), fminf(fmaxf(v, 0), 1));
    SAME(__float_as_uint(copysignf(p, v)) >> 31, __float_as_uint(v) >> 31);
    SAME(signbit(v) != 0, v < 0);
    int e;
    float m = frexpf(p, &e);
    SAME(ldexpf(m, e), p);
    SAME(nextafterf(p, 9.0f) > p, true);
    SAME(fdimf(v, 0.25f), v > 0.25f ? v - 0.25f : 0.0f);
    NEAR(normf(2, &x[I]), sqrtf(x[I] * x[I] + x[I + 1] * x[I + 1]), 1e-6);
    SAME(isnan(v - v + __int_as_float(0x7fc00000)) != 0, true);
    SAME(isinf(__int_as_float(0x7f800000)) != 0, true);
    SAME(max(3, (int)(v * 10)), (int)(v * 10) > 3 ? (int)(v * 10) : 3);
    SAME(llrintf(v * 1000), (long long)rintf(v * 1000));
}
__global__ void halves(ARGS)
{
    __half a = __float2half(x[I]), b = __float2half(x[I + 1]);
    __half2 p = __halves2half2(a, b), q = __halves2half2(b, a);
    SAME(__half2float(__hadd(a, b)), __half2float(__float2half(__half2float(a) + __half2float(b))));
    SAME(__half2float(__low2half(__hmul2(p, q))), __half2float(__float2half(__half2float(a) * __half2float(b))));
    SAME(__hlt(a, b), __half2float(a) < __half2float(b));
    SAME(__half2float(__hmax(a, b)), fmaxf(__half2float(a), __half2float(b)));
    SAME(__half2float(__high2half(__hmax2(p, q))), fmaxf(__half2float(a), __half2float(b)));
    SAME(__half2float(__low2half(__hgt2(p, q))), __half2float(a) > __half2float(b) ? 1.0f : 0.0f);
    SAME(__hbeq2(p, p), true);
    SAME(__hgt2_mask(p, q) & 0xffff, __half2float(a) > __half2float(b) ? 0xffffu : 0u);
    SAME(__half2int_rn(__float2half(x[I] * 100)), (int)rintf(__half2float(__float2half(x[I] * 100))));
    NEAR(__half2float(hexp(a)), expf(__half2float(a)), 2e-3);
    NEAR(__half2float(hsqrt(__habs(a))), sqrtf(fabsf(__half2float(a))), 2e-3);
    NEAR(__half2float(hrcp(__hadd(__habs(a), __float2half(1)))), 1 / (fabsf(__half2float(a)) + 1), 2e-3);
    NEAR(__half2float(h2sin(p).x), sinf(__half2float(a)), 2e-3);
    NEAR(__half2float(htanh(a)), tanhf(__half2float(a)), 2e-3);
    SAME(__half2float(__hfma_relu(a, b, a)), fmaxf(__half2float(__hfma(a, b, a)), 0));
    SAME(__half2float(__shfl_xor_sync(0xffffffffu, a, 1)), __half2float(__float2half(x[I ^ 1])));
    SAME(__half_as_ushort(__ushort_as_half((u16)k[I])), (u16)k[I]);
    SAME(__half2float(hfloor(__float2half(x[I] * 9))), floorf(__half2float(__float2half(x[I] * 9))));
    SAME(__half2float(__hadd_sat(a, b)), __saturatef(__half2float(__hadd(a, b))));
}
__global__ void bfloats(ARGS)
{
    __nv_bfloat16 a = __float2bfloat16(x[I]), b = __float2bfloat16(x[I + 1]);
    float fa = __bfloat162float(a), fb = __bfloat162float(b);
    __nv_bfloat162 p = __halves2bfloat162(a, b), q = __halves2bfloat162(b, a);
    SAME(__bfloat162float(__hadd(a, b)), __bfloat162float(__float2bfloat16(fa + fb)));
    SAME(__bfloat162float(__hmul(a, b)), __bfloat162float(__float2bfloat16(fa * fb)));
    SAME(__bfloat162float(__low2bfloat16(__hmin2(p, q))), fminf(fa, fb));
    SAME(__hle(a, b), fa <= fb);
    NEAR(__bfloat162float(hexp(a)), expf(fa), 1e-2);
    SAME(__bfloat162float(__float2bfloat16_rz(x[I])), __uint_as_float(__float_as_uint(x[I]) & 0xffff0000u));
    SAME(__bfloat162int_rz(__float2bfloat16(x[I] * 64)), (int)__bfloat162float(__float2bfloat16(x[I] * 64)));
    float2 f = __bfloat1622float2(p);
    SAME(f.x, fa);
    SAME(f.y, fb);
}
__global__ void eighths(ARGS)
{
    __nv_fp8_e4m3 a(x[I] * 30);
    __nv_fp8_e5m2 b(x[I] * 30);
    NEAR((float)a, x[I] * 30, 0.07);
    NEAR((float)b, x[I] * 30, 0.14);
    __nv_fp8x2_e4m3 p(make_float2(x[I], x[I + 1]));
    float2 f = (float2)p;
    NEAR(f.x, x[I], 0.07);
    NEAR(f.y, x[I + 1], 0.07);
}
__global__ void warp_exchange(ARGS)
{
    u32 v = k[I] & 7, lane = threadIdx.x & 31, base = I - lane;
    u32 same = 0, sum = 0, mx = 0, any = 0;
    for (int j = 0; j < 32; j++) {
        u32 o = k[base + j] & 7;
        same |= (u32)(o == v) << j;
        sum += o;
        mx = max(mx, o);
        any |= (u32)(o == 3) << j;
    }
    SAME(__match_any_sync(0xffffffffu, v), same);
    int all;
    SAME(__match_all_sync(0xffffffffu, v & 0, &all), 0xffffffffu);
    SAME(all, 1);
    SAME(__reduce_add_sync(0xffffffffu, v), sum);
    SAME(__reduce_max_sync(0xffffffffu, v), mx);
    SAME(__ballot_sync(0xffffffffu, v == 3), any);
    SAME(__any_sync(0xffffffffu, v == 3) != 0, any != 0);
    SAME(__all_sync(0xffffffffu, v < 8) != 0, true);
    SAME(__shfl_up_sync(0xffffffffu, v, 3, 8), (lane & 7) >= 3 ? k[I - 3] & 7 : v);
    SAME(__shfl_sync(0xffffffffu, (double)v, 5), (double)(k[base + 5] & 7));
    if (lane < 12) SAME(__reduce_or_sync(0xfffu, 1u << lane), 0xfffu);
    if (lane & 1) SAME(__activemask(), 0xaaaaaaaau);
    SAME(__shfl_xor_sync(0xffffffffu, (u64)k[I] << 20, 16), (u64)k[I ^ 16] << 20);
}
__global__ void all_atomics(ARGS) // of every type and scope; places of the thread's own
{
    __shared__ u32 s[128];
    __shared__ u64 s64[128];
    __shared__ float sf[128];
    __shared__ double sd[128];
    u32 a = k[I], b = k[I + 1], t = threadIdx.x;
    u32 *p = w + 4 * I;
    u64 *q = (u64 *)p;
    s[t] = a;
    SAME(atomicAdd(&s[t], b), a); SAME(s[t], a + b);
    SAME(atomicSub(&s[t], b), a + b); SAME(s[t], a);
    SAME(atomicMin((int *)&s[t], (int)b), (int)a); SAME((int)s[t], min((int)a, (int)b));
    s[t] = a; atomicMax(&s[t], b); SAME(s[t], max(a, b));
    s[t] = a; SAME(atomicInc(&s[t], b), a); SAME(s[t], a >= b ? 0 : a + 1);
    s[t] = a; SAME(atomicDec(&s[t], b), a); SAME(s[t], a == 0 || a > b ? b : a - 1);
    s[t] = a; SAME(atomicCAS(&s[t], a, b), a); SAME(s[t], b); SAME(atomicCAS(&s[t], ~b, 1), b); SAME(s[t], b);
    s[t] = a; SAME(atomicExch_block(&s[t], b), a); atomicAnd_system(&s[t], a); SAME(s[t], a & b); atomicXor(&s[t], a); SAME(s[t], (a & b) ^ a);
    s64[t] = a; SAME(atomicAdd(&s64[t], (u64)b << 20), (u64)a); atomicMax(&s64[t], (u64)b << 30); atomicOr(&s64[t], 1ull);
    SAME(s64[t], max((u64)a + ((u64)b << 20), (u64)b << 30) | 1);
    sf[t] = x[I]; SAME(atomicAdd(&sf[t], x[I + 1]), x[I]); SAME(sf[t], x[I] + x[I + 1]);
    sd[t] = d[I]; atomicAdd(&sd[t], d[I + 1]); SAME(sd[t], d[I] + d[I + 1]);
    p[0] = a; SAME(atomicAdd_block(p, b), a); SAME(*(volatile u32 *)p, a + b);
    q[1] = a; SAME(atomicCAS(&q[1], (u64)a, (u64)b), (u64)a); SAME(*(volatile u64 *)&q[1], (u64)b);
    *(u16 *)p = (u16)a; SAME(atomicCAS((u16 *)p, (u16)a, (u16)b), (u16)a); SAME(*(volatile u16 *)p, (u16)b);
    cuda::atomic_ref<u32, cuda::thread_scope_device> r(p[1]);
    r.store(a, cuda::memory_order_release);
    SAME(r.fetch_add(b, cuda::memory_order_acq_rel), a);
    SAME(r.load(cuda::memory_order_acquire), a + b);
    u32 want = a + b;
    SAME(r.compare_exchange_strong(want, 5u), true);
    SAME(r.exchange(6u), 5u);
    __half2 *h = (__half2 *)(p + 2);
    *h = __floats2half2_rn(1, 2); atomicAdd(h, __floats2half2_rn(0.5f, 0.25f));
    SAME(__low2float(*h), 1.5f); SAME(__high2float(*h), 2.25f);
    float4 *f4 = (float4 *)p;
    *f4 = make_float4(1, 2, 3, 4); atomicAdd(f4, make_float4(1, 1, 1, 1));
    SAME(f4->w, 5.0f); SAME(f4->x, 2.0f);
}
__global__ void groups(ARGS)
{
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<16>(block);
    int v = (int)(k[I] & 15), sum = 0, pre = 0;
    for (u32 j = 0; j < 16; j++) {
        int o = (int)(k[I - tile.thread_rank() + j] & 15);
        sum += o;
        if (j < tile.thread_rank()) pre += o;
    }
    SAME(cg::reduce(tile, v, cg::plus<int>()), sum);
    SAME(cg::exclusive_scan(tile, v, cg::plus<int>()), pre);
    SAME(tile.shfl_down(v, 1), tile.thread_rank() == 15 ? v : (int)(k[I + 1] & 15));
    SAME(tile.meta_group_size(), block.size() / 16);
    auto odd = cg::binary_partition(cg::coalesced_threads(), v & 1);
    SAME(cg::reduce(odd, 1, cg::plus<int>()), (int)odd.size());
    if (v > 7) {
        auto some = cg::coalesced_threads();
        SAME(some.any(v == 7), 0);
    }
    auto labels = cg::labeled_partition(cg::coalesced_threads(), v);
    SAME(labels.all(true), 1);
    block.sync();
    __shared__ int s[128];
    cg::memcpy_async(block, s, (const int *)k + blockIdx.x * 128, sizeof s);
    cg::wait(block);
    SAME(s[threadIdx.x], (int)k[blockIdx.x * 128 + threadIdx.x]);
}
__global__ void pipelines(ARGS)
{
    __shared__ u32 s[2][128];
    auto pipe = cuda::make_pipeline();
    u32 t = threadIdx.x;
    for (int i = 0; i < 3; i++) {
        pipe.producer_acquire();
        cuda::memcpy_async(&s[i & 1][t], &k[t + 128 * i], sizeof(u32), pipe);
        pipe.producer_commit();
        cuda::pipeline_consumer_wait_prior<0>(pipe);
        SAME(s[i & 1][t], k[t + 128 * i]);
        pipe.consumer_release();
    }
    __pipeline_memcpy_async(&s[0][t], &k[t], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    SAME(s[0][t], k[t]);
}
__global__ void printing(ARGS)
{
    if (threadIdx.x == 0) printf("block %d of %s: %f %llu\n", blockIdx.x, "grid", (double)x[0], (u64)k[0]);
    assert(n > 0);
    SAME(__isGlobal(k), 1);
    __shared__ int s;
    int l[3] = {(int)threadIdx.x, 2, 3};
    SAME(__isShared(&s), 1);
    SAME(__isLocal(&l[k[I] % 3]), 1);
    SAME(*(int *)(k[I] & 1 ? l : l + 0), (int)threadIdx.x);
    __nanosleep(20);
    __threadfence_system();
    SAME(clock64() >= 0, true);
}
__global__ void named_barriers(ARGS)
{
    __shared__ int s[64];
    if (threadIdx.x < 64) {
        s[threadIdx.x] = (int)k[threadIdx.x];
        asm volatile("bar.arrive 3, 128;" ::: "memory");
    } else {
        asm volatile("bar.sync 3, 128;" ::: "memory");
        SAME(s[threadIdx.x - 64], (int)k[threadIdx.x - 64]);
    }
    __syncthreads();
    SAME(__syncthreads_count((int)(k[threadIdx.x] & 1)) >= 0, true);
    SAME(__syncthreads_and(1) != 0, true);
    SAME(__syncthreads_or((int)(threadIdx.x == 5)) != 0, true);
}
__global__ void loads_and_stores(ARGS)
{
    SAME(__ldg(&k[I]), k[I]);
    SAME(__ldcg(&k[I]), k[I]);
    SAME(__ldcs(&k[I]), k[I]);
    uint4 v = *(const uint4 *)(k + 4 * threadIdx.x);
    SAME(v.z, k[4 * threadIdx.x + 2]);
    __stwt(&w[I], v.x);
    SAME(__ldcv(&w[I]), v.x);
    __stcs((uint2 *)w + I + n, make_uint2(v.x, v.y));
    SAME(((volatile uint2 *)w)[I + n].y, v.y);
    double2 dd = *(const double2 *)(d + 2 * threadIdx.x);
    SAME(dd.y, d[2 * threadIdx.x + 1]);
    short4 h = *(const short4 *)(k + 2 * threadIdx.x);
    SAME((u16)h.z, (u16)k[2 * threadIdx.x + 1]);
    const char *c = (const char *)k;
    SAME((int)c[I], (int)(signed char)(k[I / 4] >> 8 * (I % 4)));
    asm volatile("prefetch.global.L2 [%0];" ::"l"(k));
    u64 pol;
    asm volatile("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(pol));
    u32 r;
    asm volatile("ld.global.L2::cache_hint.u32 %0, [%1], %2;" : "=r"(r) : "l"(k + I), "l"(pol));
    SAME(r, k[I]);
}
