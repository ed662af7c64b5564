/* What a FOR with a counter counts. */
#ifndef RG_FRONTEND_COUNTED_LOOPS_H
#define RG_FRONTEND_COUNTED_LOOPS_H
#include "frontend/normalise/canon.h"

struct rg__counted {
    int var;
    struct rg_cnode *lower, *upper; /* as LOOP wants them */
    int64_t step;
    bool declared; /* in the header */
    bool down;     /* i-- > 0: it passes its bound once more */
    bool below;    /* the bound may be below zero, where the counter's type has no sign; lower and upper are of one that
                      has */
};
/* Of FOR with its condition, or the part of it that bounds the counter, given; false: it is none with a counter that
 * the body leaves alone and a bound that stays. */
bool rg__counted(struct rg_ctree *t, const struct rg_cnode *f, struct rg_cnode *condition, struct rg__counted *out);
/* Value of the counter behind the loop, where nothing left it before its end. */
struct rg_cnode *rg__counted_end(struct rg_ctree *t, const struct rg__counted *h);
/* for (row = a; y < h; y++): what the loop starts that it does not step goes in front of it. */
void rg__counted_start(struct rg_ctree *t, struct rg_cnode *f, struct rg__kids *out);
/* The local that for (; v-- > 0;) counts down, where the body leaves it alone; -1: it is none. One without a sign may
 * be compared with 0 by !=, too, or not at all. */
int rg__counts_down(const struct rg_ctree *t, const struct rg_cnode *f);
/* Such a loop as for (k = 0; k < first; k++), where local `first` holds what `var` was; `var` is computed of k. Behind
 * it `var` is one more than it was where the condition ended the loop. */
struct rg_cnode *rg__counted_up(struct rg_ctree *t, const struct rg_cnode *n, int var, int first);
/* for (..; ok && i < n; ..), of all loops below n: without a local that nothing sets but to what is true, once. */
void rg__canon_flags_on(struct rg_ctree *t, struct rg_cnode *n);
#endif
