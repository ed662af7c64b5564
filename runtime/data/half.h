/* IEEE binary16 in software: no compiler option, no _Float16 needed on the host. */
#ifndef RG_RUNTIME_HALF_H
#define RG_RUNTIME_HALF_H
#include <stdint.h>
#include <string.h>

static inline float rg__half_to_float(uint16_t h)
{
    uint32_t sign = (uint32_t)(h & 0x8000u) << 16, e = (h >> 10) & 31, m = h & 0x3ffu, bits;
    if (e == 31) {
        bits = sign | 0x7f800000u | m << 13;
    } else if (e) {
        bits = sign | (e + 112) << 23 | m << 13;
    } else {
        float f = (float)m * 0x1p-24f;
        return sign ? -f : f;
    }
    float f;
    memcpy(&f, &bits, 4);
    return f;
}

/* Round to nearest even. */
static inline uint16_t rg__half_from_float(float f)
{
    uint32_t b;
    memcpy(&b, &f, 4);
    uint16_t sign = (uint16_t)(b >> 16 & 0x8000u);
    b &= 0x7fffffffu;
    if (b > 0x7f800000u) return sign | 0x7e00u;
    if (b >= 0x477ff000u) return sign | 0x7c00u; /* rounds to 65536 or more */
    if (b < 0x38800000u) {                       /* subnormal or zero: the unit is 2^-24 */
        float a;
        memcpy(&a, &b, 4);
        a += 0.5f; /* float's ulp at 0.5 is 2^-24: the addition rounds to even */
        memcpy(&b, &a, 4);
        return (uint16_t)(sign | (b - 0x3f000000u));
    }
    uint32_t odd = b >> 13 & 1;
    b += 0xfffu + odd;
    return (uint16_t)(sign | ((b >> 13) - (112u << 10)));
}
#endif
