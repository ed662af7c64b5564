/* What bit_reversal.c (bit by bit), carried_reversal.c (a counter that carries) and reversal_values.c share. */
#ifndef RG_FRONTEND_BIT_REVERSAL_H
#define RG_FRONTEND_BIT_REVERSAL_H
#include "frontend/normalise/recount.h"

/* ---- carried_reversal.c ---- */
/* The scalar that a statement sets, and the value it then has, of what it had before. */
struct rg_cnode *rg__mirror_set(struct rg_ctree *t, const struct rg_cnode *s, int *var);
bool rg__mirror_int(const struct rg_cnode *e, int64_t v);               /* that number, converted or not */
const struct rg_cnode *rg__mirror_expression(const struct rg_cnode *s); /* of a statement, alone in blocks or not */
bool rg__mirror_halves(const struct rg_cnode *e, int var);              /* var / 2, var >> 1 */
/* rg_mirrored(x, n) of type `in`, converted to the variable's. */
struct rg_cnode *rg__mirror_call(struct rg_ctree *t, const struct rg_cnode *x, struct rg_cnode *n, enum rg_scalar in,
                                 enum rg_scalar as);
/* The loop at `at` of the block, over i, in which j is the mirrored i. */
void rg__mirror_carried(struct rg_ctree *t, struct rg_cnode *block, int at, const struct rg__powers *powers);

/* ---- reversal_values.c ---- */
struct rg__mirror_scope { /* a loop around what is looked at, or statement `at` of a block around it */
    const struct rg_cnode *node;
    int at;
    const struct rg__mirror_scope *up; /* NULL: the function */
};
struct rg__helper_tree;
struct rg__mirror_asks { /* what the call of a helper must give, of its parameters; clamp: more bits than 63 give 0 */
    const struct rg__helper_tree *helper; /* NULL: it is none */
    bool sign, few, clamp, rounds;        /* rounds: fewer than none give 0 */
};
/* Is e never negative where the scope is? */
bool rg__mirror_never_negative(struct rg_ctree *t, const struct rg__mirror_scope *in, const struct rg_cnode *e,
                               struct rg__mirror_asks *asks);
/* Is e 63 at most there? */
bool rg__mirror_few(struct rg_ctree *t, const struct rg__mirror_scope *in, const struct rg_cnode *e,
                    struct rg__mirror_asks *asks);
/* Is e, a number of rounds, never negative there? */
bool rg__mirror_rounds(struct rg_ctree *t, const struct rg__mirror_scope *in, const struct rg_cnode *e,
                       struct rg__mirror_asks *asks);
/* Without conversions that keep the value, whatever it is. */
const struct rg_cnode *rg__mirror_valued(const struct rg_cnode *e);
#endif
