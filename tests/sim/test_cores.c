/* Kernels of cores.cu against the CPU. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "tests/sim/kernels.h"

#define REF(name) static void name(const struct in *in, double *r)
#define EACH(n) for (int i = 0; i < (n); i++)
#define H(i) ((double)rg__half_to_float(in->h[i]))
static double half(double v)
{
    return (double)rg__half_to_float(rg__half_from_float((float)v));
} /* the sums here are exact in float */
static double bf16(double v)
{
    float f = (float)v;
    uint32_t u;
    memcpy(&u, &f, 4);
    u = (u + 0x7fff + (u >> 16 & 1)) & 0xffff0000u;
    memcpy(&f, &u, 4);
    return (double)f;
}
static double tf32(double v)
{
    float f = (float)v;
    uint32_t u;
    memcpy(&u, &f, 4);
    u = (u + 0x1000) & 0xffffe000u;
    memcpy(&f, &u, 4);
    return (double)f;
}

REF(axpy)
{
    EACH(256) for (int q = 0; q < 2; q++)
    {
        double other = q ? H(2 * i + 5) : H(2 * i);
        r[2 * i + q] = half(1.5 * H(2 * i + q) + half(H(2 * i + 2 + q) * other));
    }
}
REF(ops)
{
    EACH(512)
    {
        double v = H(i), u = H(i + 1), q = half(v + u);
        if (v > u) q = half(q - 0.5);
        q = half(half(half(half(q * v) - half(u / 3)) + fmax(v, u)) + fabs(u));
        r[i] = q;
    }
}
REF(math)
{
    EACH(512)
    {
        double v = H(i), a = half(fabs(v) + 0.5);
        r[i] = sqrt(a) + exp(v) + log(a) + 1 / a + rint(half(v * 20)) + floor(half(v * 5));
    }
}
REF(reduce)
{
    EACH(4) for (int j = 0; j < 128; j++) r[i] += H(i * 128 + j);
}
REF(atomics)
{
    r[0] = 0.25 * 64, r[1] = 32, r[2] = 32, r[3] = 0;
}
REF(neighbours)
{
    EACH(512) r[i] = half((i % 128 ? H(i - 1) : 0) + (i % 128 < 127 ? H(i + 1) : 0));
}
REF(bfloats)
{
    EACH(512)
    {
        double v = bf16(in->x[i]), u = bf16(in->z[i]);
        r[i] = bf16(v * u + v) + bf16(v * v) - bf16(u * u) + fmax(v, u);
    }
}
static double store_half(float v)
{
    return half((double)v);
}
REF(wmma32)
{
    EACH(1024)
    for (int q = 0; q < 32; q++) r[i] += 2 * store_half(in->x[i / 32 * 32 + q]) * store_half(in->z[q * 32 + i % 32]);
}
REF(wmma_acc)
{
    EACH(256)
    {
        r[i] = 1;
        for (int q = 0; q < 16; q++) r[i] += H(i / 16 * 16 + q) * H(256 + i % 16 * 16 + q);
    }
}
REF(wmma_bf)
{
    EACH(256) for (int q = 0; q < 16; q++) r[i] += bf16(in->x[i / 16 * 16 + q]) * bf16(in->z[q * 16 + i % 16]);
}
REF(wmma_tf)
{
    EACH(256) for (int q = 0; q < 16; q++) r[i] += tf32(in->x[i / 16 * 16 + q]) * tf32(in->z[q * 16 + i % 16]);
}
REF(wmma_d)
{
    EACH(64) for (int q = 0; q < 4; q++) r[i] += in->d[i / 8 * 4 + q] * in->d[32 + q * 8 + i % 8];
}
REF(wmma_i)
{
    EACH(256) for (int q = 0; q < 16; q++) r[i] += (in->k[i / 16 * 16 + q] - 48) * (in->k[256 + q * 16 + i % 16] - 48);
}
REF(wmma_u)
{
    EACH(256)
    {
        r[i] = 7;
        for (int q = 0; q < 16; q++) r[i] += in->k[q * 32 + i / 8] * 2 * (in->k[512 + q * 8 + i % 8] + 100);
    }
}
REF(mma)
{
    EACH(128) for (int q = 0; q < 16; q++) r[i] += H(i / 8 * 16 + q) * H(256 + q * 8 + i % 8);
}
REF(edge)
{
    EACH(160) for (int q = 0; q < 16; q++) r[i] += H(i / 16 * 16 + q) * H(256 + q * 16 + i % 16);
}
REF(stages)
{
    EACH(32) for (int s = 0; s < 8; s++) for (int j = 0; j < 4; j++) r[i] += in->x[s * 128 + 127 - (i * 4 + j)];
}
REF(zero_fill)
{
    EACH(64) r[i] = 63 - i < 40 ? in->x[63 - i] : 0;
}

static const struct kernel kernels[] = {
    {"half2_axpy", 2, 1, 128, 1, 0, false, OUT, F16, 512, 1e-9, axpy},
    {"half_ops", 4, 1, 128, 1, 0, false, OUT, F16, 512, 1e-9, ops},
    {"half_math", 4, 1, 128, 1, 0, false, OUT, F32, 512, 2e-3, math},
    {"half_reduce", 4, 1, 64, 1, 0, false, OUT, F32, 4, 1e-2, reduce},
    {"half_atomics", 1, 1, 64, 1, 0, false, ZERO, F16, 4, 0, atomics},
    {"half_shared", 4, 1, 128, 1, 0, false, OUT, F16, 512, 1e-9, neighbours},
    {"bf16_ops", 4, 1, 128, 1, 0, false, OUT, F32, 512, 1e-6, bfloats},
    {"wmma_half", 1, 1, 128, 1, 0, false, OUT, F32, 1024, 1e-5, wmma32},
    {"wmma_half_acc", 1, 1, 32, 1, 0, false, OUT, F16, 256, 2e-3, wmma_acc},
    {"wmma_bf16", 1, 1, 32, 1, 0, false, OUT, F32, 256, 1e-5, wmma_bf},
    {"wmma_tf32", 1, 1, 32, 1, 0, false, OUT, F32, 256, 1e-5, wmma_tf},
    {"wmma_double", 1, 1, 32, 1, 0, false, OUT, F64, 64, 1e-14, wmma_d},
    {"wmma_int8", 1, 1, 32, 1, 0, false, OUT, I32, 256, 0, wmma_i},
    {"wmma_uint8_wide", 1, 1, 32, 1, 0, false, OUT, I32, 256, 0, wmma_u},
    {"mma_ldmatrix", 1, 1, 32, 1, 0, false, OUT, F32, 128, 1e-5, mma},
    {"wmma_edge", 1, 1, 32, 1, 0, false, OUT, F32, 160, 1e-5, edge},
    {"cp_async_pipeline", 1, 1, 32, 1, 0, false, OUT, F32, 32, 1e-5, stages},
    {"cp_async_zero_fill", 1, 1, 64, 1, 0, false, OUT, F32, 64, 0, zero_fill},
};

static int setup(void **state)
{
    return kernels_open(__FILE__, "cores.cu");
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
