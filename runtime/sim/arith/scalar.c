#include "runtime/sim/arith/scalar.h"

typedef int16_t s16;
typedef uint16_t u16;
typedef int32_t s32;
typedef uint32_t u32;
typedef int64_t s64;
typedef uint64_t u64;
typedef __int128 s128;
typedef unsigned __int128 u128;
#define FN(n) uint64_t rg__sim_##n(uint64_t a, uint64_t b, uint64_t c, uint64_t e)

/* One line a function: a list that is read down its columns. */
/* clang-format off */

/* Division by zero gives all ones on the device, the remainder too; the most negative number over -1 wraps. */
#define DIV(T, U, WRAPS)                                                                                       \
    FN(div_##T) { T x = (T)a, y = (T)b; return y == 0 ? (U)~(U)0 : WRAPS ? (U)(0 - (U)x) : (U)(T)(x / y); }    \
    FN(rem_##T) { T x = (T)a, y = (T)b; return y == 0 ? (U)~(U)0 : WRAPS ? 0 : (U)(T)(x % y); }
DIV(s16, u16, y == -1) DIV(u16, u16, 0) DIV(s32, u32, y == -1) DIV(u32, u32, 0) DIV(s64, u64, y == -1) DIV(u64, u64, 0)

FN(mulhi_s16) { return (u16)((s32)(s16)a * (s32)(s16)b >> 16); }
FN(mulhi_u16) { return (u16)((u32)(u16)a * (u32)(u16)b >> 16); }
FN(mulhi_s32) { return (u32)((s64)(s32)a * (s64)(s32)b >> 32); }
FN(mulhi_u32) { return (u32)((u64)(u32)a * (u64)(u32)b >> 32); }
FN(mulhi_s64) { return (u64)((s128)(s64)a * (s64)b >> 64); }
FN(mulhi_u64) { return (u64)((u128)a * b >> 64); }
FN(mulwide_s16) { return (u32)((s32)(s16)a * (s32)(s16)b); }
FN(mulwide_u16) { return (u32)(u16)a * (u32)(u16)b; }
FN(madwide_s16) { return (u32)((u32)((s32)(s16)a * (s32)(s16)b) + (u32)c); }
FN(madwide_u16) { return (u32)((u32)(u16)a * (u32)(u16)b + (u32)c); }
FN(madhi_s32) { return (u32)((u32)rg__sim_mulhi_s32(a, b, 0, 0) + (u32)c); }
FN(madhi_u32) { return (u32)((u32)rg__sim_mulhi_u32(a, b, 0, 0) + (u32)c); }
FN(madhi_s64) { return rg__sim_mulhi_s64(a, b, 0, 0) + c; }
FN(madhi_u64) { return rg__sim_mulhi_u64(a, b, 0, 0) + c; }
static s32 sx24(u64 a) { return (s32)((u32)a << 8) >> 8; }
FN(mul24_s32) { return (u32)((s64)sx24(a) * sx24(b)); }
FN(mul24_u32) { return (u32)((a & 0xffffff) * (b & 0xffffff)); }
FN(mad24_s32) { return (u32)((u32)rg__sim_mul24_s32(a, b, 0, 0) + (u32)c); }
FN(mad24_u32) { return (u32)((u32)rg__sim_mul24_u32(a, b, 0, 0) + (u32)c); }
FN(mul24hi_s32) { return (u32)((s64)sx24(a) * sx24(b) >> 16); }
FN(mul24hi_u32) { return (u32)((a & 0xffffff) * (b & 0xffffff) >> 16); }
FN(mad24hi_s32) { return (u32)((u32)rg__sim_mul24hi_s32(a, b, 0, 0) + (u32)c); }
FN(mad24hi_u32) { return (u32)((u32)rg__sim_mul24hi_u32(a, b, 0, 0) + (u32)c); }
FN(add16) { return (u16)(a + b); }
FN(sub16) { return (u16)(a - b); }
FN(mul16) { return (u16)((u32)(u16)a * (u32)(u16)b); }
FN(mad16) { return (u16)((u32)(u16)a * (u32)(u16)b + (u32)c); }
FN(neg16) { return (u16)(0 - a); }
FN(abs16) { return (s16)a < 0 ? (u16)(0 - a) : (u16)a; }
FN(not16) { return (u16)~a; }
FN(min_s16) { return (s16)a < (s16)b ? (u16)a : (u16)b; }
FN(min_u16) { return (u16)a < (u16)b ? (u16)a : (u16)b; }
FN(max_s16) { return (s16)a > (s16)b ? (u16)a : (u16)b; }
FN(max_u16) { return (u16)a > (u16)b ? (u16)a : (u16)b; }
FN(shl16) { return (u32)b > 15 ? 0 : (u16)((u32)(u16)a << b); }
FN(shr_s16) { return (u16)((s16)a >> ((u32)b > 15 ? 15 : (u32)b)); }
FN(shr_u16) { return (u32)b > 15 ? 0 : (u16)a >> b; }
static u64 clamp32(s64 v) { return (u32)(s32)(v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : v); }
FN(addsat_s32) { return clamp32((s64)(s32)a + (s32)b); }
FN(subsat_s32) { return clamp32((s64)(s32)a - (s32)b); }
FN(mad24hisat_s32) { return clamp32((s64)(s32)rg__sim_mul24hi_s32(a, b, 0, 0) + (s32)c); }
static s32 byte_at(u64 v, int i, bool sign) { return sign ? (s32)(int8_t)(v >> (8 * i)) : (s32)(uint8_t)(v >> (8 * i)); }
/* pairs of 16 bits; e: 0 add 1 min 2 max, 4 signed, 8 nothing below 0 */
FN(pair16)
{
    u64 r = 0;
    for (int i = 0; i < 2; i++) {
        u16 x = (u16)(a >> (16 * i)), y = (u16)(b >> (16 * i)), v;
        bool less = e & 4 ? (s16)x < (s16)y : x < y;
        v = (e & 3) == 0 ? (u16)(x + y) : ((e & 3) == 1) == less ? x : y;
        if (e & 8 && (s16)v < 0) v = 0;
        r |= (u64)v << (16 * i);
    }
    return r;
}
/* four bytes one by one; e: 0 add 1 sub 2 distance, 4 signed a, 8 signed b, 16 their sum and c */
FN(bytes4)
{
    u32 r = 0, sum = (u32)c;
    for (int i = 0; i < 4; i++) {
        s32 x = byte_at(a, i, e & 4), y = byte_at(b, i, e & 8), v = (e & 3) == 0 ? x + y : (e & 3) == 1 || x > y ? x - y : y - x;
        r |= ((u32)v & 255) << (8 * i);
        sum += (u32)v;
    }
    return e & 16 ? sum : r;
}
/* c: what to keep above, by eight bits more each; e: 0 two s16, 1 u8 pair above c, 2 s8 */
FN(cvt_pack)
{
    s64 lo = e == 0 ? INT16_MIN : e == 1 ? 0 : INT8_MIN, hi = e == 0 ? INT16_MAX : e == 1 ? UINT8_MAX : INT8_MAX, x = (s32)a, y = (s32)b;
    u32 bits = e == 0 ? 16 : 8, mask = (1u << bits) - 1;
    x = x < lo ? lo : x > hi ? hi : x;
    y = y < lo ? lo : y > hi ? hi : y;
    return (u32)((e ? (u32)c << 16 : 0) | ((u32)x & mask) << bits | ((u32)y & mask));
}
FN(madsat_s32) { return clamp32((s64)(s32)rg__sim_mulhi_s32(a, b, 0, 0) + (s32)c); }

FN(popc32) { return (u64)__builtin_popcount((u32)a); }
FN(popc64) { return (u64)__builtin_popcountll(a); }
FN(clz32) { return (u32)a ? (u64)__builtin_clz((u32)a) : 32; }
FN(clz64) { return a ? (u64)__builtin_clzll(a) : 64; }
FN(brev64)
{
    a = (a >> 1 & 0x5555555555555555u) | (a & 0x5555555555555555u) << 1;
    a = (a >> 2 & 0x3333333333333333u) | (a & 0x3333333333333333u) << 2;
    a = (a >> 4 & 0x0f0f0f0f0f0f0f0fu) | (a & 0x0f0f0f0f0f0f0f0fu) << 4;
    return __builtin_bswap64(a);
}
FN(brev32) { return rg__sim_brev64(a & 0xffffffffu, 0, 0, 0) >> 32; }

/* Of position and length 32-bit fields read eight bits, 64-bit ones all. */
static u64 bfe(u64 a, u64 pos, u64 len, int width, bool sign)
{
    u64 r = 0, s = 0;
    if (sign && len) { /* the bit that is repeated: the field's top one, the value's own when the field goes beyond */
        u64 top = pos + len - 1 > (u64)width - 1 ? (u64)width - 1 : pos + len - 1;
        s = a >> top & 1;
    }
    if (pos < (u64)width) r = a >> pos;
    u64 have = pos < (u64)width ? (u64)width - pos : 0;
    if (len < have) have = len;
    u64 mask = have >= 64 ? ~(u64)0 : ((u64)1 << have) - 1;
    r &= mask;
    if (s) r |= ~mask;
    return width == 32 ? (u32)r : r;
}
FN(bfe_u32) { return bfe((u32)a, b & 255, c & 255, 32, false); }
FN(bfe_s32) { return bfe((u32)a, b & 255, c & 255, 32, true); }
FN(bfe_u64) { return bfe(a, (u32)b, (u32)c, 64, false); }
FN(bfe_s64) { return bfe(a, (u32)b, (u32)c, 64, true); }
static u64 bfi(u64 a, u64 b, u64 pos, u64 len, u64 width)
{
    if (pos >= width || !len) return b;
    if (len > width - pos) len = width - pos;
    u64 mask = (len >= 64 ? ~(u64)0 : ((u64)1 << len) - 1) << pos;
    return (b & ~mask) | (a << pos & mask);
}
FN(bfi32) { return (u32)bfi((u32)a, (u32)b, c & 255, e & 255, 32); }
FN(bfi64) { return bfi(a, b, (u32)c, (u32)e, 64); }
static u64 find_top(u64 v) { return v ? 63 - (u64)__builtin_clzll(v) : 0xffffffffu; }
FN(bfind_u32) { return find_top((u32)a); }
FN(bfind_s32) { return find_top((u32)((s32)a < 0 ? ~a : a)); }
FN(bfind_u64) { return find_top(a); }
FN(bfind_s64) { return find_top((s64)a < 0 ? ~a : a); }
static u64 amount(u64 top, u64 width) { return top == 0xffffffffu ? top : width - 1 - top; }
FN(bfindsh_u32) { return amount(rg__sim_bfind_u32(a, 0, 0, 0), 32); }
FN(bfindsh_s32) { return amount(rg__sim_bfind_s32(a, 0, 0, 0), 32); }
FN(bfindsh_u64) { return amount(rg__sim_bfind_u64(a, 0, 0, 0), 64); }
FN(bfindsh_s64) { return amount(rg__sim_bfind_s64(a, 0, 0, 0), 64); }
FN(fns) /* the n-th set bit from a base */
{
    s32 base = (s32)(b & 31), n = (s32)c, step = n >= 0 ? 1 : -1, left = n >= 0 ? n : -n;
    if (n == 0) return (u32)a >> base & 1 ? (u64)base : 0xffffffffu;
    for (s32 i = base; i >= 0 && i < 32; i += step)
        if ((u32)a >> i & 1 && --left == 0) return (u64)i;
    return 0xffffffffu;
}
static u64 bytes_of(u64 a, u64 b) { return (u32)a | (u64)(u32)b << 32; }
FN(prmt)
{
    u64 v = bytes_of(a, b);
    u32 r = 0;
    for (int i = 0; i < 4; i++) {
        u32 sel = (u32)(c >> (4 * i)) & 15, byte = (u32)(v >> (8 * (sel & 7))) & 255;
        if (sel & 8) byte = byte & 0x80 ? 255 : 0;
        r |= byte << (8 * i);
    }
    return r;
}
static u64 permute(u64 a, u64 b, const int s[4])
{
    u64 v = bytes_of(a, b), r = 0;
    for (int i = 0; i < 4; i++) r |= (v >> (8 * s[i]) & 255) << (8 * i);
    return r;
}
FN(prmt_f4e) { int k = (int)(c & 3), s[4] = {k, k + 1, k + 2, k + 3}; return permute(a, b, s); }
FN(prmt_b4e) { int k = (int)(c & 3), s[4] = {k, (k + 7) & 7, (k + 6) & 7, (k + 5) & 7}; return permute(a, b, s); }
FN(prmt_rc8) { int k = (int)(c & 3), s[4] = {k, k, k, k}; return permute(a, b, s); }
FN(prmt_ecl) { int k = (int)(c & 3), s[4] = {0 < k ? k : 0, 1 < k ? k : 1, 2 < k ? k : 2, 3}; return permute(a, b, s); }
FN(prmt_ecr) { int k = (int)(c & 3), s[4] = {0, k < 1 ? k : 1, k < 2 ? k : 2, k}; return permute(a, b, s); }
FN(prmt_rc16) { int k = (int)(c & 1) * 2, s[4] = {k, k + 1, k, k + 1}; return permute(a, b, s); }
FN(lop3)
{
    u32 x = (u32)a, y = (u32)b, z = (u32)c, r = 0;
    for (int i = 0; i < 8; i++)
        if (e >> i & 1) r |= (i & 4 ? x : ~x) & (i & 2 ? y : ~y) & (i & 1 ? z : ~z);
    return r;
}
FN(shf_l_wrap) { unsigned n = (unsigned)c & 31; return (u32)(bytes_of(a, b) << n >> 32); }
FN(shf_l_clamp) { unsigned n = (u32)c > 32 ? 32 : (u32)c; return (u32)((bytes_of(a, b) << n) >> 32); }
FN(shf_r_wrap) { unsigned n = (unsigned)c & 31; return (u32)(bytes_of(a, b) >> n); }
FN(shf_r_clamp) { unsigned n = (u32)c > 32 ? 32 : (u32)c; return (u32)(bytes_of(a, b) >> n); }
#define SAD(T, U) FN(sad_##T) { T x = (T)a, y = (T)b; return (U)((U)(x < y ? (U)y - (U)x : (U)x - (U)y) + (U)c); }
SAD(s16, u16) SAD(u16, u16) SAD(s32, u32) SAD(u32, u32) SAD(s64, u64) SAD(u64, u64)
static s32 half_at(u64 v, int i, bool sign) { return sign ? (s32)(s16)(v >> (16 * i)) : (s32)(u16)(v >> (16 * i)); }
FN(dp4a)
{
    u32 r = (u32)c;
    for (int i = 0; i < 4; i++) r += (u32)(byte_at(a, i, e & 1) * byte_at(b, i, e & 2));
    return r;
}
static u64 dp2a(u64 a, u64 b, u64 c, u64 e, int from)
{
    u32 r = (u32)c;
    for (int i = 0; i < 2; i++) r += (u32)half_at(a, i, e & 1) * (u32)byte_at(b, from + i, e & 2);
    return r;
}
FN(dp2a_lo) { return dp2a(a, b, c, e, 0); }
FN(dp2a_hi) { return dp2a(a, b, c, e, 2); }
FN(bmsk_clamp)
{
    u64 pos = (u32)a, n = (u32)b > 32 ? 32 : (u32)b;
    return pos > 31 ? 0 : (u32)((((u64)1 << n) - 1) << pos);
}
FN(bmsk_wrap) { return (u32)((((u64)1 << (b & 31)) - 1) << (a & 31)); }
FN(szext_u32_clamp) { return (u32)b >= 32 ? (u32)a : (u32)a & (((u32)1 << b) - 1); }
FN(szext_u32_wrap) { return rg__sim_szext_u32_clamp(a, b & 31, 0, 0); }
FN(szext_s32_clamp) { return (u32)b >= 32 ? (u32)a : (u32)b == 0 ? 0 : (u32)((s32)((u32)a << (32 - (u32)b)) >> (32 - (u32)b)); }
FN(szext_s32_wrap) { return rg__sim_szext_s32_clamp(a, b & 31, 0, 0); }
FN(cnot16) { return (u16)a == 0; }
FN(cnot32) { return (u32)a == 0; }
FN(cnot64) { return a == 0; }
FN(pack16x2) { return (u16)a | (u32)(u16)b << 16; }
FN(pack16x4_lo) { return (u16)a | (u64)(u16)b << 16 | (u64)(u16)c << 32 | (u64)(u16)e << 48; }
FN(word16) { return (u16)(a >> (16 * (b & 3))); }
