// The bits of a number as one of another kind: by memcpy, through a pointer, by a union; read, stored and changed. want: parallel
// chain: parallelize@C
// shows: __float_as_uint\(
// lacks: rg_memcpy
#include <stdint.h>
#include <string.h>
typedef union { double d; uint64_t u; int64_t i; } real;
static float rsqrt_guess(float x)
{
    union { float f; int32_t i; } v = {.f = x};
    v.i = 0x5f3759df - (v.i >> 1);
    return v.f * (1.5f - 0.5f * x * v.f * v.f);
}
#pragma regraph size(n=1000) size(n=7) input(x: uniform(0.5, 2.0)) input(y: uniform(0.5, 2.0))
void bits_as_numbers(const float *x, const double *y, uint32_t *key, float *a, double *b, float *c, int n)
{
    uint32_t *as = (uint32_t *)c;
    for (int i = 0; i < n; i++) {
        uint32_t u;
        memcpy(&u, &x[i], sizeof u);
        key[i] = u ^ (u >> 31 ? 0xFFFFFFFFu : 0x80000000u);
        a[i] = rsqrt_guess(x[i]);
        real v;
        v.d = y[i];
        v.u &= ~0xffffull;
        v.i++;
        uint64_t m = v.u >> 12 | 0x3ff0000000000000ull;
        b[i] = v.d + *(double *)&m;
        int32_t k = (int32_t)key[i] & 0x3fffffff;
        memcpy(c + i, &k, sizeof k);
        as[i] |= 0x10u;
        *(uint32_t *)&c[i] ^= u & 7;
    }
}
