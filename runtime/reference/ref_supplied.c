/* The program's calls of the heap, which the linker sends here (--wrap). Buffers that the caller hands in by pointer
 * are ours, and may be what the program takes for memory from malloc: it frees a buffer that a file-scope pointer leads
 * to, or lets it grow (in place, where it is long enough: on a device, too). What malloc gives holds the byte that is
 * asked for, so that two runs show what is read before it was written. */
#include "runtime/reference/reference.h"

const char rg__supplied_text[] =
    "void __real_free(void *); void *__real_realloc(void *, unsigned long); void *__real_malloc(unsigned long);\n"
    "void *__real_aligned_alloc(unsigned long, unsigned long);\n"
    "int rg_fresh = -1;\n"
    "static void *rg_filled(void *p, unsigned long n)\n"
    "{ if (p && rg_fresh >= 0) __builtin_memset(p, rg_fresh, n); return p; }\n"
    "void *__wrap_malloc(unsigned long n) { return rg_filled(__real_malloc(n), n); }\n"
    "void *__wrap_aligned_alloc(unsigned long a, unsigned long n) { return rg_filled(__real_aligned_alloc(a, n), n); "
    "}\n"
    "static char **rg_from; static const unsigned long *rg_bytes; static int rg_n;\n"
    "void rg_supplied(void **from, const unsigned long *bytes, int n) { rg_from = (char **)from; rg_bytes = bytes; "
    "rg_n = n; }\n"
    "static int rg_of(const char *p)\n"
    "{ for (int i = 0; i < rg_n; i++) if (p && p >= rg_from[i] && p < rg_from[i] + rg_bytes[i]) return i; return -1; "
    "}\n"
    "void __wrap_free(void *p) { if (rg_of(p) < 0) __real_free(p); }\n"
    "void *__wrap_realloc(void *p, unsigned long n)\n"
    "{\n"
    "    int i = rg_of(p);\n"
    "    if (i < 0) return __real_realloc(p, n);\n"
    "    unsigned long left = rg_from[i] + rg_bytes[i] - (char *)p;\n"
    "    if (n <= left) return p;\n"
    "    void *q = __wrap_malloc(n ? n : 1);\n"
    "    if (q) __builtin_memcpy(q, p, left);\n"
    "    return q;\n"
    "}\n";
