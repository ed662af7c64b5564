/* Values on disk under the hash of what they were made from, one file each, shared by all runs of a user. Nothing
 * depends on it: what cannot be read, is cut short or was altered is not there; what cannot be written is not kept.
 * Internal. */
#ifndef RG_RUNTIME_CACHE_H
#define RG_RUNTIME_CACHE_H
#include <rg/buf.h>
#include <stdbool.h>
#include <stdint.h>

enum { RG_CACHE_MAX_BYTES = 64 << 20 /* of one value */ };

struct rg_cache {
    char *dir;         /* NULL: off */
    int64_t limit;     /* bytes of all values together; what was used longest ago goes first */
    int64_t unchecked; /* bytes stored since the folder was last measured */
};

/* dir/kind holds the values; it is made with the first of them. dir NULL: off. Close in any case. */
void rg__cache_open(struct rg_cache *c, const char *dir, const char *kind, int64_t limit_bytes);
/* Within its limit again. Cost: a look at every file when anything was stored. */
void rg__cache_close(struct rg_cache *c);
/* key: hex of SHA-256. False: not there, or not whole; *out is empty then. */
bool rg__cache_get(struct rg_cache *c, const char key[65], struct rg_buf *out);
/* Written beside and renamed: a reader sees all of it or nothing. A failure is silent. */
void rg__cache_put(struct rg_cache *c, const char key[65], const void *data, size_t n);
#endif
