#include "runtime/compile/cache_entry.h"
#include <string.h>

enum { MAX_TEXT = 1 << 16 }; /* of a kernel's name */

/* Numbers are 8 bytes, lowest first; bytes follow their count, texts with their NUL. */
static void put_number(struct rg_buf *b, int64_t v)
{
    unsigned char c[8];
    for (int i = 0; i < 8; i++) c[i] = (unsigned char)((uint64_t)v >> 8 * i);
    rg_buf_add(b, c, sizeof c);
}

static void put_bytes(struct rg_buf *b, const void *p, size_t n)
{
    put_number(b, (int64_t)n);
    rg_buf_add(b, p, n);
}

static void put_text(struct rg_buf *b, const char *s)
{
    put_bytes(b, s, strlen(s) + 1);
}

void rg__cache_entry_print(struct rg_buf *out, const struct rg_cache_entry *e)
{
    put_text(out, e->hash);
    put_number(out, e->n_kernels);
    for (int i = 0; i < e->n_kernels; i++) {
        const struct rg_kernel_info *k = &e->kernels[i];
        put_text(out, k->name);
        put_text(out, k->lowered);
        const int64_t figures[] = {k->attributes.regs,        k->attributes.shared_bytes, k->attributes.local_bytes,
                                   k->attributes.const_bytes, k->attributes.max_threads,  k->spill_bytes};
        for (size_t f = 0; f < sizeof figures / sizeof *figures; f++) put_number(out, figures[f]);
    }
    put_bytes(out, e->ptx, e->ptx_len + 1);
    put_bytes(out, e->cubin, e->cubin_len);
}

struct reader {
    const unsigned char *at;
    size_t left;
    bool bad;
};

static int64_t get_number(struct reader *r, int64_t low, int64_t high)
{
    if (r->bad || r->left < 8) return r->bad = true, low;
    uint64_t v = 0;
    for (int i = 0; i < 8; i++) v |= (uint64_t)r->at[i] << 8 * i;
    r->at += 8;
    r->left -= 8;
    int64_t n = (int64_t)v;
    if (n < low || n > high) return r->bad = true, low;
    return n;
}

static const void *get_bytes(struct reader *r, size_t *n)
{
    int64_t count = get_number(r, 0, INT64_MAX);
    if (r->bad || (uint64_t)count > r->left) return r->bad = true, NULL;
    const void *p = r->at;
    r->at += count;
    r->left -= (size_t)count;
    *n = (size_t)count;
    return p;
}

/* n: without the NUL, which is there and is the only one. */
static const char *get_text(struct reader *r, size_t *n, size_t max)
{
    size_t bytes = 0;
    const char *p = get_bytes(r, &bytes);
    if (r->bad || bytes < 1 || bytes > max || memchr(p, 0, bytes) != p + bytes - 1) return r->bad = true, "";
    *n = bytes - 1;
    return p;
}

bool rg__cache_entry_parse(struct rg_arena *a, const void *data, size_t n, struct rg_cache_entry *e)
{
    struct reader r = {data, n, false};
    size_t len = 0;
    *e = (struct rg_cache_entry){.hash = get_text(&r, &len, 65)};
    if (r.bad || len != 64 || strspn(e->hash, "0123456789abcdef") != 64) return false;
    e->n_kernels = (int)get_number(&r, 1, RG_MAX_KERNELS);
    e->kernels = rg_arena_alloc(a, (size_t)e->n_kernels * sizeof *e->kernels);
    for (int i = 0; i < e->n_kernels && !r.bad; i++) {
        struct rg_kernel_info *k = &e->kernels[i];
        *k = (struct rg_kernel_info){.name = get_text(&r, &len, MAX_TEXT)};
        k->lowered = get_text(&r, &len, MAX_TEXT);
        k->attributes.regs = (int)get_number(&r, 0, 1 << 16);
        k->attributes.shared_bytes = get_number(&r, 0, INT32_MAX);
        k->attributes.local_bytes = get_number(&r, 0, INT32_MAX);
        k->attributes.const_bytes = get_number(&r, 0, INT32_MAX);
        k->attributes.max_threads = (int)get_number(&r, 0, 1 << 16);
        k->spill_bytes = get_number(&r, 0, INT32_MAX);
    }
    e->ptx = get_text(&r, &e->ptx_len, INT32_MAX);
    e->cubin = get_bytes(&r, &e->cubin_len);
    return !r.bad && r.left == 0;
}
