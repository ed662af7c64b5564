// Half and bfloat16 arithmetic, tensor cores, cp.async. The arguments are those of plain.cu.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;
#define ARGS const float *x, const float *z, const int *k, const double *d, const __half *h, void *out, float *w, int *zero, int n
#define Y ((float *)out)
#define YH ((__half *)out)
#define ID (blockIdx.x * blockDim.x + threadIdx.x)

__global__ void half2_axpy(ARGS)
{
    const __half2 *a = (const __half2 *)h;
    __half2 s = __float2half2_rn(1.5f);
    ((__half2 *)out)[ID] = __hfma2(s, a[ID], __hmul2(a[ID + 1], __halves2half2(__low2half(a[ID]), __high2half(a[ID + 2]))));
}

__global__ void half_ops(ARGS)
{
    __half v = h[ID], u = h[ID + 1];
    __half r = __hadd(v, u);
    if (__hgt(v, u)) r = __hsub(r, __float2half(0.5f));
    r = r * v - u / __float2half(3.0f) + __hmax(v, u) + __habs(u);
    YH[ID] = r;
}

__global__ void half_math(ARGS)
{
    float v = __half2float(h[ID]);
    __half a = __float2half(fabsf(v) + 0.5f);
    Y[ID] = __half2float(hsqrt(a)) + __half2float(hexp(h[ID])) + __half2float(hlog(a)) + __half2float(hrcp(a)) + (float)__half2int_rn(__float2half(v * 20)) + __half2float(hfloor(__float2half(v * 5)));
}

__global__ void half_reduce(ARGS)
{
    __shared__ __half2 s[64];
    int t = threadIdx.x;
    s[t] = ((const __half2 *)h)[blockIdx.x * 64 + t];
    __syncthreads();
    for (int o = 32; o > 0; o >>= 1) {
        if (t < o) s[t] = __hadd2(s[t], s[t + o]);
        __syncthreads();
    }
    if (t == 0) Y[blockIdx.x] = __low2float(s[0]) + __high2float(s[0]);
}

__global__ void half_atomics(ARGS)
{
    atomicAdd((__half2 *)zero, __floats2half2_rn(0.25f, (float)(ID & 1)));
    atomicAdd((__half *)(zero + 1), __float2half(0.5f));
}

__global__ void half_shared(ARGS) // neighbours write halves of one word
{
    __shared__ __half s[130];
    int t = threadIdx.x;
    s[t + 1] = h[ID];
    if (t == 0) s[0] = s[129] = __float2half(0);
    __syncthreads();
    YH[ID] = __hadd(s[t], s[t + 2]);
}

__global__ void bf16_ops(ARGS)
{
    __nv_bfloat16 v = __float2bfloat16(x[ID]), u = __float2bfloat16_rn(z[ID]);
    __nv_bfloat162 p = __halves2bfloat162(v, u), q = __hmul2(p, p);
    Y[ID] = __bfloat162float(__hfma(v, u, v)) + __low2float(q) - __high2float(q) + __bfloat162float(__hmax(v, u));
}

__global__ void wmma_half(ARGS) // 32x32 of 32, four warps
{
    __shared__ __half a[32 * 32], b[32 * 32];
    int t = threadIdx.x, warp = t / 32;
    for (int i = t; i < 1024; i += 128) a[i] = __float2half(x[i]), b[i] = __float2half(z[i]);
    __syncthreads();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc;
    wmma::fill_fragment(acc, 0.0f);
    for (int i = 0; i < 32; i += 16) {
        wmma::load_matrix_sync(fa, a + warp / 2 * 16 * 32 + i, 32);
        wmma::load_matrix_sync(fb, b + i * 32 + warp % 2 * 16, 32);
        wmma::mma_sync(acc, fa, fb, acc);
    }
    for (int i = 0; i < acc.num_elements; i++) acc.x[i] *= 2;
    wmma::store_matrix_sync(Y + warp / 2 * 16 * 32 + warp % 2 * 16, acc, 32, wmma::mem_row_major);
}

__global__ void wmma_half_acc(ARGS)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, __half> acc;
    wmma::fill_fragment(acc, __float2half(1.0f));
    wmma::load_matrix_sync(fa, h, 16);
    wmma::load_matrix_sync(fb, h + 256, 16);
    wmma::mma_sync(acc, fa, fb, acc);
    wmma::store_matrix_sync(YH, acc, 16, wmma::mem_row_major);
}

__global__ void wmma_bf16(ARGS)
{
    __shared__ __nv_bfloat16 a[256], b[256];
    for (int i = threadIdx.x; i < 256; i += 32) a[i] = __float2bfloat16(x[i]), b[i] = __float2bfloat16(z[i]);
    __syncwarp();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __nv_bfloat16, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __nv_bfloat16, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc;
    wmma::fill_fragment(acc, 0.0f);
    wmma::load_matrix_sync(fa, a, 16);
    wmma::load_matrix_sync(fb, b, 16);
    wmma::mma_sync(acc, fa, fb, acc);
    wmma::store_matrix_sync(Y, acc, 16, wmma::mem_row_major);
}

__global__ void wmma_tf32(ARGS)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 8, float> acc;
    wmma::fill_fragment(acc, 0.0f);
    for (int i = 0; i < 16; i += 8) {
        wmma::load_matrix_sync(fa, x + i, 16);
        wmma::load_matrix_sync(fb, z + i * 16, 16);
        for (int j = 0; j < fa.num_elements; j++) fa.x[j] = wmma::__float_to_tf32(fa.x[j]);
        for (int j = 0; j < fb.num_elements; j++) fb.x[j] = wmma::__float_to_tf32(fb.x[j]);
        wmma::mma_sync(acc, fa, fb, acc);
    }
    wmma::store_matrix_sync(Y, acc, 16, wmma::mem_row_major);
}

__global__ void mma_ldmatrix(ARGS) // m16n8k16 with ldmatrix, b transposed on the way
{
    __shared__ __align__(16) __half a[16 * 16], b[16 * 8];
    int l = threadIdx.x;
    for (int i = l; i < 256; i += 32) a[i] = h[i];
    for (int i = l; i < 128; i += 32) b[i] = h[256 + i];
    __syncwarp();
    unsigned ra[4], rb[2];
    float c[4] = {0, 0, 0, 0};
    unsigned pa = (unsigned)__cvta_generic_to_shared(&a[(l % 16) * 16 + l / 16 * 8]), pb = (unsigned)__cvta_generic_to_shared(&b[(l % 16) * 8]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(ra[0]), "=r"(ra[1]), "=r"(ra[2]), "=r"(ra[3]) : "r"(pa));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];" : "=r"(rb[0]), "=r"(rb[1]) : "r"(pb));
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
    int r = l / 4, q = l % 4 * 2;
    Y[r * 8 + q] = c[0], Y[r * 8 + q + 1] = c[1], Y[(r + 8) * 8 + q] = c[2], Y[(r + 8) * 8 + q + 1] = c[3];
}

__global__ void wmma_edge(ARGS) // only 10 of 16 rows are there: the others are never written, and never stored
{
    __shared__ __half a[256], b[256];
    __shared__ float c[256];
    int t = threadIdx.x;
    for (int i = t; i < 160; i += 32) a[i] = h[i];
    for (int i = t; i < 256; i += 32) b[i] = h[256 + i];
    __syncwarp();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc;
    wmma::fill_fragment(acc, 0.0f);
    wmma::load_matrix_sync(fa, a, 16);
    wmma::load_matrix_sync(fb, b, 16);
    wmma::mma_sync(acc, fa, fb, acc);
    wmma::store_matrix_sync(c, acc, 16, wmma::mem_row_major);
    __syncwarp();
    for (int i = t; i < 160; i += 32) Y[i] = c[i];
}

__global__ void cp_async_pipeline(ARGS) // three stages of 16 bytes a thread
{
    __shared__ __align__(16) float s[3][128];
    int t = threadIdx.x;
    float v = 0;
    for (int i = 0; i < 2; i++) {
        unsigned to = (unsigned)__cvta_generic_to_shared(&s[i][t * 4]);
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n\tcp.async.commit_group;" ::"r"(to), "l"(x + i * 128 + t * 4) : "memory");
    }
    for (int i = 0; i < 8; i++) {
        asm volatile("cp.async.wait_group 1;" ::: "memory");
        __syncthreads();
        int next = i + 2;
        if (next < 8) {
            unsigned to = (unsigned)__cvta_generic_to_shared(&s[next % 3][t * 4]);
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(x + next * 128 + t * 4) : "memory");
        }
        asm volatile("cp.async.commit_group;" ::: "memory");
        for (int j = 0; j < 4; j++) v += s[i % 3][127 - (t * 4 + j)];
    }
    Y[t] = v;
}

__global__ void cp_async_zero_fill(ARGS)
{
    __shared__ __align__(16) float s[64];
    int t = threadIdx.x, bytes = t < 40 ? 4 : 0;
    unsigned to = (unsigned)__cvta_generic_to_shared(&s[t]);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;\n\tcp.async.wait_all;" ::"r"(to), "l"(x + (t < 40 ? t : 0)), "r"(bytes) : "memory");
    __syncthreads();
    Y[t] = s[63 - t];
}

__global__ void wmma_double(ARGS)
{
    wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 8, 8, 4, double> acc;
    wmma::fill_fragment(acc, 0.0);
    wmma::load_matrix_sync(fa, d, 4);
    wmma::load_matrix_sync(fb, d + 32, 8);
    wmma::mma_sync(acc, fa, fb, acc);
    wmma::store_matrix_sync((double *)out, acc, 8, wmma::mem_row_major);
}

__global__ void wmma_int8(ARGS)
{
    __shared__ __align__(16) signed char a[256], b[256];
    for (int i = threadIdx.x; i < 256; i += 32) a[i] = (signed char)(k[i] - 48), b[i] = (signed char)(k[i + 256] - 48);
    __syncthreads();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, int> acc;
    wmma::fill_fragment(acc, 0);
    wmma::load_matrix_sync(fa, a, 16);
    wmma::load_matrix_sync(fb, b, 16);
    wmma::mma_sync(acc, fa, fb, acc);
    wmma::store_matrix_sync((int *)out, acc, 16, wmma::mem_row_major);
}

__global__ void wmma_uint8_wide(ARGS) // 32 x 8, columns first
{
    __shared__ __align__(16) unsigned char a[512], b[128];
    for (int i = threadIdx.x; i < 512; i += 32) a[i] = (unsigned char)(k[i] * 2);
    for (int i = threadIdx.x; i < 128; i += 32) b[i] = (unsigned char)(k[i + 512] + 100);
    __syncthreads();
    wmma::fragment<wmma::matrix_a, 32, 8, 16, unsigned char, wmma::col_major> fa;
    wmma::fragment<wmma::matrix_b, 32, 8, 16, unsigned char, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 32, 8, 16, int> acc;
    wmma::fill_fragment(acc, 7);
    wmma::load_matrix_sync(fa, a, 32);
    wmma::load_matrix_sync(fb, b, 8);
    wmma::mma_sync(acc, fa, fb, acc);
    wmma::store_matrix_sync((int *)out, acc, 8, wmma::mem_row_major);
}
