/* Loops that carry values from iteration to iteration in a way that composes: x = x op e, x = a * x + b. What some iterations in a
 * row do to the carried values is then one small record (a run), and runs are put together in any grouping, in order. */
#ifndef RG_POLY_SCAN_H
#define RG_POLY_SCAN_H
#include "poly/kernel.h"

enum { POLY_MAX_CARRIED = 6 };

enum poly_carried_kind {
    POLY_CARRIED_SCALAR,
    POLY_CARRIED_ELEMENT, /* an array element that stays the same: total[0], s[row] */
    POLY_CARRIED_CHAIN    /* y[i] from y[i - 1] */
};

struct poly_carried {
    enum poly_carried_kind kind;
    int var, array;            /* one is -1 */
    enum rg_scalar type;
    enum poly_op op;           /* of every update; NONE: affine in the values carried by its group */
    unsigned group;            /* bits of the values that its affine form is over */
    const struct rg_cnode *in; /* ELEMENT: it; CHAIN: what the iteration before wrote */
    const struct rg_cnode *leaf; /* CHAIN: the statement that writes */
    bool certain;              /* CHAIN: the first iteration surely reads what is in front of it */
};

struct poly_scan {
    int loop, n;
    struct poly_carried at[POLY_MAX_CARRIED];
    unsigned *depends;         /* [var] bits of the carried values that the scalar is affine in, within an iteration */
    struct poly_knode *part;   /* what of the body the carried values need */
    bool ordered;              /* runs don't commute */
    bool applied;              /* the loop does more than carry: each iteration needs its values */
};

/* A statement that sets one place. */
struct poly_set {
    const struct rg_cnode *target; /* VAR or INDEX; NULL: a declaration */
    const struct rg_cnode *value;  /* NULL: ++ or -- */
    const char *op;
    int var;                       /* -1: an element */
};

/* ---- carried.c ---- */
/* NULL: the loop carries something else, with one sentence in why. The arena's. */
const struct poly_scan *rg__poly_scan_of(struct poly_program *p, const struct poly_knode *loop, char *why, size_t size);
const struct poly_scan *rg__poly_scan_in(const struct poly_kernel *k, int loop); /* NULL: not one of the kernel's scans */
bool rg__poly_set_of(const struct rg_cnode *n, struct poly_set *out);
int rg__poly_scan_updates(const struct poly_scan *sc, const struct rg_cnode *leaf, const struct poly_set *set); /* the carried value; -1 */
unsigned rg__poly_scan_mask(const struct poly_scan *sc, const struct rg_cnode *e); /* carried values an expression depends on */
const struct rg_cnode *rg__poly_carried_node(const struct poly_scan *sc, const struct rg_cnode *e, int *which); /* INDEX nodes that stand for one */
#endif
