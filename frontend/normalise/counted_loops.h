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
};
/* Of FOR with its condition, or the part of it that bounds the counter, given; false: it is none with a counter that
 * the body leaves alone and a bound that stays. */
bool rg__counted(struct rg_ctree *t, const struct rg_cnode *f, struct rg_cnode *condition, struct rg__counted *out);
/* Value of the counter behind the loop, where nothing left it before its end. */
struct rg_cnode *rg__counted_end(struct rg_ctree *t, const struct rg__counted *h);
/* for (row = a; y < h; y++): what the loop starts that it does not step goes in front of it. */
void rg__counted_start(struct rg_ctree *t, struct rg_cnode *f, struct rg__kids *out);
#endif
