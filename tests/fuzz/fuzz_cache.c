/* The cache on disk may hold anything: its sums guard against accidents, not against who can write there. */
#include "runtime/compile/cache_entry.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct rg_arena a = RG_ARENA_INIT;
    struct rg_cache_entry e;
    if (rg__cache_entry_parse(&a, data, size, &e)) { /* one way to write a value */
        struct rg_buf b = RG_BUF_INIT;
        rg__cache_entry_print(&b, &e);
        if (b.len != size || memcmp(b.data, data, size)) abort();
        rg_buf_release(&b);
    }
    rg_arena_release(&a);
    return 0;
}
