#include <rg/arena.h>
#include <rg/buf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct rg_arena_block {
    struct rg_arena_block *next;
    size_t used, size;
    _Alignas(16) unsigned char bytes[];
};

void rg_arena_release(struct rg_arena *a)
{
    for (struct rg_arena_block *b = a->head, *next; b; b = next) {
        next = b->next;
        free(b);
    }
    *a = (struct rg_arena)RG_ARENA_INIT;
}

void *rg_arena_alloc(struct rg_arena *a, size_t n)
{
    size_t need = (n + 15) & ~(size_t)15;
    if (!a->head || a->head->size - a->head->used < need) {
        size_t size = a->head ? a->head->size * 2 : 1024;
        if (size > 1 << 20) size = 1 << 20;
        if (size < need) size = need;
        struct rg_arena_block *b = rg_xmalloc(sizeof *b + size);
        b->next = a->head;
        b->used = 0;
        b->size = size;
        a->head = b;
    }
    void *p = a->head->bytes + a->head->used;
    a->head->used += need;
    a->bytes += need;
    return memset(p, 0, need);
}

char *rg_arena_strndup(struct rg_arena *a, const char *s, size_t n)
{
    char *r = rg_arena_alloc(a, n + 1);
    memcpy(r, s, n);
    return r;
}

char *rg_arena_strdup(struct rg_arena *a, const char *s)
{
    return s ? rg_arena_strndup(a, s, strlen(s)) : NULL;
}

char *rg_arena_printf(struct rg_arena *a, const char *fmt, ...)
{
    struct rg_buf b = RG_BUF_INIT;
    va_list ap;
    va_start(ap, fmt);
    rg_buf_vprintf(&b, fmt, ap);
    va_end(ap);
    char *r = rg_arena_strndup(a, b.data, b.len);
    rg_buf_release(&b);
    return r;
}
