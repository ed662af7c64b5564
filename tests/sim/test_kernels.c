/* Kernels of plain.cu and irregular.cu against the CPU. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "tests/sim/kernels.h"

#define REF(name) static void name(const struct in *in, double *r)
#define EACH(n) for (int i = 0; i < (n); i++)

REF(saxpy)
{
    EACH(1024) r[i] = 2.5f * in->x[i] + in->z[i];
}
REF(vec4)
{
    EACH(1024)
    r[i] = i % 4 == 0   ? in->x[i] * in->z[i]
           : i % 4 == 1 ? in->x[i] + in->z[i]
           : i % 4 == 2 ? in->x[i] - in->z[i]
                        : fmaxf(in->x[i], in->z[i]);
}
static double sum(const float *x, int n)
{
    double s = 0;
    EACH(n) s += x[i];
    return s;
}
REF(sums256)
{
    EACH(4) r[i] = sum(in->x + i * 256, 256);
}
REF(sums_strided)
{
    EACH(1024) r[i / 128 % 2] += in->x[i];
}
REF(sums128)
{
    EACH(8) r[i] = sum(in->x + i * 128, 128);
}
REF(total)
{
    r[0] = sum(in->x, 1024);
}
REF(reversed)
{
    EACH(1024) r[i] = 2 * in->x[1023 - i];
}
REF(scan256)
{
    EACH(1024) r[i] = in->x[i] + (i % 256 ? r[i - 1] : 0);
}
REF(exclusive512)
{
    EACH(1024) r[i] = i % 512 ? r[i - 1] + in->k[i - 1] : 0;
}
REF(iscan256)
{
    EACH(1024) r[i] = in->k[i] + (i % 256 ? r[i - 1] : 0);
}
REF(iscan)
{
    EACH(1024) r[i] = in->k[i] + (i ? r[i - 1] : 0);
}
REF(gemm)
{
    EACH(32)
    for (int j = 0; j < 32; j++)
        for (int q = 0; q < 32; q++) r[i * 32 + j] += (double)in->x[i * 32 + q] * in->z[q * 32 + j];
}
static void softmax(const struct in *in, double *r, int cols, int rows)
{
    EACH(rows)
    {
        double s = 0;
        for (int j = 0; j < cols; j++) s += exp(in->x[i * cols + j]);
        for (int j = 0; j < cols; j++) r[i * cols + j] = exp(in->x[i * cols + j]) / s;
    }
}
REF(softmax64)
{
    softmax(in, r, 64, 16);
}
REF(softmax128)
{
    softmax(in, r, 128, 8);
}
REF(layernorm)
{
    EACH(8)
    {
        double m = sum(in->x + i * 128, 128) / 128, v = 0;
        for (int j = 0; j < 128; j++) v += (in->x[i * 128 + j] - m) * (in->x[i * 128 + j] - m) / 128;
        for (int j = 0; j < 128; j++) r[i * 128 + j] = (in->x[i * 128 + j] - m) / sqrt(v + 1e-5);
    }
}
REF(histogram)
{
    EACH(1024) r[in->k[i] & 63]++;
}
REF(transpose)
{
    EACH(4096) r[i % 64 * 64 + i / 64] = in->x[i];
}
REF(stencil)
{
    EACH(1024) for (int o = -3; o <= 3; o++) if (i + o >= 0 && i + o < 1024) r[i] += in->x[i + o];
}
REF(conv2d)
{
    static const int m[] = {1, 2, 3, 2, 1},
                     c[5][5] = {{1, 2, 3, 2, 1}, {2, 4, 6, 4, 2}, {3, 6, 9, 6, 3}, {2, 4, 6, 4, 2}, {1, 2, 3, 2, 1}};
    (void)m;
    EACH(1024) for (int a = -2; a <= 2; a++) for (int b = -2; b <= 2; b++)
    {
        int y = i / 32 + a, x = i % 32 + b;
        if (y >= 0 && y < 32 && x >= 0 && x < 32) r[i] += c[a + 2][b + 2] * in->x[y * 32 + x] / 81.0;
    }
}
REF(spmv)
{
    EACH(32)
    for (int j = 0; j < i * 7 % 32 + 1; j++) r[i] += (double)in->x[i * 32 + j] * in->z[in->k[i * 32 + j] & 1023];
}
REF(bfs)
{
    EACH(256) for (int e = 0; e < 4; e++) r[(in->k[(i * 4 + e) & 1023] * 31 + e) & 255] = 1;
}
REF(max_cas)
{
    EACH(1024) r[i & 3] = fmax(r[i & 3], fabs(in->x[i]));
}
REF(sum_double)
{
    EACH(1024) r[0] += in->d[i];
}
static uint32_t byte_perm(uint32_t a, uint32_t b, uint32_t s)
{
    uint64_t v = a | (uint64_t)b << 32;
    uint32_t r = 0;
    EACH(4) r |= (uint32_t)(v >> (s >> (4 * i) & 7) * 8 & 255) << (8 * i);
    return r;
}
REF(bits)
{
    EACH(1024)
    {
        uint32_t v = (uint32_t)in->k[i] * 2654435761u, rev = 0, add4 = 0;
        for (int j = 0; j < 32; j++) rev |= (v >> j & 1) << (31 - j);
        static const uint32_t plus[] = {0x40, 0x30, 0xf0, 0x10};
        for (int j = 0; j < 4; j++) {
            uint32_t q = (v >> (8 * j) & 255) + plus[j];
            add4 |= (q > 255 ? 255 : q) << (8 * j);
        }
        int dp = 5;
        static const int c[] = {3, 2, -1, 1};
        for (int j = 0; j < 4; j++) dp += (int8_t)(v >> (8 * j)) * c[j];
        int64_t b = in->k[i] * 0x40000000ll;
        int lz64 = v ? __builtin_clzll((uint64_t)(int64_t)(int32_t)v) : 64;
        lz64 = v ? __builtin_clzll((uint64_t)v) : 64; /* v is unsigned */
        uint32_t t = (uint32_t)__builtin_popcount(v) + (v ? (uint32_t)__builtin_clz(v) : 32) * 3 +
                     (uint32_t)__builtin_ffs((int)v) * 5 + (rev >> 7) + byte_perm(v, ~v, 0x3610) + (v << 11 | v >> 21) +
                     (uint32_t)~v + (uint32_t)__builtin_popcountll((uint64_t)v << 13) + (uint32_t)lz64 +
                     (v >> 3 & 255) + (uint32_t)abs(in->k[i] - 50) + 7 + (uint32_t)(in->k[i] * 77) +
                     (uint32_t)(b >> 32) + (uint32_t)((uint64_t)v * v >> 32) + add4 + (uint32_t)dp;
        r[i] = (int32_t)t;
    }
}
static int by_value(const void *a, const void *b)
{
    return *(const double *)a < *(const double *)b ? -1 : *(const double *)a > *(const double *)b;
}
REF(sorted512)
{
    EACH(512) r[i] = in->k[i];
    qsort(r, 512, sizeof *r, by_value);
}
REF(sorted100)
{
    EACH(100) r[i] = in->k[i];
    qsort(r, 100, sizeof *r, by_value);
}
REF(split)
{
    for (int b = 0; b < 1024; b += 32) {
        int at_ = b;
        for (int p = 0; p < 2; p++) EACH(32) if ((in->k[b + i] & 1) == p) r[at_++] = in->k[b + i];
    }
}
REF(local_array)
{
    EACH(1024)
    {
        double a[16];
        for (int j = 0; j < 16; j++) a[j] = in->k[(i + j) % 1024];
        qsort(a, 16, sizeof *a, by_value);
        r[i] = a[in->k[i] & 15];
    }
}
REF(switches)
{
    EACH(1024)
    {
        float v = in->x[i];
        float c[] = {v + 1,           v * 2,     v * v,          -v, v - 3, fabsf(v), v / 4,
                     sqrtf(fabsf(v)), floorf(v), fminf(v, 0.5f), 42, 42};
        r[i] = c[in->k[i] % 12];
    }
}
REF(carries)
{
    EACH(1024)
    {
        uint32_t a = (uint32_t)in->k[i] * 0x9e3779b9u, b = ~a;
        uint64_t l = (uint64_t)a + (b | 1), m = (uint64_t)(b | 1) + (b | 1) + (l >> 32);
        uint64_t p = (uint64_t)a * 0x123456789abcdefull;
        __extension__ typedef unsigned __int128 u128;
        u128 wide = (u128)p * ~p;
        uint32_t high = (uint32_t)(uint64_t)(wide >> 64);
        wide += (uint32_t)l;
        r[i] = (int32_t)((uint32_t)l ^ (uint32_t)m ^ (uint32_t)(m >> 32) ^ high ^ (uint32_t)(wide >> 77));
    }
}
REF(math_double)
{
    EACH(512)
    {
        double v = in->d[i], a = fabs(v) + 0.5;
        r[i] = sin(v) + cos(100 * v) * exp(v / 8) + log(a) - pow(a, 1.7) + atan2(v, a) + erf(v) + cbrt(v) + tgamma(a) +
               hypot(v, 2.0) + fmod(v, 0.3) + 1 / sqrt(a) + tanh(v) + sin(M_PI * v);
    }
}
REF(math_float)
{
    EACH(1024)
    {
        float v = in->x[i], a = fabsf(v) + 0.25f;
        double q = (double)v;
        r[i] = sin(q) * cos(q) + exp(q) * 0.1f + log(a) + pow(a, 1.3f) + tanh(q) + erf(q) + sin(q) + log(a) + exp2(q) +
               log1p(a) + 1 / sqrt(a) + cbrt(q) + atan(q) + copysign(a, q) + truncf(v * 3) + rintf(v * 5) +
               ldexp(q, 3) + fmodf(v, 0.7f) + 0.5 * erfc(-q / sqrt(2));
    }
}
REF(dot_double)
{
    EACH(1024) r[0] += in->d[i] * in->x[i];
}
REF(monte_carlo)
{
    EACH(256)
    {
        uint32_t s = (uint32_t)i * 747796405u + 2891336453u;
        for (int j = 0; j < 100; j++) {
            float p[2];
            for (int q = 0; q < 2; q++) {
                s ^= s << 13, s ^= s >> 17, s ^= s << 5;
                p[q] = (float)s * 2.3283064e-10f;
            }
            r[i] += fmaf(p[0], p[0], p[1] * p[1]) < 1;
        }
    }
}
REF(pool)
{
    EACH(64)
    {
        int u = 63 - i;
        r[i] = (float)in->d[u] + in->x[u ^ 1] + (short)in->k[u ^ 3] + in->k[63 - u];
    }
}
REF(structs)
{
    EACH(256) r[i] = in->x[0] * in->x[3 * i] + in->x[3 * i + 1] * in->k[1] + in->x[3 * i + 2] + (float)in->d[2];
}
REF(mandelbrot)
{
    EACH(1024)
    {
        float cr = (float)(i % 32) / 12.0f - 2, ci = (float)(i / 32) / 12.0f - 1.3f, a = 0, b = 0;
        int n = 0;
        while (fmaf(a, a, b * b) < 4 && n < 60) {
            float t = fmaf(a, a, -(b * b)) + cr;
            b = fmaf(2 * a, b, ci);
            a = t;
            n++;
        }
        r[i] = n;
    }
}
REF(nbody)
{
    EACH(256) for (int j = 0; j < 256; j++)
    {
        double dx = (double)in->x[j] - in->x[i], dy = (double)in->z[j] - in->z[i],
               q = 1 / sqrt(dx * dx + dy * dy + 0.01), f = (1 + j % 3) * q * q * q;
        r[2 * i] += dx * f;
        r[2 * i + 1] += dy * f;
    }
}
REF(components)
{
    int label[256];
    EACH(256) label[i] = i;
    for (bool changed = true; changed;) {
        changed = false;
        EACH(256)
        {
            int j = (i * 5 + 4) % 256 / 4 * 4 + i % 4, m = label[i] < label[j] ? label[i] : label[j];
            if (label[i] != m || label[j] != m) changed = true;
            label[i] = label[j] = m;
        }
    }
    EACH(256) r[i] = label[i];
}
REF(locked)
{
    EACH(16) r[0] += in->k[i];
}
REF(lane_locks)
{
    EACH(64) r[0] += in->k[i];
}
REF(compacted)
{
    int n = 0;
    EACH(1024) if (in->x[i] > 0) r[n++] = in->x[i];
}
REF(handed)
{
    EACH(64) for (int j = 0; j < 4; j++) r[i] += in->x[j * 64 + 63 - i];
}
REF(half_warps)
{
    float v[1024];
    for (int g = 0; g < 1024; g += 16) {
        float s = sum(in->x + g, 16), m = -2;
        EACH(16) m = fmaxf(m, in->x[g + i]);
        EACH(16) v[g + i] = g / 16 % 2 ? s : m;
    }
    EACH(1024) r[i] = v[i ^ 16];
}
REF(votes)
{
    for (int b = 0; b < 1024; b += 64) {
        int count = 0, three = 0;
        for (int i = b; i < b + 64; i++) count += in->k[i] > 50, three |= in->k[i] == 3;
        for (int g = b; g < b + 64; g += 32) {
            int seven = 0, all = 0, most = 0, least = 1000;
            for (int i = g; i < g + 32; i++) {
                seven |= in->k[i] == 7, all += in->k[i];
                if (in->k[i] > most) most = in->k[i];
                if (in->k[i] & 1 && in->k[i] < least) least = in->k[i];
            }
            for (int i = g; i < g + 32; i++)
                r[i] = 1 + 2 * seven + 4 * (all & 255) + most * 1000 + (in->k[i] & 1 ? least : 0) + count +
                       three * 100000 + 200000;
        }
    }
}
REF(divisions)
{
    EACH(1024)
    {
        int64_t a = in->k[i] * 1234567890123ll - 99, b = in->k[(i + 5) % 1024] % 13 + 1;
        uint64_t u = (uint64_t)a;
        r[i] = (int32_t)(uint32_t)((uint64_t)(a / b) + (uint64_t)(a % b) + u / (uint32_t)b + u % 1000007 +
                                   (uint64_t)(int64_t)((in->k[i] - 50) / 7) + (uint64_t)(int64_t)((in->k[i] - 50) % 7) +
                                   (uint32_t)in->k[i] / 3u);
    }
}
REF(bytes)
{
    EACH(1024)
    {
        uint8_t k = (uint8_t)in->k[i];
        uint32_t v = (uint8_t)(k + 1) | (uint32_t)k << 8 | (uint32_t)(uint8_t)(k * 3) << 16 | (k > 50 ? 255u << 24 : 0);
        r[i] = (int32_t)v;
    }
}
REF(bilinear)
{
    EACH(1024)
    {
        float u = (float)(i % 32) * 0.93f, v = (float)(i / 32) * 0.89f;
        int a = (int)u, b = (int)v;
        double fu = u - a, fv = v - b;
        const float *p = in->x + b * 32 + a;
        r[i] = (1 - fv) * ((1 - fu) * p[0] + fu * p[1]) + fv * ((1 - fu) * p[32] + fu * p[33]);
    }
}
#include <fenv.h>
static float rounded(int mode, char op, float x, float y)
{
    volatile float a = x, b = y, v;
    fesetround(mode);
    v = op == '+' ? a + b : op == '*' ? a * b : op == '/' ? a / b : op == 's' ? sqrtf(a) : fmaf(a, b, a);
    fesetround(FE_TONEAREST);
    return v;
}
REF(rounding)
{
    EACH(1024)
    {
        float a = in->x[i], b = in->z[i] + 3;
        double v = in->d[i];
        float down = (float)v;
        if (fabs(down) > fabs(v)) down = nextafterf(down, 0);
        uint32_t bits_;
        float cut;
        memcpy(&bits_, &a, 4);
        bits_ &= 0xffff0000u;
        memcpy(&cut, &bits_, 4);
        double big = (double)in->k[i] * 16777259;
        float towards = (float)big;
        if (towards > big) towards = nextafterf(towards, 0);
        r[i] = (double)rounded(FE_UPWARD, '+', a, b) + rounded(FE_TOWARDZERO, '*', a, b) -
               rounded(FE_DOWNWARD, '/', a, b) + rounded(FE_UPWARD, 's', fabsf(a), 0) +
               rounded(FE_DOWNWARD, 'f', a, b) + down + ceil(v * 9) + rintf(a * 7) + cut + floorf(fabsf(b) * 3) +
               1 / b + (a - b) + floor(v * 5) + (float)(int32_t)big;
        (void)towards;
    }
}
REF(lambdas)
{
    EACH(1024) for (int j = 0; j < 5; j++) r[i] += in->x[(i + j) % 1024] * (float)(j + 1);
}
REF(plus_one)
{
    EACH(1024) r[i] = in->x[i] + 1;
}
REF(early_exit)
{
    EACH(1024 - 40) r[i] = in->x[i] + (i % 128 ? in->x[i - 1] : 0);
}
REF(generic)
{
    EACH(64) r[i] = in->k[i] % 3 == 0 ? in->x[63 - i] : in->k[i] % 3 == 1 ? in->z[i] : (i & 3) + 1;
}
REF(ring)
{
    EACH(4) r[0] += in->k[i] + i;
}
REF(running)
{
    EACH(16) r[i] = in->x[i] + (i ? r[i - 1] : 0);
}
REF(same_value)
{
    EACH(1024) r[i / 128 * 128] = r[i / 128 * 128] || in->k[i] > 90;
    EACH(1024) r[i] = r[i / 128 * 128];
}
REF(padded)
{
    EACH(50) r[i] = in->x[i] * 2 + in->x[i ^ 1];
}

static const struct kernel kernels[] = {
    {"saxpy", 2, 1, 128, 1, 0, false, OUT, F32, 1024, 1e-6, saxpy},
    {"vec4", 2, 1, 128, 1, 0, false, OUT, F32, 1024, 1e-6, vec4},
    {"reduce_tree", 4, 1, 256, 1, 0, false, OUT, F32, 4, 1e-5, sums256},
    {"reduce_shuffle", 2, 1, 128, 1, 0, false, OUT, F32, 2, 1e-5, sums_strided},
    {"reduce_volatile", 8, 1, 128, 1, 0, false, OUT, F32, 8, 1e-5, sums128},
    {"reduce_last_block", 8, 1, 128, 1, 0, false, OUT, F32, 1, 1e-5, total},
    {"reduce_everyone_fences", 8, 1, 128, 1, 0, false, OUT, F32, 1024, 0, reversed},
    {"scan_hillis", 4, 1, 256, 1, 0, false, OUT, F32, 1024, 1e-5, scan256},
    {"scan_blelloch", 2, 1, 256, 1, 0, false, OUT, I32, 1024, 0, exclusive512},
    {"scan_warps", 4, 1, 256, 1, 0, false, OUT, I32, 1024, 0, iscan256},
    {"scan_lookback", 8, 1, 128, 1, 0, false, OUT, I32, 1024, 0, iscan},
    {"gemm_naive", 2, 2, 16, 16, 0, false, OUT, F32, 1024, 1e-5, gemm},
    {"gemm_tiled", 2, 2, 16, 16, 0, false, OUT, F32, 1024, 1e-5, gemm},
    {"gemm_double_buffer", 2, 2, 16, 16, 0, false, OUT, F32, 1024, 1e-5, gemm},
    {"gemm_registers", 1, 1, 64, 1, 0, false, OUT, F32, 1024, 1e-5, gemm},
    {"softmax_warp", 4, 1, 128, 1, 0, false, OUT, F32, 1024, 1e-6, softmax64},
    {"softmax_online", 8, 1, 64, 1, 0, false, OUT, F32, 1024, 1e-6, softmax128},
    {"layernorm", 8, 1, 32, 1, 0, false, OUT, F32, 1024, 1e-5, layernorm},
    {"histogram_shared", 2, 1, 128, 1, 0, false, ZERO, I32, 64, 0, histogram},
    {"histogram_match", 8, 1, 128, 1, 0, false, ZERO, I32, 64, 0, histogram},
    {"transpose_padded", 2, 2, 32, 8, 0, false, OUT, F32, 4096, 0, transpose},
    {"transpose_swizzled", 2, 2, 32, 8, 0, false, OUT, F32, 4096, 0, transpose},
    {"stencil_halo", 8, 1, 128, 1, 134 * 4, false, OUT, F32, 1024, 1e-6, stencil},
    {"conv2d", 2, 2, 16, 16, 0, false, OUT, F32, 1024, 1e-5, conv2d},
    {"spmv_warp", 8, 1, 128, 1, 0, false, OUT, F32, 32, 1e-5, spmv},
    {"bfs_step", 2, 1, 128, 1, 0, false, ZERO, I32, 256, 0, bfs},
    {"max_cas", 8, 1, 128, 1, 0, false, ZERO, F32, 4, 0, max_cas},
    {"sum_cas", 8, 1, 128, 1, 0, false, ZERO, F64, 1, 1e-12, sum_double},
    {"bits", 8, 1, 128, 1, 0, false, OUT, I32, 1024, 0, bits},
    {"bitonic", 1, 1, 256, 1, 0, false, OUT, I32, 512, 0, sorted512},
    {"split_ballot", 32, 1, 32, 1, 0, false, OUT, I32, 1024, 0, split},
    {"local_array", 8, 1, 128, 1, 0, false, OUT, I32, 1024, 0, local_array},
    {"switch_table", 8, 1, 128, 1, 0, false, OUT, F32, 1024, 1e-6, switches},
    {"carries", 8, 1, 128, 1, 0, false, OUT, I32, 1024, 0, carries},
    {"math_double", 4, 1, 128, 1, 0, false, OUT, F64, 512, 1e-13, math_double},
    {"math_float", 8, 1, 128, 1, 0, false, OUT, F32, 1024, 2e-6, math_float},
    {"dot_double", 1, 1, 128, 1, 0, false, OUT, F64, 1, 1e-12, dot_double},
    {"monte_carlo", 2, 1, 128, 1, 0, false, OUT, I32, 256, 0, monte_carlo},
    {"shared_pool", 1, 1, 64, 1, 64 * 15, false, OUT, F32, 64, 1e-6, pool},
    {"structs", 2, 1, 128, 1, 0, false, OUT, F32, 256, 1e-5, structs},
    {"mandelbrot", 8, 1, 128, 1, 0, false, OUT, I32, 1024, 0, mandelbrot},
    {"nbody_tile", 4, 1, 64, 1, 0, false, OUT, F32, 512, 2e-5, nbody},
    {"union_find", 1, 1, 256, 1, 0, false, OUT, I32, 256, 0, components},
    {"spin_lock", 16, 1, 32, 1, 0, false, ZERO, I32, 1, 0, locked},
    {"lane_locks", 2, 1, 32, 1, 0, false, ZERO, I32, 1, 0, lane_locks},
    {"compact", 8, 1, 128, 1, 0, false, W, F32, 400, 0, compacted},
    {"producer_consumer", 1, 1, 128, 1, 0, false, OUT, F32, 64, 1e-6, handed},
    {"half_warps", 16, 1, 64, 1, 0, false, OUT, F32, 1024, 1e-5, half_warps},
    {"votes", 16, 1, 64, 1, 0, false, OUT, I32, 1024, 0, votes},
    {"long_division", 8, 1, 128, 1, 0, false, OUT, I32, 1024, 0, divisions},
    {"bytes", 8, 1, 128, 1, 0, false, OUT, I32, 1024, 0, bytes},
    {"bilinear", 8, 1, 128, 1, 0, false, OUT, F32, 1024, 1e-5, bilinear},
    {"stack_sort", 1, 1, 32, 1, 0, false, ZERO, I32, 100, 0, sorted100},
    {"rounding", 8, 1, 128, 1, 0, false, OUT, F32, 1024, 1e-5, rounding},
    {"lambdas", 8, 1, 128, 1, 0, false, OUT, F32, 1024, 1e-6, lambdas},
    {"printing", 8, 1, 128, 1, 0, false, OUT, F32, 1024, 1e-6, plus_one},
    {"early_exit", 8, 1, 128, 1, 0, false, OUT, F32, 1024 - 40, 1e-6, early_exit},
    {"generic_pointers", 1, 1, 64, 1, 0, false, OUT, F32, 64, 0, generic},
    {"ring_flags", 1, 1, 128, 1, 0, false, OUT, I32, 1, 0, ring},
    {"acquire_release", 16, 1, 32, 1, 0, false, OUT, F32, 16, 1e-6, running},
    {"same_value", 8, 1, 128, 1, 0, false, OUT, I32, 1024, 0, same_value},
    {"padded_tile", 1, 1, 64, 1, 0, false, OUT, F32, 50, 1e-6, padded},
};

static int setup(void **state)
{
    return kernels_open(__FILE__, "plain.cu irregular.cu");
}
static int teardown(void **state)
{
    cu_close(&cu);
    return 0;
}
int main(void)
{
    return kernels_run(kernels, (int)(sizeof kernels / sizeof *kernels), setup, teardown);
}
