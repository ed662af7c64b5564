// What the simulated device must run. The checked-in .ptx is made from this file:
//   nvcc -ptx -arch=sm_90 -lineinfo -o sim_features.ptx sim_features.cu
#include <cooperative_groups.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>
#include <stdio.h>
namespace cg = cooperative_groups;
typedef unsigned long long u64;
typedef unsigned int u32;

__global__ void t_saxpy(int n, float a, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}

// one result a thread for every integer operation
__global__ void t_int(int n, const int *a, const int *b, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int x = a[i], y = b[i], *o = out + i * 24;
    u32 ux = x, uy = y;
    int d = y ? y : 1;
    u32 ud = uy ? uy : 1;
    o[0] = x + y; o[1] = x - y; o[2] = x * y; o[3] = x / d; o[4] = x % d; o[5] = ux / ud; o[6] = ux % ud;
    o[7] = __mulhi(x, y); o[8] = __umulhi(ux, uy); o[9] = min(x, y); o[10] = max(x, y); o[11] = umin(ux, uy);
    o[12] = x << (y & 31); o[13] = x >> (y & 31); o[14] = ux >> (uy & 31); o[15] = abs(x);
    o[16] = __popc(x); o[17] = __clz(x); o[18] = __brev(x); o[19] = __ffs(x); o[20] = __byte_perm(x, y, 0x5410 ^ (y & 0x7777));
    o[21] = __funnelshift_l(x, y, y); o[22] = __dp4a(x, y, 7); o[23] = (x & y) ^ (x | ~y);
}

__global__ void t_long(int n, const long long *a, const long long *b, long long *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    long long x = a[i], y = b[i], d = y ? y : 1, *o = out + i * 16;
    o[0] = x + y; o[1] = x * y; o[2] = x / d; o[3] = x % d; o[4] = (u64)x / (u64)d; o[5] = (u64)x % (u64)d;
    o[6] = __mul64hi(x, y); o[7] = __umul64hi(x, y); o[8] = min(x, y); o[9] = x << (y & 63); o[10] = x >> (y & 63);
    o[11] = (u64)x >> (y & 63); o[12] = __popcll(x); o[13] = __clzll(x); o[14] = __ffsll(x); o[15] = (long long)__brevll(x);
}

__global__ void t_small(int n, const short *a, const unsigned char *b, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    short s = a[i];
    unsigned char c = b[i];
    int *o = out + i * 8;
    o[0] = (short)(s * 3 + c); o[1] = s >> 2; o[2] = (unsigned short)s >> 3; o[3] = (signed char)c; o[4] = s < (signed char)c;
    o[5] = (short)(s / (c + 1)); o[6] = max(s, (short)c); o[7] = (unsigned char)(c + 200);
}

__global__ void t_float(int n, const float *a, const float *b, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = a[i], y = b[i], *o = out + i * 24;
    o[0] = x + y; o[1] = x - y; o[2] = x * y; o[3] = x / y; o[4] = fmaf(x, y, x); o[5] = sqrtf(fabsf(x)); o[6] = fminf(x, y);
    o[7] = fmaxf(x, y); o[8] = floorf(x); o[9] = ceilf(x); o[10] = rintf(x); o[11] = truncf(x); o[12] = __fadd_rz(x, y);
    o[13] = __fmul_ru(x, y); o[14] = __fmaf_rd(x, y, x); o[15] = __fdiv_rz(x, y); o[16] = 1.0f / y; o[17] = (float)(int)x;
    o[18] = (float)(u32)fabsf(x); o[19] = copysignf(x, y); o[20] = x < y ? 1 : 0; o[21] = !(x <= y) ? 1 : 0;
    o[22] = __saturatef(x); o[23] = isnan(x) + 2 * isinf(x);
}

__global__ void t_double(int n, const double *a, const double *b, double *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double x = a[i], y = b[i], *o = out + i * 16;
    o[0] = x + y; o[1] = x * y; o[2] = x / y; o[3] = fma(x, y, x); o[4] = sqrt(fabs(x)); o[5] = fmin(x, y); o[6] = floor(x);
    o[7] = rint(x); o[8] = (double)(float)x; o[9] = (double)(long long)x; o[10] = (double)(int)x; o[11] = __dadd_rd(x, y);
    o[12] = __dmul_rz(x, y); o[13] = 1 / y; o[14] = fmod(x, y); o[15] = copysign(x, y);
}

// against libm, in units in the last place
__global__ void t_math(int n, const float *a, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = a[i], p = fabsf(x) + 1e-3f, *o = out + i * 20;
    o[0] = expf(x); o[1] = logf(p); o[2] = sinf(x); o[3] = cosf(x); o[4] = tanf(x); o[5] = powf(p, 1.7f); o[6] = exp2f(x);
    o[7] = log2f(p); o[8] = rsqrtf(p); o[9] = tanhf(x); o[10] = erff(x); o[11] = cbrtf(x); o[12] = atan2f(x, p); o[13] = log1pf(p);
    o[14] = __expf(x); o[15] = __logf(p); o[16] = __sinf(x); o[17] = __fdividef(x, p); o[18] = __powf(p, 2.5f); o[19] = normcdff(x);
}

// double pow, sin and cos keep a call to a slow path
__global__ void t_dmath(int n, const double *a, double *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double x = a[i], p = fabs(x) + 1e-3, *o = out + i * 8;
    o[0] = exp(x); o[1] = log(p); o[2] = sin(x * 1e6); o[3] = cos(x); o[4] = pow(p, 2.3); o[5] = erf(x); o[6] = tanh(x); o[7] = rsqrt(p);
}

__global__ void t_half(int n, const float *a, const float *b, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    __half x = __float2half(a[i]), y = __float2half(b[i]);
    __half2 v = __halves2half2(x, y), w = __hfma2(v, v, v);
    __nv_bfloat16 p = __float2bfloat16(a[i]), q = __float2bfloat16(b[i]);
    float *o = out + i * 10;
    o[0] = __half2float(__hadd(x, y)); o[1] = __half2float(__hmul(x, y)); o[2] = __half2float(__hfma(x, y, x));
    o[3] = __low2float(w); o[4] = __high2float(w); o[5] = __hlt(x, y); o[6] = __half2float(__hmax(x, y));
    o[7] = __bfloat162float(__hadd(p, q)); o[8] = __bfloat162float(__hmul(p, q)); o[9] = __half2float(__float2half_rz(a[i] * 1.001f));
}

__global__ void t_cvt(int n, const double *a, long long *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double x = a[i];
    float f = (float)x;
    long long *o = out + i * 12;
    o[0] = __double2int_rn(x); o[1] = __double2int_rd(x); o[2] = __double2ll_ru(x); o[3] = (long long)__double2uint_rz(x);
    o[4] = __float2int_rn(f); o[5] = __float2int_ru(f); o[6] = (long long)__float2uint_rz(f); o[7] = __float_as_int(f);
    o[8] = (long long)__float_as_int(__ll2float_rn((long long)(x * 1e12))); o[9] = (long long)__float_as_int(__uint2float_rz((u32)i * 2654435761u));
    o[10] = __double_as_longlong(__ll2double_rd((long long)(x * 1e17))); o[11] = __float_as_int(__double2float_ru(x));
}

struct body { float pos[3]; double mass; int id; };
__constant__ float table[8] = {1, 2, 4, 8, 16, 32, 64, 128};
__device__ int counter = 5;
__device__ const float *where = &table[3];
__global__ void t_struct(body b, int k, const body *in, body *out, float *f)
{
    int i = threadIdx.x;
    body x = in[i];
    x.pos[0] += b.pos[k] * table[i & 7];
    x.mass *= b.mass;
    x.id = x.id + b.id;
    out[i] = x;
    float local[8];
    for (int j = 0; j < 8; j++) local[j] = table[j] * i;
    f[i] = local[(i * 5 + k) & 7] + *where;
    if (i == 0) counter += k;
    if (i == 0) f[32] = counter;
}

__device__ __noinline__ float helper(float x, int n) { return n ? x * n : -x; }
__device__ __noinline__ float outer(float x, int n, float *extra) { *extra = helper(x, n + 1); return helper(x, n) + 1; }
__global__ void t_calls(const float *a, float *out)
{
    float e, r = outer(a[threadIdx.x], threadIdx.x, &e);
    out[threadIdx.x] = threadIdx.x & 1 ? r : r + helper(e, 3);
    printf("%d\n", threadIdx.x);
}

__global__ void t_warp(const int *a, int *out)
{
    int i = threadIdx.x, v = a[i], *o = out + i * 16;
    unsigned all = 0xffffffffu;
    o[0] = __shfl_sync(all, v, (i + 5) & 31); o[1] = __shfl_up_sync(all, v, 3); o[2] = __shfl_down_sync(all, v, 7, 16); o[3] = __shfl_xor_sync(all, v, 9);
    o[4] = __ballot_sync(all, v > 50); o[5] = __any_sync(all, v > 98); o[6] = __all_sync(all, v >= 0); o[7] = __match_any_sync(all, v & 3);
    o[8] = __reduce_add_sync(all, v); o[9] = __reduce_max_sync(all, v); o[10] = __reduce_xor_sync(all, (u32)v); o[11] = 0;
    if (v & 1) { o[11] = __popc(__activemask()); __syncwarp(__activemask()); }
    int s = v;
    for (int d = 16; d; d >>= 1) s += __shfl_down_sync(all, s, d);
    o[12] = __shfl_sync(all, s, 0);
    int pred;
    o[13] = __match_all_sync(all, 7, &pred) + pred;
    o[14] = __syncthreads_count(v > 10); o[15] = __syncthreads_or(v == 3) + 2 * __syncthreads_and(v < 1000);
}

__global__ void t_shared(int n, const float *x, float *out)
{
    extern __shared__ float dyn[];
    __shared__ float s[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    s[t] = i < n ? x[i] : 0;
    dyn[255 - t] = s[t];
    __syncthreads();
    for (int k = 128; k; k >>= 1) {
        if (t < k) s[t] += s[t + k];
        __syncthreads();
    }
    if (t == 0) atomicAdd(out, s[0]);
    if (i < n) out[1 + i] = dyn[t];
}

__global__ void t_atomic(int n, const int *x, int *out, float *f, double *d, u64 *u)
{
    __shared__ int s[4];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x < 4) s[threadIdx.x] = 0;
    __syncthreads();
    if (i < n) {
        atomicAdd(&s[x[i] & 3], 1);
        atomicAdd(&out[0], x[i]); atomicMax(&out[1], x[i]); atomicMin(&out[2], x[i]); atomicOr(&out[3], 1 << (x[i] & 31));
        atomicXor(&out[4], x[i]); atomicInc((u32 *)&out[5], 6); atomicAnd(&out[6], ~(1 << (x[i] & 7)));
        atomicAdd(f, 0.5f); atomicAdd(d, 0.25); atomicAdd(u, 3ull);
        int old = out[7], seen;
        do { seen = old; old = atomicCAS(&out[7], seen, seen + 2); } while (old != seen);
    }
    __syncthreads();
    if (threadIdx.x < 4) atomicAdd(&out[8 + threadIdx.x], s[threadIdx.x]);
}

// a lock taken by every lane of a warp in turn
__global__ void t_lock(int *lock, int *count)
{
    bool done = false;
    while (!done) {
        if (atomicCAS(lock, 0, 1) == 0) {
            volatile int *c = count;
            *c = *c + 1;
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
    }
}

// each block waits for the one after it
__global__ void t_chain(volatile int *flag, int *out)
{
    int b = blockIdx.x;
    if (threadIdx.x == 0) {
        if (b + 1 < gridDim.x) while (flag[b + 1] == 0) {}
        out[b] = b + 1 < gridDim.x ? out[b + 1] + 1 : 1;
        __threadfence();
        flag[b] = 1;
    }
}

__global__ void t_grid(float *x, float *y, int n)
{
    cg::grid_group g = cg::this_grid();
    int i = g.thread_rank();
    for (int k = 0; k < 4; k++) {
        y[i] = x[(i + 1) % n] + 1;
        g.sync();
        x[i] = y[i];
        g.sync();
    }
}

__global__ void t_tile(const float *x, float *out)
{
    cg::thread_block b = cg::this_thread_block();
    auto t = cg::tiled_partition<8>(b);
    float v = x[threadIdx.x];
    for (int d = 4; d; d >>= 1) v += t.shfl_down(v, d);
    if (t.thread_rank() == 0) out[threadIdx.x / 8] = v;
}

__global__ void t_async(const float *x, float *out)
{
    __shared__ __align__(16) float s[2][128];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[0][t * 4], x + t * 4, 16);
    __pipeline_commit();
    for (int k = 0; k < 3; k++) {
        if (k < 2) __pipeline_memcpy_async(&s[(k + 1) & 1][t * 4], x + (k + 1) * 128 + t * 4, 16);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        for (int j = 0; j < 4; j++) out[k * 128 + t * 4 + j] = s[k & 1][127 - t * 4 - j];
        __syncthreads();
    }
}

__global__ void t_vector(int n, const float4 *x, double2 *y, uchar4 *c, const long4 *l, long long *out)
{
    int i = threadIdx.x;
    if (i >= n) return;
    float4 v = x[i];
    y[i] = make_double2(v.x + v.y, (double)v.z * v.w);
    c[i] = make_uchar4(v.x, v.y, v.z, v.w);
    out[i] = l[i].x + l[i].w;
}

// pointers of several spaces chosen at run time
__global__ void t_generic(const int *g, int *out, int k)
{
    __shared__ int s[32];
    int l[4];
    s[threadIdx.x] = threadIdx.x * 10;
    for (int j = 0; j < 4; j++) l[j] = 100 + j + threadIdx.x;
    __syncthreads();
    const int *p = threadIdx.x % 3 == 0 ? g + threadIdx.x : threadIdx.x % 3 == 1 ? s + threadIdx.x : l + (k & 3);
    out[threadIdx.x] = *p + __isShared(p) * 1000;
}

__global__ void t_diverge(int n, const int *x, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int v = x[i], steps = 0;
    while (v != 1) {
        if (v & 1) v = 3 * v + 1;
        else v >>= 1;
        if (++steps > 500) break;
        if (steps % 7 == 3) continue;
        switch (v & 3) {
        case 0: steps += 0; break;
        case 1: if (v == 5) steps++; break;
        default: break;
        }
    }
    out[i] = steps;
}

using namespace nvcuda;
__global__ void t_mma(const __half *a, const __half *b, const float *c, float *d)
{
    // m16n8k16 through inline assembly: fragments as the ISA lays them out
    int lane = threadIdx.x, g = lane / 4, t = lane % 4;
    u32 ra[4], rb[2];
    float rc[4];
    for (int i = 0; i < 4; i++) ra[i] = *(const u32 *)&a[(g + 8 * (i & 1)) * 16 + t * 2 + 8 * (i >> 1)];
    for (int i = 0; i < 2; i++) {
        __half2 h = __halves2half2(b[(t * 2 + 8 * i) * 8 + g], b[(t * 2 + 1 + 8 * i) * 8 + g]);
        rb[i] = *(u32 *)&h;
    }
    for (int i = 0; i < 4; i++) rc[i] = c[(g + 8 * (i >> 1)) * 8 + t * 2 + (i & 1)];
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(rc[0]), "+f"(rc[1]), "+f"(rc[2]), "+f"(rc[3]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
    for (int i = 0; i < 4; i++) d[(g + 8 * (i >> 1)) * 8 + t * 2 + (i & 1)] = rc[i];
}

__global__ void t_ldmatrix(const __half *a, u32 *out)
{
    __shared__ __align__(16) __half s[16 * 16];
    for (int i = threadIdx.x; i < 256; i += 32) s[i] = a[i];
    __syncwarp();
    u32 r[4], addr = (u32)__cvta_generic_to_shared(&s[(threadIdx.x % 16) * 16 + threadIdx.x / 16 * 8]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(addr));
    for (int i = 0; i < 4; i++) out[threadIdx.x * 8 + i] = r[i];
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(addr));
    for (int i = 0; i < 4; i++) out[threadIdx.x * 8 + 4 + i] = r[i];
}

__global__ void t_wmma(const __half *a, const __half *b, float *c)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    wmma::fill_fragment(fc, 0.5f);
    wmma::load_matrix_sync(fa, a, 16);
    wmma::load_matrix_sync(fb, b, 16);
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
}

template <int T> __global__ void t_gemm(int n, const float *A, const float *B, float *C)
{
    __shared__ float a[T][T], b[T][T];
    int x = threadIdx.x, y = threadIdx.y, j = blockIdx.x * T + x, i = blockIdx.y * T + y;
    float s = 0;
    for (int k0 = 0; k0 < n; k0 += T) {
        a[y][x] = i < n && k0 + x < n ? A[i * n + k0 + x] : 0;
        b[y][x] = j < n && k0 + y < n ? B[(k0 + y) * n + j] : 0;
        __syncthreads();
        for (int k = 0; k < T; k++) s += a[y][k] * b[k][x];
        __syncthreads();
    }
    if (i < n && j < n) C[i * n + j] = s;
}
template __global__ void t_gemm<16>(int, const float *, const float *, float *);
