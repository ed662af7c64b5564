/* The inside of rg__canon_sorts: loops that bring an array into order by comparing and moving its elements. */
#ifndef RG_FRONTEND_SORTING_LOOPS_H
#define RG_FRONTEND_SORTING_LOOPS_H
#include "frontend/normalise/counted_loops.h"

struct rg__sorting { /* what a nest does, once its form is known: it sorts elements base + lo .. base + hi - 1 */
    struct rg_ctree *t;
    struct rg__range *r;
    struct rg_cnode *block; /* the nest is block->kid[at] */
    int at;
    struct rg_cnode *nest;
    const struct rg_cnode *like; /* one of its elements: all have this array and these subscripts but the last */
    struct rg__poly base, lo, hi;
    struct rg_cnode *key[2]; /* what two elements are compared by, with a mark for the element */
    bool descending;
    bool equal_move;                 /* equal elements change places, too */
    bool stable;                     /* equal elements stay in their order */
    int n_locals, local[2];          /* places by name, as an exchange in a function of its own has them .. */
    const struct rg_cnode *value[2]; /* .. and what they are */
    int shrinks;                     /* a variable of hi that the nest takes 1 from after each pass; -1 none */
};

/* Is the nest one of the forms? */
bool rg__sorting_form(struct rg__sorting *s);
#endif
