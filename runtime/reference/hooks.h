/* Access hooks: the user's C built once more, without optimisation, so that every access to memory calls us first.
 * Compilers do the instrumenting for their race detector (-fsanitize=thread) and their check of subscripts
 * (-fsanitize=bounds); what is called are our own functions, no sanitizer's library takes part. Seen are accesses of
 * the user's own code, its memcpy, memmove, memset, memcmp and qsort; not those inside other library functions and
 * inline assembler. Internal to the hooks worker. */
#ifndef RG_RUNTIME_HOOKS_H
#define RG_RUNTIME_HOOKS_H
#include "runtime/protocol/protocol.h"
#include "runtime/reference/ref_call.h"

/* --- hook_text.c --- */
/* The C that is linked to the user's: what the compilers' calls go to. It exports
 *     void rg_hooks_set(rg_hook_access, rg_hook_bounds);   NULL, NULL: nobody listens */
extern const char rg__hook_text[];
enum rg_hook_kind { RG_HOOK_READ, RG_HOOK_WRITE, RG_HOOK_BOTH };
typedef void rg_hook_access(const void *at, unsigned long bytes, int kind,
                            const void *pc); /* before the access; pc: behind the call */
typedef void rg_hook_bounds(const char *file, unsigned line, unsigned column, const char *array_type, long long index);

/* --- hook_where.c: places in the user's files --- */
/* Starts what turns addresses of the library into lines (addr2line); without it lines stay unknown. Once, before the
 * process is closed off. `base` is told later: where the library was loaded. */
void rg__where_open(const char *library);
void rg__where_base(const void *base);
void rg__where_close(void);
/* The line of the call that returns to `pc`. False: unknown. Takes no lock and no memory: also for signal handlers. */
bool rg__where(const void *pc, char *file, size_t size, int *line);
/* The subscripted expression at a compiler's line and column of a preprocessed text, "A[i][j + 1]": the column is where
 * it begins or where the bracket opens. False when it cannot be made out. */
bool rg__where_subscript(const char *text, const char *file, int line, int column, char *out, size_t size);

/* --- hook_watch.c: what a run touches --- */
struct rg_violation { /* the first thing that the function must not do */
    const char *file; /* "" unknown */
    int line, column;
    const char *text; /* a sentence */
};
struct rg_watch; /* one run at a time in this process */
/* Watches the parameters of a call; file-scope arrays where the library says they are. `report` gets the first
 * violation and does not return. Marks cost a byte for each element, of structures for each byte. RG_NOMEM. */
enum rg_status rg__watch_new(struct rg_watch **out, const struct rg_call *c, const struct rg_sizes *sizes,
                             const char *where, void (*report)(const struct rg_violation *), struct rg_error *err);
void rg__watch_free(struct rg_watch *w);
rg_hook_access rg__watch_access;
rg_hook_bounds rg__watch_bounds;
/* From here to the end of the call accesses count; NULL ends it. */
void rg__watch_begin(struct rg_watch *w);
/* Where the last access that was seen was made from, for a crash. */
const void *rg__watch_last_pc(void);
/* What was touched, a row for each array parameter, in `a`. `before`: what the buffers held when the call began
 * (rg__watch_begin keeps it): bytes that changed without a hook are marked unseen. */
struct rg_touch *rg__watch_result(struct rg_watch *w, struct rg_arena *a, int *n);
#endif
