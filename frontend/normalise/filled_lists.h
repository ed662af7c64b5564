/* The inside of rg__canon_filled_lists: nests that fill lists through counters. */
#ifndef RG_FRONTEND_FILLED_LISTS_H
#define RG_FRONTEND_FILLED_LISTS_H
#include "frontend/normalise/canon.h"

enum { RG__FILL_COUNTERS = 4, RG__FILL_LEVELS = 3 };

struct rg__fill_counter {
    int var;
    bool stores; /* it says where something is stored */
    int n_steps; /* statements that move it */
};

struct rg__filling {
    struct rg_ctree *t;
    const struct rg_problem *p;
    struct rg_cnode *loop; /* the nest's outermost loop */
    int n_levels;          /* loops of which each iteration counts by itself */
    struct rg_cnode *level[RG__FILL_LEVELS];
    struct rg_cnode *body; /* of the innermost of them */
    int n;
    struct rg__fill_counter counter[RG__FILL_COUNTERS];
    bool *fills; /* [array] it is stored to where a counter says; the arena's */
};

/* ---- filled_lists_scalars.c ---- */
/* The nest with elements that are counted up as scalars; what is to stand in front of it and behind it. */
struct rg_cnode *rg__fill_elements(struct rg_ctree *t, struct rg_cnode *loop, struct rg__kids *front,
                                   struct rg__kids *behind);
/* Lists of limited length, in place: all that is found is counted, what has room is stored. */
void rg__fill_uncap(struct rg_ctree *t, struct rg_cnode *loop, struct rg__kids *front, struct rg__kids *behind);

/* ---- filled_lists_joined.c ---- */
/* Places below n that are so far behind where a counter was, in loops that step it, are where it is. */
void rg__fill_join(struct rg_ctree *t, struct rg_cnode *n);

/* ---- filled_lists_proof.c ---- */
/* Finds the counters of f->loop, scalars from outside that it moves by steps alone and asks for; false: none, or it
 * does what nobody can follow. */
bool rg__fill_counters(struct rg__filling *f);
/* Is every element that is named by a counter one between what the counter is at the iteration's begin and at its end?
 * Then no two iterations of the levels name one. */
bool rg__fill_own_elements(struct rg__filling *f);
/* A copy of f->loop with nothing but what moves the counters; NULL: that asks for values that the nest makes. */
struct rg_cnode *rg__fill_slice(const struct rg__filling *f);
/* By how much the statement moves a counter, of all of them; NULL: it moves none. A step by one that has no node (v++)
 * gives one. */
const struct rg_cnode *rg__fill_step(const struct rg__filling *f, const struct rg_cnode *s, int *which);
#endif
