/* What a reader of the function has to know of its file (context.c). */
#ifndef RG_FRONTEND_CONTEXT_H
#define RG_FRONTEND_CONTEXT_H
#include "frontend/emit/emit.h"

struct rg__context {
    struct rg_arena arena;
    struct rg__context_item *items; /* macros, then declarations */
    int n, cap;
    struct name *names; /* that items give a meaning to; several may have one */
    int n_names, cap_names;
};

/* With the macros of the file, of the user's headers and of the compiler's command line. */
void rg__context_init(struct rg__context *c, const char *file, const char *cflags);
void rg__context_release(struct rg__context *c);
/* A declaration, or more of the last one (`goes_on`); then the names that it declares. */
void rg__context_declaration(struct rg__context *c, const char *text, bool goes_on);
void rg__context_pin(struct rg__context *c); /* the last one is kept whatever names it */
void rg__context_name(struct rg__context *c, const char *name);
/* Once all are there: those are kept that the text names, and what these name. */
void rg__context_follow(struct rg__context *c, const char *text);
void rg__context_print(const struct rg__context *c, struct rg_buf *out);
#endif
