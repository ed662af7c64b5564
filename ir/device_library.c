/* Functions of C's library that CUDA has not, or has only for many threads, in CUDA C++: what a body that runs in one
 * thread calls. A candidate gets those it names. */
#include "ir/device_library.h"
#include "ir/device_sort.h"
#include <rg/problem.h>
#include <string.h>

/* name, what its text uses, text. The order is that of definition. */
static const struct part {
    const char *name;
    const char *uses[3];
    const char *text;
} parts[] = {
    /* `void *`, which C converts to and from any pointer without a word */
    {"any",
     {0},
     "struct rg_any {\n"
     "    void *p;\n"
     "    rg_any() = default;\n"
     "    __device__ rg_any(const volatile void *q) : p((void *)q) {}\n"
     "    template <class T> __device__ operator T *() const { return (T *)p; }\n"
     "    __device__ explicit operator bool() const { return p != 0; }\n"
     "    __device__ bool operator==(const volatile void *q) const { return p == (void *)q; }\n"
     "    __device__ bool operator!=(const volatile void *q) const { return p != (void *)q; }\n"
     "};\n"},
    /* one thread's: blocks one behind the other, each knows the one before it; what is freed goes when nothing behind
       it is in use */
    {"heap",
     {"any"},
     "struct rg_block { unsigned long bytes, before, used, unused; };\n"
     "__device__ __align__(32) char rg_heap[1 << 28];\n"
     "__device__ unsigned long rg_heap_top, rg_heap_last;\n"
     "__device__ inline void rg_heap_reset() { rg_heap_top = rg_heap_last = 0; }\n"},
    {"malloc",
     {"heap"},
     "__device__ inline rg_any rg_malloc(unsigned long bytes)\n{\n"
     "    unsigned long at = rg_heap_top, room = (bytes + 31) / 32 * 32;\n"
     "    if (bytes > sizeof rg_heap || at + sizeof(rg_block) + room > sizeof rg_heap) asm volatile(\"trap;\"); // the "
     "heap is used up\n"
     "    rg_block *b = (rg_block *)(rg_heap + at);\n"
     "    b->bytes = bytes;\n    b->before = rg_heap_last;\n    b->used = 1;\n"
     "    rg_heap_last = at;\n    rg_heap_top = at + sizeof(rg_block) + room;\n"
     "    return rg_any(b + 1);\n}\n"},
    {"calloc",
     {"malloc"},
     "__device__ inline rg_any rg_calloc(unsigned long n, unsigned long size)\n{\n"
     "    rg_any q = rg_malloc(n * size);\n"
     "    if (q.p) for (unsigned long i = 0; i < (n * size + 7) / 8; i++) ((unsigned long *)q.p)[i] = 0;\n"
     "    return q;\n}\n"},
    {"free",
     {"heap"},
     "__device__ inline void rg_free(rg_any q)\n{\n"
     "    if ((char *)q.p < rg_heap || (char *)q.p >= rg_heap + sizeof rg_heap) return; // 0, or what the caller "
     "supplied\n"
     "    ((rg_block *)q.p - 1)->used = 0;\n"
     "    while (rg_heap_top && !((rg_block *)(rg_heap + rg_heap_last))->used) {\n"
     "        rg_heap_top = rg_heap_last;\n"
     "        rg_heap_last = rg_heap_top ? ((rg_block *)(rg_heap + rg_heap_last))->before : 0;\n    }\n}\n"},
    {"vla",
     {"malloc", "free"},
     "template <class T> struct rg_vla {\n    T *p;\n    __device__ explicit rg_vla(long n) : p(rg_malloc(n * "
     "sizeof(T))) {}\n"
     "    rg_vla(const rg_vla &) = delete;\n    __device__ ~rg_vla() { rg_free(p); }\n    __device__ operator T *() "
     "const { return p; }\n};\n"},
    {"realloc",
     {"malloc", "free"},
     "__device__ inline rg_any rg_realloc(rg_any q, unsigned long bytes)\n{\n"
     "    if (q.p && ((char *)q.p < rg_heap || (char *)q.p >= rg_heap + sizeof rg_heap)) return q; // the caller's: it "
     "is as long as it is\n"
     "    rg_any n = rg_malloc(bytes);\n"
     "    if (!q.p || !n.p) return n;\n"
     "    unsigned long had = ((rg_block *)q.p - 1)->bytes, keep = had < bytes ? had : bytes;\n"
     "    for (unsigned long i = 0; i < keep; i++) ((char *)n.p)[i] = ((char *)q.p)[i];\n"
     "    rg_free(q);\n    return n;\n}\n"},
    {"merge_path", {0}, RG_DEVICE_MERGE_PATH},
    {"sort_tile", {"merge_path"}, RG_DEVICE_SORT_TILE},
    {"merge_tile", {"merge_path"}, RG_DEVICE_MERGE_TILE},
    /* stable, as glibc's is where memory allows, and in place: runs of 8 by insertion, then merges by rotation
     * (SymMerge, Kim and Kutzner 2004) with the halves still to do on a stack of its own */
    {"qsort",
     {"any", "sort_tile", "merge_tile"},
     "__device__ inline void rg_exchange(char *a, char *b, unsigned long size)\n{\n"
     "    if (size % 4 == 0) for (unsigned long i = 0; i < size / 4; i++) { int t = ((int *)a)[i]; ((int *)a)[i] = "
     "((int *)b)[i]; ((int *)b)[i] = t; }\n"
     "    else for (unsigned long i = 0; i < size; i++) { char t = a[i]; a[i] = b[i]; b[i] = t; }\n}\n"
     "__device__ inline void rg_reverse(char *v, long lo, long hi, unsigned long size)\n{\n"
     "    for (hi--; lo < hi; lo++, hi--) rg_exchange(v + lo * size, v + hi * size, size);\n}\n"
     "template <class F> __device__ inline void rg_sort(char *v, long n, unsigned long size, F order)\n{\n"
     "    for (long from = 0; from < n; from += 8)\n"
     "        for (long i = from + 1; i < n && i < from + 8; i++)\n"
     "            for (long k = i; k > from && order(v + (k - 1) * size, v + k * size) > 0; k--) rg_exchange(v + (k - "
     "1) * size, v + k * size, size);\n"
     "    for (long run = 8; run < n; run *= 2)\n"
     "        for (long from = 0; from + run < n; from += 2 * run) {\n"
     "            long todo[64][3];\n"
     "            int top = 1;\n"
     "            todo[0][0] = from;\n            todo[0][1] = from + run;\n            todo[0][2] = from + 2 * run < "
     "n ? from + 2 * run : n;\n"
     "            while (top > 0) {\n"
     "                long a = todo[top - 1][0], m = todo[top - 1][1], b = todo[top - 1][2];\n"
     "                top--;\n"
     "                if (a >= m || m >= b || order(v + (m - 1) * size, v + m * size) <= 0) continue;\n"
     "                if (b - a == 2) { rg_exchange(v + a * size, v + m * size, size); continue; }\n"
     "                long mid = a + (b - a) / 2, sum = mid + m, lo = m > mid ? sum - b : a, hi = m > mid ? mid : m, p "
     "= sum - 1;\n"
     "                while (lo < hi) {\n"
     "                    long c = lo + (hi - lo) / 2;\n"
     "                    if (order(v + (p - c) * size, v + c * size) >= 0) lo = c + 1;\n"
     "                    else hi = c;\n                }\n"
     "                long end = sum - lo;\n"
     "                if (lo < m && m < end) { rg_reverse(v, lo, m, size); rg_reverse(v, m, end, size); rg_reverse(v, "
     "lo, end, size); }\n"
     "                todo[top][0] = a;\n                todo[top][1] = lo;\n                todo[top++][2] = mid;\n"
     "                todo[top][0] = mid;\n                todo[top][1] = end;\n                todo[top++][2] = b;\n  "
     "          }\n        }\n}\n"
     "#define rg_qsort(v, n, size, order, ...) rg_sort((char *)(void *)(v), (long)(n), size, [&](rg_any rg_x, rg_any "
     "rg_y) { return order(rg_x, rg_y, ##__VA_ARGS__); })\n"},
    {"bsearch",
     {"any"},
     "template <class F> __device__ inline rg_any rg_find(rg_any key, const char *v, long n, unsigned long size, F "
     "order)\n{\n"
     "    long lo = 0, hi = n;\n"
     "    while (lo < hi) {\n        long m = lo + (hi - lo) / 2;\n        int c = order(key, v + m * size);\n"
     "        if (c == 0) return rg_any(v + m * size);\n        if (c < 0) hi = m;\n        else lo = m + 1;\n    }\n  "
     "  return rg_any(0);\n}\n"
     "#define rg_bsearch(key, v, n, size, order) rg_find(key, (const char *)(const void *)(v), (long)(n), size, "
     "[](rg_any rg_x, rg_any rg_y) { return order(rg_x, rg_y); })\n"},
    {"bplace",
     {"bsearch"},
     "template <class F> __device__ inline long rg_find_place(rg_any key, const char *v, long n, unsigned long size, F "
     "order)\n{\n    const rg_any at = rg_find(key, v, n, size, order);\n"
     "    return at.p ? (long)(((const char *)at.p - v) / size) : -1;\n}\n"
     "#define rg_bplace(key, v, n, size, order) rg_find_place(key, (const char *)(const void *)(v), (long)(n), size, "
     "[](rg_any rg_x, rg_any rg_y) { return order(rg_x, rg_y); })\n"},
    {"memmove",
     {"any"},
     "__device__ inline rg_any rg_memmove(rg_any to, rg_any from, unsigned long n)\n{\n"
     "    char *a = to;\n    const char *b = from;\n"
     "    if (a < b) for (unsigned long i = 0; i < n; i++) a[i] = b[i];\n"
     "    else while (n-- > 0) a[n] = b[n];\n    return to;\n}\n"},
    {"memcpy", {"memmove"}, "#define rg_memcpy rg_memmove\n"},
    {"memset",
     {"any"},
     "__device__ inline rg_any rg_memset(rg_any to, int c, unsigned long n)\n{\n"
     "    char *a = to;\n    for (unsigned long i = 0; i < n; i++) a[i] = (char)c;\n    return to;\n}\n"},
    {"memcmp",
     {"any"},
     "__device__ inline int rg_memcmp(rg_any x, rg_any y, unsigned long n)\n{\n"
     "    const unsigned char *a = x, *b = y;\n"
     "    for (unsigned long i = 0; i < n; i++) if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;\n    return 0;\n}\n"},
    {"strlen",
     {0},
     "__device__ inline unsigned long rg_strlen(const char *s)\n{\n    unsigned long n = 0;\n    while (s[n]) n++;\n   "
     " return n;\n}\n"},
    {"strncmp",
     {0},
     "__device__ inline int rg_strncmp(const char *a, const char *b, unsigned long n)\n{\n"
     "    for (unsigned long i = 0; i < n; i++) {\n        if (a[i] != b[i]) return (unsigned char)a[i] < (unsigned "
     "char)b[i] ? -1 : 1;\n"
     "        if (!a[i]) break;\n    }\n    return 0;\n}\n"},
    {"strcmp", {"strncmp"}, "#define rg_strcmp(a, b) rg_strncmp(a, b, ~0ul)\n"},
    {"strcpy",
     {0},
     "__device__ inline char *rg_strcpy(char *to, const char *s)\n{\n    unsigned long i = 0;\n    do to[i] = s[i]; "
     "while (s[i++]);\n    return to;\n}\n"},
    {"memchr",
     {"any"},
     "template <class T> __device__ inline T *rg_memchr(T *x, int c, unsigned long n)\n{\n"
     "    const unsigned char *s = (const unsigned char *)x;\n"
     "    for (unsigned long i = 0; i < n; i++) if (s[i] == (unsigned char)c) return (T *)(s + i);\n    return "
     "0;\n}\n"},
    {"strrchr",
     {0},
     "__device__ inline char *rg_strrchr(const char *s, int c)\n{\n    const char *last = 0;\n"
     "    do if (*s == (char)c) last = s; while (*s++);\n    return (char *)last;\n}\n"},
    {"strstr",
     {0},
     "__device__ inline char *rg_strstr(const char *s, const char *t)\n{\n    for (;; s++) {\n"
     "        unsigned long i = 0;\n        while (t[i] && s[i] == t[i]) i++;\n        if (!t[i]) return (char *)s;\n"
     "        if (!*s) return 0;\n    }\n}\n"},
    {"strchr",
     {0},
     "__device__ inline char *rg_strchr(const char *s, int c)\n{\n    while (*s && *s != (char)c) s++;\n    return *s "
     "== (char)c ? (char *)s : (char *)0;\n}\n"},
    /* glibc's table of the C locale, which its macros read: isalpha(c) is (*__ctype_b_loc())[c] & 1024 */
    {"ctype",
     {0},
     "__device__ inline unsigned short rg_ctype(int c)\n{\n"
     "    bool up = c >= 'A' && c <= 'Z', low = c >= 'a' && c <= 'z', digit = c >= '0' && c <= '9', graph = c > 32 && "
     "c < 127;\n"
     "    bool hex = digit || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'), word = up || low || digit;\n"
     "    return (up ? 256 : 0) | (low ? 512 : 0) | (up || low ? 1024 : 0) | (digit ? 2048 : 0) | (hex ? 4096 : 0) |\n"
     "           (c == 32 || (c >= 9 && c <= 13) ? 8192 : 0) | (graph || c == 32 ? 16384 : 0) | (graph ? 32768 : 0) |\n"
     "           (c == 32 || c == 9 ? 1 : 0) | (c >= 0 && (c < 32 || c == 127) ? 2 : 0) | (graph && !word ? 4 : 0) | "
     "(word ? 8 : 0);\n}\n"},
    {"ctype_b_loc",
     {"ctype"},
     "struct rg_ctype_table {\n    __device__ unsigned short operator[](int c) const { return rg_ctype(c); }\n"
     "    __device__ rg_ctype_table operator*() const { return *this; }\n};\n"
     "__device__ inline rg_ctype_table rg_ctype_b_loc() { return rg_ctype_table(); }\n"},
#define CLASS(name, bits)                                                                                              \
    {#name, {"ctype"}, "__device__ inline int rg_" #name "(int c) { return rg_ctype(c) & " #bits "; }\n"},
    CLASS(isupper, 256) CLASS(islower, 512) CLASS(isalpha, 1024) CLASS(isdigit, 2048) CLASS(isxdigit, 4096) CLASS(
        isspace, 8192) CLASS(isprint, 16384) CLASS(isgraph, 32768) CLASS(isblank, 1) CLASS(iscntrl, 2) CLASS(ispunct, 4)
        CLASS(isalnum, 8)
#undef CLASS
            {"tolower", {0}, "__device__ inline int rg_tolower(int c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }\n"},
    {"toupper", {0}, "__device__ inline int rg_toupper(int c) { return c >= 'a' && c <= 'z' ? c - 32 : c; }\n"},
    /* bits, as gcc's builtins of these names */
    {"ctz", {0}, "__device__ inline int rg_ctz(unsigned x) { return __ffs((int)x) - 1; }\n"},
    {"ctzll", {0}, "__device__ inline int rg_ctzll(unsigned long long x) { return __ffsll((long long)x) - 1; }\n"},
    {"parity", {0}, "__device__ inline int rg_parity(unsigned x) { return __popc(x) & 1; }\n"},
    {"parityll", {0}, "__device__ inline int rg_parityll(unsigned long long x) { return __popcll(x) & 1; }\n"},
    {"clrsb", {0}, "__device__ inline int rg_clrsb(int x) { return __clz(x < 0 ? ~x : x) - 1; }\n"},
    {"clrsbll", {0}, "__device__ inline int rg_clrsbll(long long x) { return __clzll(x < 0 ? ~x : x) - 1; }\n"},
    /* the bits of x below those of n, a power of two, in reverse */
    {"mirrored",
     {0},
     "template <class T> __device__ inline T rg_mirrored(T x, unsigned long long n) { return n > 1 ? "
     "(T)(__brevll((unsigned long long)x) >> (__clzll((long long)n) + 1)) : (T)0; }\n"},
    /* c after it was multiplied n times by w, modulo m each time; by squares where no product wraps */
    {"mulpow",
     {0},
     "template <class T> __device__ inline T rg_mulpow(T c, T w, unsigned long long n, T m)\n{\n"
     "    const T half = (T)1 << ((T)-1 < (T)0 ? 31 : 32);\n"
     "    if (c < 0 || w < 0 || m <= 0 || c >= half || w >= half || m > half) {\n"
     "        for (; n; n--) c = c * w % m;\n        return c;\n    }\n"
     "    unsigned long long r = c, z = w, p = m;\n"
     "    for (; n; n >>= 1) {\n        if (n & 1) r = r * z % p;\n        z = z * z % p;\n    }\n"
     "    return (T)r;\n}\n"},
    /* the least power of two that is at least x */
    {"pow2_from",
     {0},
     "__device__ inline long long rg_pow2_from(long long x) { return x > 1 ? 1ll << (64 - __clzll(x - 1)) : 1ll; }\n"},
    {"bswap16",
     {0},
     "__device__ inline unsigned short rg_bswap16(unsigned short x) { return (unsigned short)(x << 8 | x >> 8); }\n"},
    {"bswap32", {0}, "__device__ inline unsigned rg_bswap32(unsigned x) { return __byte_perm(x, 0, 0x0123); }\n"},
    {"bswap64",
     {"bswap32"},
     "__device__ inline unsigned long rg_bswap64(unsigned long x)\n{\n    return (unsigned "
     "long)rg_bswap32((unsigned)x) << 32 | rg_bswap32((unsigned)(x >> 32));\n}\n"},
    /* classes of reals, with glibc's values */
    {"isinf_sign",
     {0},
     "template <class T> __device__ inline int rg_isinf_sign(T x) { return isinf(x) ? (x < 0 ? -1 : 1) : 0; }\n"},
    {"islessgreater",
     {0},
     "template <class T, class U> __device__ inline int rg_islessgreater(T x, U y) { return x < y || x > y; }\n"},
#define COMPARED(name, op)                                                                                             \
    {#name, {0}, "template <class T, class U> __device__ inline int rg_" #name "(T x, U y) { return x " #op " y; }\n"},
    COMPARED(isless, <) COMPARED(islessequal, <=) COMPARED(isgreater, >) COMPARED(isgreaterequal, >=)
#undef COMPARED
        {"isunordered",
         {0},
         "template <class T, class U> __device__ inline int rg_isunordered(T x, U y) { return isnan(x) || isnan(y); "
         "}\n"},
    {"inf", {0}, "#define rg_inf() ((double)INFINITY)\n"},
    {"inff", {0}, "#define rg_inff() INFINITY\n"},
    {"assume_aligned", {0}, "#define rg_assume_aligned(p, ...) (p)\n"},
    {"prefetch", {0}, "template <class... T> __device__ inline void rg_prefetch(T...) {}\n"},
    {"fpclassify",
     {0},
     "__device__ inline int rg_fpclassify(float x) { return isnan(x) ? 0 : isinf(x) ? 1 : x == 0 ? 2 : fabsf(x) < "
     "1.17549435e-38f ? 3 : 4; }\n"
     "__device__ inline int rg_fpclassify(double x) { return isnan(x) ? 0 : isinf(x) ? 1 : x == 0 ? 2 : fabs(x) < "
     "2.2250738585072014e-308 ? 3 : 4; }\n"},
    {"isnormal",
     {"fpclassify"},
     "template <class T> __device__ inline int rg_isnormal(T x) { return rg_fpclassify(x) == 4; }\n"},
    /* the parts that frexp and modf write through their pointers */
    {"frexp_part", {0}, "template <class T> __device__ inline T rg_frexp_part(T x) { int e; return frexp(x, &e); }\n"},
    {"frexp_power",
     {0},
     "template <class T> __device__ inline int rg_frexp_power(T x) { int e; frexp(x, &e); return e; }\n"},
    {"modf_part",
     {0},
     "template <class T> __device__ inline T rg_modf_part(T x) { return copysign(isinf(x) ? (T)0 : x - trunc(x), x); "
     "}\n"},
    {"log2",
     {0},
     "__device__ inline double rg_log2(double x) { int e; return frexp(x, &e) == 0.5 ? e - 1 : log2(x); }\n"},
    {"log2f",
     {0},
     "__device__ inline float rg_log2f(float x) { int e; return frexpf(x, &e) == 0.5f ? e - 1 : log2f(x); }\n"},
    {"f_type", {0}, "struct rg_complexf { float re, im; };\n"},
    {"d_type", {0}, "struct rg_complexd { double re, im; };\n"},
/* complex numbers, as C99 has them but for the infinities of its annex G; quotients by Smith's scaling */
#define COMPLEX(T, S)                                                                                                  \
    "__device__ constexpr rg_complex" S " rg_cmake_" S "(" T " re, " T " im)\n{\n    rg_complex" S                     \
    " z = {};\n    z.re = re;\n    z.im = im;\n    return z;\n}\n"                                                     \
    "__device__ constexpr rg_complex" S " rg_cadd_" S "(rg_complex" S " a, rg_complex" S " b) { return rg_cmake_" S    \
    "(a.re + b.re, a.im + b.im); }\n"                                                                                  \
    "__device__ constexpr rg_complex" S " rg_csub_" S "(rg_complex" S " a, rg_complex" S " b) { return rg_cmake_" S    \
    "(a.re - b.re, a.im - b.im); }\n"                                                                                  \
    "__device__ constexpr rg_complex" S " rg_cmul_" S "(rg_complex" S " a, rg_complex" S                               \
    " b)\n{\n    return rg_cmake_" S "(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);\n}\n"                    \
    "__device__ constexpr rg_complex" S " rg_cscale_" S "(rg_complex" S " a, " T " r) { return rg_cmake_" S            \
    "(a.re * r, a.im * r); }\n"                                                                                        \
    "__device__ inline rg_complex" S " rg_cshrink_" S "(rg_complex" S " a, " T " r) { return rg_cmake_" S              \
    "(a.re / r, a.im / r); }\n"                                                                                        \
    "__device__ constexpr rg_complex" S " rg_cneg_" S "(rg_complex" S " a) { return rg_cmake_" S "(-a.re, -a.im); }\n" \
    "__device__ constexpr rg_complex" S " rg_cconj_" S "(rg_complex" S " a) { return rg_cmake_" S "(a.re, -a.im); }\n" \
    "__device__ inline rg_complex" S " rg_cdiv_" S "(rg_complex" S " a, rg_complex" S " b)\n{\n"                       \
    "    if (fabs(b.re) >= fabs(b.im)) {\n        " T                                                                  \
    " r = b.im / b.re, d = b.re + b.im * r;\n        return rg_cmake_" S                                               \
    "((a.re + a.im * r) / d, (a.im - a.re * r) / d);\n    }\n"                                                         \
    "    " T " r = b.re / b.im, d = b.re * r + b.im;\n    return rg_cmake_" S                                          \
    "((a.re * r + a.im) / d, (a.im * r - a.re) / d);\n}\n"                                                             \
    "__device__ inline " T " rg_cabs_" S "(rg_complex" S " a) { return hypot(a.re, a.im); }\n"                         \
    "__device__ inline " T " rg_carg_" S "(rg_complex" S " a) { return atan2(a.im, a.re); }\n"                         \
    "__device__ inline rg_complex" S " rg_cexp_" S "(rg_complex" S " a)\n{\n    " T                                    \
    " r = exp(a.re);\n    return rg_cmake_" S "(r * cos(a.im), r * sin(a.im));\n}\n"                                   \
    "__device__ inline rg_complex" S " rg_clog_" S "(rg_complex" S " a) { return rg_cmake_" S "(log(rg_cabs_" S        \
    "(a)), rg_carg_" S "(a)); }\n"                                                                                     \
    "__device__ inline rg_complex" S " rg_csqrt_" S "(rg_complex" S " a)\n{\n    " T " m = rg_cabs_" S                 \
    "(a), r = sqrt((m + fabs(a.re)) / 2);\n"                                                                           \
    "    if (r == 0) return rg_cmake_" S "(0, a.im);\n    return a.re >= 0 ? rg_cmake_" S                              \
    "(r, a.im / (2 * r)) : rg_cmake_" S "(fabs(a.im) / (2 * r), copysign(r, a.im));\n}\n"                              \
    "__device__ inline rg_complex" S " rg_cpow_" S "(rg_complex" S " a, rg_complex" S " b) { return rg_cexp_" S        \
    "(rg_cmul_" S "(b, rg_clog_" S "(a))); }\n" /* z^n by squares, for n >= 0 */                                       \
    "__device__ inline rg_complex" S " rg_cpowi_" S "(rg_complex" S " z, unsigned long long n)\n{\n    rg_complex" S   \
    " r = rg_cmake_" S "(1, 0);\n"                                                                                     \
    "    for (; n; n >>= 1) {\n        if (n & 1) r = rg_cmul_" S "(r, z);\n        z = rg_cmul_" S                    \
    "(z, z);\n    }\n    return r;\n}\n"                                                                               \
    "__device__ inline rg_complex" S " rg_csin_" S "(rg_complex" S " a) { return rg_cmake_" S                          \
    "(sin(a.re) * cosh(a.im), cos(a.re) * sinh(a.im)); }\n"                                                            \
    "__device__ inline rg_complex" S " rg_ccos_" S "(rg_complex" S " a) { return rg_cmake_" S                          \
    "(cos(a.re) * cosh(a.im), -sin(a.re) * sinh(a.im)); }\n"                                                           \
    "template <class Z> __device__ constexpr rg_complex" S " rg_cfrom_" S "(Z a) { return rg_cmake_" S "((" T          \
    ")a.re, (" T ")a.im); }\n"
    {"complexf", {"f_type"}, COMPLEX("float", "f")},
    {"complexd", {"d_type"}, COMPLEX("double", "d")},
#undef COMPLEX
/* what text that C wrote does with them: operators, parts, functions by C's names */
#define COMPLEX_FUNCTION(name, S, suffix, R)                                                                           \
    "__device__ inline " R " rg_c" name suffix "(rg_complex" S " a) { return rg_c" name "_" S "(a); }\n"
#define COMPLEX_TEXT(T, S, suffix)                                                                                     \
    "__device__ inline rg_complex" S " operator+(rg_complex" S " a, rg_complex" S " b) { return rg_cadd_" S            \
    "(a, b); }\n"                                                                                                      \
    "__device__ inline rg_complex" S " operator-(rg_complex" S " a, rg_complex" S " b) { return rg_csub_" S            \
    "(a, b); }\n"                                                                                                      \
    "__device__ inline rg_complex" S " operator*(rg_complex" S " a, rg_complex" S " b) { return rg_cmul_" S            \
    "(a, b); }\n"                                                                                                      \
    "__device__ inline rg_complex" S " operator/(rg_complex" S " a, rg_complex" S " b) { return rg_cdiv_" S            \
    "(a, b); }\n"                                                                                                      \
    "__device__ inline rg_complex" S " operator-(rg_complex" S " a) { return rg_cneg_" S "(a); }\n"                    \
    "__device__ inline rg_complex" S " operator~(rg_complex" S " a) { return rg_cconj_" S "(a); }\n"                   \
    "__device__ inline bool operator==(rg_complex" S " a, rg_complex" S                                                \
    " b) { return a.re == b.re && a.im == b.im; }\n"                                                                   \
    "__device__ inline bool operator!=(rg_complex" S " a, rg_complex" S " b) { return !(a == b); }\n"                  \
    "template <class Z> __device__ inline rg_complex" S " &operator+=(rg_complex" S                                    \
    " &a, Z b) { return a = a + b; }\n"                                                                                \
    "template <class Z> __device__ inline rg_complex" S " &operator-=(rg_complex" S                                    \
    " &a, Z b) { return a = a - b; }\n"                                                                                \
    "template <class Z> __device__ inline rg_complex" S " &operator*=(rg_complex" S                                    \
    " &a, Z b) { return a = a * b; }\n"                                                                                \
    "template <class Z> __device__ inline rg_complex" S " &operator/=(rg_complex" S                                    \
    " &a, Z b) { return a = a / b; }\n"                                                                                \
    "__device__ inline " T " rg_creal" suffix "(rg_complex" S " a) { return a.re; }\n"                                 \
    "__device__ inline " T " rg_cimag" suffix "(rg_complex" S " a) { return a.im; }\n"                                 \
    "__device__ inline rg_complex" S " rg_conj" suffix "(rg_complex" S " a) { return rg_cconj_" S "(a); }\n"           \
    "__device__ inline rg_complex" S " rg_cpow" suffix "(rg_complex" S " a, rg_complex" S " b) { return rg_cpow_" S    \
    "(a, b); }\n" COMPLEX_FUNCTION("abs", S, suffix, T) COMPLEX_FUNCTION("arg", S, suffix, T)                          \
        COMPLEX_FUNCTION("exp", S, suffix, "rg_complex" S) COMPLEX_FUNCTION("log", S, suffix, "rg_complex" S)          \
            COMPLEX_FUNCTION("sqrt", S, suffix, "rg_complex" S) COMPLEX_FUNCTION("sin", S, suffix, "rg_complex" S)     \
                COMPLEX_FUNCTION("cos", S, suffix, "rg_complex" S)
    {"complex_text",
     {"complexf", "complexd"},
     "typedef rg_complexf rg_zf;\ntypedef rg_complexd rg_zd;\n" COMPLEX_TEXT("float", "f", "f") COMPLEX_TEXT(
         "double", "d",
         "") "__device__ inline rg_complexd rg_complex(double re, double im) { return rg_cmake_d(re, im); }\n"},
#undef COMPLEX_TEXT
#undef COMPLEX_FUNCTION
    /* no thread can end a program: the launch fails */
    {"exit", {0}, "__device__ inline void rg_exit(int) { __trap(); }\n"},
    {"abort", {0}, "__device__ inline void rg_abort() { __trap(); }\n"},
    /* what is printed is no result */
    {"printf", {0}, "template <class... T> __device__ inline int rg_printf(T...) { return 0; }\n"},
    {"fprintf", {"printf"}, "#define rg_fprintf rg_printf\n"},
    {"puts", {"printf"}, "#define rg_puts rg_printf\n"},
    {"perror", {"printf"}, "#define rg_perror rg_printf\n"},
    {"fflush", {"printf"}, "#define rg_fflush rg_printf\n"},
    {"stderr", {0}, "#define rg_stderr ((void *)0)\n"},
    {"stdout", {0}, "#define rg_stdout ((void *)0)\n"},
};
enum { N_PARTS = sizeof parts / sizeof *parts };

static bool is_type(int i)
{
    return !strcmp(parts[i].name, "f_type") || !strcmp(parts[i].name, "d_type");
}

static int part_named(const char *name)
{
    size_t n = strlen(name);
    if (!strcmp(name, "__ctype_b_loc")) name = "ctype_b_loc";
    if (!strcmp(name, "zf") || !strcmp(name, "zd")) name = "complex_text";
    if (n > 3 && name[0] == 'c' && name[n - 2] == '_') name = name[n - 1] == 'f' ? "complexf" : "complexd"; /* cmul_d */
    for (int i = 0; i < N_PARTS; i++)
        if (!strcmp(parts[i].name, name)) return i;
    return -1;
}

bool rg__device_has_library(const char *name)
{
    int i = part_named(name);
    return i >= 0 && !is_type(i) && strncmp(parts[i].name, "complex", 7) && strcmp(name, "any") &&
           strcmp(name, "heap") && strcmp(name, "ctype_b_loc") && strcmp(name, "ctype") && strcmp(name, "vla") &&
           strncmp(name, "log2", 4); /* CUDA has that too, and it is faster */
}

bool rg__device_pure_library(const char *name)
{
    static const char *const impure[] = {
        "any",     "heap",   "malloc",  "calloc", "free",   "realloc",    "qsort",  "sort_tile", "merge_tile",
        "bsearch", "bplace", "memmove", "memcpy", "memset", "memcmp",     "strlen", "strncmp",   "strcmp",
        "strcpy",  "strchr", "strrchr", "strstr", "memchr", "exit",       "abort",  "printf",    "fprintf",
        "puts",    "perror", "fflush",  "stderr", "stdout", "ctype_b_loc"};
    if (strncmp(name, "rg_", 3) || part_named(name + 3) < 0) return false;
    for (size_t i = 0; i < sizeof impure / sizeof *impure; i++)
        if (!strcmp(impure[i], name + 3)) return false;
    return true;
}

/* As C converts between numbers and complex ones. */
static const char converting_types[] =
    "struct rg_complexd;\n"
    "struct rg_complexf {\n    float re, im;\n    rg_complexf() = default;\n    constexpr __device__ "
    "rg_complexf(double r) : "
    "re((float)r), im(0) {}\n"
    "    __device__ inline rg_complexf(const rg_complexd &z);\n};\n"
    "struct rg_complexd {\n    double re, im;\n    rg_complexd() = default;\n    constexpr __device__ "
    "rg_complexd(double r) : "
    "re(r), im(0) {}\n"
    "    __device__ rg_complexd(const rg_complexf &z) : re(z.re), im(z.im) {}\n};\n"
    "__device__ inline rg_complexf::rg_complexf(const rg_complexd &z) : re((float)z.re), im((float)z.im) {}\n";

static void need(int i, bool *wanted)
{
    if (wanted[i]) return;
    wanted[i] = true;
    for (int k = 0; k < 3 && parts[i].uses[k]; k++) need(part_named(parts[i].uses[k]), wanted);
}

void rg__device_library(const char *const *texts, int n, struct rg_buf *out)
{
    bool wanted[N_PARTS] = {false}, any = false;
    for (int t = 0; t < n; t++) {
        for (const char *p = texts[t]; (p = strstr(p, "rg_")) != NULL; p += 3) {
            char name[24];
            size_t len = strspn(p + 3, "abcdefghijklmnopqrstuvwxyz_0123456789");
            if (len >= sizeof name) continue;
            memcpy(name, p + 3, len);
            name[len] = 0;
            if (!strcmp(name, "heap_reset")) memcpy(name, "heap", 5);
            int i = part_named(name);
            if (i >= 0) need(i, wanted);
        }
    }
    for (int i = 0; i < N_PARTS; i++) any |= wanted[i];
    if (!any) return;
    bool converting = wanted[part_named("complex_text")];
    for (int i = 0; i < N_PARTS; i++) /* the types of parameters are everybody's */
        if (wanted[i] && is_type(i) && !converting) rg_buf_str(out, parts[i].text);
    if (converting) rg_buf_str(out, converting_types);
    rg_buf_str(out, RG_LIBRARY_BEGIN);
    for (int i = 0; i < N_PARTS; i++)
        if (wanted[i] && !is_type(i)) rg_buf_str(out, parts[i].text);
    rg_buf_str(out, RG_LIBRARY_END);
}
