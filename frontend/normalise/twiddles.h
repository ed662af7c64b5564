/* Products that run along a nest of pairs (twiddles.c), for butterflies.c. */
#ifndef RG_FRONTEND_TWIDDLES_H
#define RG_FRONTEND_TWIDDLES_H
#include "frontend/normalise/doubling.h"

struct rg__twiddles {
    struct rg_ctree *t;
    struct rg__load *l;
    const struct rg_cnode *scope, *nest; /* where they start; the nest that multiplies them */
    const struct rg_cnode *count;        /* how often an iteration has seen them multiplied */
    struct rg__kids *askers;             /* what an iteration runs in front of the list, and asks for them; NULL */
};

/* What `front` starts and statements of `list` multiply by something that the nest leaves alone: those statements go,
 * and what an iteration has by then is computed in `inner`. False: some scalar is carried from one iteration to the
 * next in another way. */
bool rg__doubling_twiddles(struct rg__twiddles *w, struct rg__kids *front, struct rg__kids *list,
                           struct rg__kids *inner);
/* twiddles_modular.c: the same of one integer that is multiplied modulo another; true: one was found. */
bool rg__doubling_modular(struct rg__twiddles *w, struct rg__kids *front, struct rg__kids *list,
                          struct rg__kids *inner);
#endif
