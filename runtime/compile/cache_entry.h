/* A compiled program as bytes, for the cache on disk. Internal. */
#ifndef RG_RUNTIME_CACHE_ENTRY_H
#define RG_RUNTIME_CACHE_ENTRY_H
#include "runtime/protocol/protocol.h"

struct rg_cache_entry {
    const char *hash; /* of the normalised PTX: 64 hex digits */
    int n_kernels;
    struct rg_kernel_info
        *kernels;    /* names, mangled names, registers and the like: the compiler's log as far as it is used */
    const char *ptx; /* NUL-terminated */
    size_t ptx_len;  /* without the NUL */
    const void *cubin;
    size_t cubin_len;
};

void rg__cache_entry_print(struct rg_buf *out, const struct rg_cache_entry *e);
/* False for anything that is not exactly what print gives. *e points into data and the arena. */
bool rg__cache_entry_parse(struct rg_arena *a, const void *data, size_t n, struct rg_cache_entry *e);
#endif
