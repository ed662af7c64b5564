/* Bump allocation: many small objects, freed at once. Not thread-safe. */
#ifndef RG_ARENA_H
#define RG_ARENA_H
#include <rg/decls.h>
#include <stddef.h>

RG_BEGIN_DECLS

struct rg_arena {
    struct rg_arena_block *head;
    size_t bytes; /* handed out so far */
};

#define RG_ARENA_INIT                                                                                                  \
    {                                                                                                                  \
        0, 0                                                                                                           \
    }
void rg_arena_release(struct rg_arena *a);
/* Zeroed, 16-byte aligned, never NULL. */
void *rg_arena_alloc(struct rg_arena *a, size_t n);
char *rg_arena_strdup(struct rg_arena *a, const char *s);
char *rg_arena_strndup(struct rg_arena *a, const char *s, size_t n);
char *rg_arena_printf(struct rg_arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
RG_END_DECLS
#endif
