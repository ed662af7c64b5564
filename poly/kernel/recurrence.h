/* Loops that carry values from iteration to iteration in a way that composes: x = x op e, x = a * x + b. What some
 * iterations in a row do to the carried values is then one small record (a run), and runs are put together in any
 * grouping, in order. */
#ifndef RG_POLY_SCAN_H
#define RG_POLY_SCAN_H
#include "poly/kernel/kernel.h"

enum { POLY_MAX_CARRIED = 6, POLY_MAX_LAG = 4, POLY_KEEPS = POLY_MAX_CARRIED - 1 /* column of resets */ };

enum poly_carried_kind {
    POLY_CARRIED_SCALAR,
    POLY_CARRIED_ELEMENT, /* an array element that stays the same: total[0], s[row] */
    POLY_CARRIED_CHAIN    /* y[i] from y[i - 1] */
};

struct poly_carried {
    enum poly_carried_kind kind;
    int var, array; /* one is -1 */
    enum rg_scalar type;
    enum poly_op op;             /* of every update; NONE: affine in the values carried by its group */
    unsigned group;              /* bits of the values that its affine form is over */
    const struct rg_cnode *in;   /* ELEMENT: it; CHAIN: what the iteration before wrote */
    const struct rg_cnode *leaf; /* CHAIN: the statement that writes */
    int lag;      /* CHAIN: how many iterations before; those of one array follow each other. 0: in the same one, read
                     back after it was written: no value comes in */
    bool certain; /* CHAIN: the first iteration surely reads what is in front of it */
    bool kept; /* SCALAR of reals, affine: an iteration sets it to something else or keeps it, so its factor is a flag.
                  What was there may be no number: it is left out, not multiplied by 0 */
    bool summed;     /* SCALAR or CHAIN of reals, affine: an iteration sets it to something else or adds to it, so its
                        factor is a flag, too */
    int bits;        /* TABLE: of a field of the word */
    int64_t modulus; /* SCALAR, affine: of integers modulo that; 0: as they are */
    bool resets; /* SCALAR, not affine: some updates set it to something else, under conditions or always (a segmented
                    scan). A run has a member (column POLY_KEEPS) that is 0 where what was there is left out */
};

struct poly_scan {
    int loop, n;
    struct poly_carried at[POLY_MAX_CARRIED];
    unsigned *depends;       /* [var] bits of the carried values that the scalar is affine in, within an iteration */
    struct poly_knode *part; /* what of the body the carried values need */
    bool ordered;            /* runs don't commute */
    bool applied;            /* the loop does more than carry: each iteration needs its values */
    bool fraction;           /* one chain, x = (a * x + b) / (c * x + d) */
    int piece;               /* of the loop as written, from 1; 0: all of it */
};

struct poly_carrying { /* the analysis of a loop, or of a piece of one */
    struct poly_program *p;
    struct poly_scop *s;
    const struct poly_knode *body;
    struct poly_scan *sc;
    bool *in, whole; /* [stmt] in the piece; all statements of the loop are */
    int clash;       /* an array that stands in the part's way; -1 */
    struct rg_reason *why;
};

/* A statement that sets one place. */
struct poly_set {
    const struct rg_cnode *target; /* VAR or INDEX; NULL: a declaration */
    const struct rg_cnode *value;  /* NULL: ++ or -- */
    enum rg_c_op op;               /* of an assignment; x++, x-- */
    int var;                       /* -1: an element */
};

/* ---- recurrence.c ---- */
/* NULL: the loop carries something else, with the reason in why. The arena's. */
const struct poly_scan *rg__poly_scan_of(struct poly_program *p, const struct poly_knode *loop, struct rg_reason *why);
/* The loop as two in a row, the first of which makes an array that the second one then finds: scans both, or a scan and
 * a parallel one. NULL: not possible. */
struct poly_knode *rg__poly_scan_split(struct poly_program *p, const struct poly_knode *loop, struct rg_reason *why);
#define rg__poly_carry_no(an, ...) rg_refuse((an)->why, __VA_ARGS__) /* false */
const char *rg__poly_carry_loop(const struct poly_carrying *an);
int rg__poly_carry_line(const struct poly_carrying *an);
bool rg__poly_carry_conflict(struct poly_carrying *an, int array); /* carried between the piece's iterations */

/* ---- recurrence_part.c ---- */
bool rg__poly_carry_updates(const struct poly_carrying *an,
                            const struct rg_cnode *n); /* does the statement update a carried value? */
/* Backward: `want` the scalars needed after; on return, before. */
struct poly_knode *rg__poly_carry_slice(struct poly_carrying *an, const struct poly_knode *k, bool *want);
int rg__poly_carry_place(const struct poly_knode *body,
                         const struct rg_cnode *node);    /* the body's item that holds it */
bool rg__poly_carry_part_first(struct poly_carrying *an); /* is the part the same when it runs before the rest? */
bool rg__poly_carry_more(struct poly_carrying *an);       /* are there statements that the carried values don't need? */

/* ---- recurrence_clamp.c ---- */
/* Is the statement, of those that update number `which`, x = max(x + a, b), or one half of it? The operator is ADD
 * where it has no bound. `sum`: the part of the value that has no bound; NULL: the statement as it is. */
bool rg__poly_scan_clamped(const struct poly_scan *sc, int which, const struct poly_set *set, enum poly_op *op,
                           const struct rg_cnode **sum);
/* Of a statement that updates scalar number `which`: the operator; SAME where it sets it anew or keeps it, *sets: it
 * does set it. NONE: it is another update. */
enum poly_op rg__poly_scan_resets(const struct rg_ctree *t, const struct poly_scan *sc, int which,
                                  const struct poly_set *set, bool *sets);
static inline bool rg__poly_has_bound(enum poly_op op)
{
    return op == POLY_OP_FLOOR || op == POLY_OP_CEILING;
}

/* ---- recurrence_table.c ---- */
/* Is the statement, of those that update number `which`, x = (word >> bits * x) & (2^bits - 1)? What the word depends
 * on is not looked at. */
bool rg__poly_scan_table(const struct rg_ctree *t, const struct poly_scan *sc, int which, const struct poly_set *set,
                         int *bits, const struct rg_cnode **word);

/* ---- recurrence_update.c ---- */
bool rg__poly_carry_find_updates(struct poly_carrying *an);
/* The one statement of the part that gives a scalar its value; NULL: none, or several. */
const struct rg_cnode *rg__poly_carry_value(const struct poly_scan *sc, int var);
bool rg__poly_set_of(const struct rg_cnode *n, struct poly_set *out);
int rg__poly_scan_updates(const struct poly_scan *sc, const struct rg_cnode *leaf,
                          const struct poly_set *set); /* the carried value; -1 */
unsigned rg__poly_scan_mask(const struct poly_scan *sc,
                            const struct rg_cnode *e); /* carried values an expression depends on */
const struct rg_cnode *rg__poly_carried_node(const struct poly_scan *sc, const struct rg_cnode *e,
                                             int *which); /* INDEX nodes that stand for one */
#endif
