/* Counting loops by other counters: of `for (i = c; i < n; i += u)` the counter k of c + u * k, which runs from 0 by 1.
 * Transforms over interleaved parts (1, 3, 5 ..) and arrays that begin at 1 are those of plain ones in it. */
#ifndef RG_FRONTEND_RECOUNT_H
#define RG_FRONTEND_RECOUNT_H
#include "frontend/normalise/doubling.h"

struct rg__counting { /* for (var = first; var < bound (or <=, `upto`); var += step) */
    int var;
    const struct rg_cnode *first, *bound, *step; /* first NULL: set in front of the loop; step NULL: by 1 */
    bool upto, alone;                            /* <=; nothing else is set where the loop begins */
    struct rg_cnode *body;                       /* a block, which leaves var alone */
};

/* Is the loop, in its raw form, such a one? */
bool rg__counting_read(const struct rg_ctree *t, const struct rg_cnode *loop, struct rg__counting *c);
int64_t rg__counting_step(const struct rg__counting *c); /* a number from 1 on; 0: it is none */
/* e with its locals that are set once, outside, by what they are. Borrowed by r's tree. */
struct rg__poly rg__counting_value(struct rg__range *r, const struct rg_cnode *e);
/* The first k with c + u * k past the bound, where that is plain: a quotient without a rest. `bad`: it is not. */
struct rg__poly rg__counting_end(struct rg__range *r, const struct rg__counting *c, int64_t from, int64_t u);
/* c + u * k */
struct rg_cnode *rg__counting_place(struct rg_ctree *t, int64_t from, int64_t u, struct rg_cnode *k, enum rg_scalar as);
/* for (k = first; k < end; k++) body, in the place of `loop`. */
struct rg_cnode *rg__counting_loop(struct rg_ctree *t, int k, struct rg_cnode *first, struct rg_cnode *end,
                                   struct rg_cnode *body, const struct rg_cnode *loop);

/* Statement `here` of the rounds' body, a nest of two loops, by counters of their own that run from 0 by 1, or within
 * strides from the other's; the body may get a statement in front, for which *here moves on. NULL: it is no such nest,
 * or is plain already. */
struct rg_cnode *rg__recounted_nest(struct rounds *r, int *here);
#endif
