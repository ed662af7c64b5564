/* What doubling.c (rounds, bounds), doubling_scalars.c (what is handed on) and butterflies.c (nests of pairs) share. */
#ifndef RG_FRONTEND_DOUBLING_H
#define RG_FRONTEND_DOUBLING_H
#include "frontend/normalise/canon.h"

struct rounds { /* the loop that doubles or halves */
    struct rg_ctree *t;
    struct rg__load *l;
    const struct rg__powers *powers;
    int var;
    bool up;
    int64_t factor;                /* by which it steps, of the loop's header or while; 0 */
    struct rg_cnode *first, *most; /* what the variable starts as; what it is at most */
    bool strict;                   /* it is below that */
    struct rg_cnode *body;
    int step_at; /* of the body's statements, the step; n: behind the last */
    bool power;  /* a power of two, at least one where the loop's condition holds; what a counted loop halves gets 0 */
};

/* num / den times the variable as it is at the nest */
struct scale {
    int64_t num, den;
};

struct header {
    int var;
    struct rg_cnode *first, *cond, *upper, *step, *body; /* upper: of var < upper, var != upper */
    bool exact;                                          /* !=: it must meet its bound */
};

/* ---- doubling.c ---- */
bool rg__doubling_var(const struct rg_cnode *e, int var);   /* that scalar, converted or not */
int rg__doubling_writes(const struct rg_cnode *n, int var); /* how often: it, or a member of it */
/* What a statement sets the scalar to; NULL: it does not, or not plainly. */
struct rg_cnode *rg__doubling_set(const struct rg_cnode *s, int var);
/* What the only statement that sets the local sets it to, of parameters and numbers; NULL. */
const struct rg_cnode *rg__doubling_value(const struct rg_ctree *t, int var);
/* Of parameters and numbers: a power of two, given that those parameters are which it marks. */
bool rg__doubling_power(const struct rounds *r, const struct rg_cnode *e, bool mark);
/* e at statement `at` of the body as a multiple of the variable at statement `here`. */
bool rg__doubling_scale(const struct rounds *r, const struct rg_cnode *e, int at, int here, int depth,
                        struct scale *out);
bool rg__doubling_header(const struct rg_ctree *t, const struct rg_cnode *n, struct header *h);
bool rg__doubling_one(const struct rg_cnode *e);
/* for (e = 0; e < upper; e++) if (acts) { inner }; the list is released. */
struct rg_cnode *rg__doubling_over(struct rg_ctree *t, int e, struct rg_cnode *upper, struct rg_cnode *acts,
                                   struct rg__kids *inner, const struct rg_cnode *at);
struct rg_cnode *rg__doubling_declaration(struct rg_ctree *t, int var, struct rg_cnode *value,
                                          const struct rg_cnode *at);

bool rg__doubling_factor(const struct rg_cnode *s, int *var, bool *up,
                         int64_t *factor); /* v *= 2, v <<= 1, v = v / 4 */

/* ---- stockham_nests.c ---- */
/* Statement `here` of the body of the rounds at block->kid[at] as a nest in strides; the rounds go by what doubles from
 * then on. NULL, and nothing changed: it is none. */
struct rg_cnode *rg__doubling_stockham(struct rounds *r, const struct rg_cnode *block, int at, int here);

/* ---- doubling_steps.c ---- */
/* A loop's step `v = w`, where w is v * 2 or v / 2, says so itself. */
void rg__doubling_named_step(struct rg_ctree *t, struct rg_cnode *loop);
/* Statement `at` of the block, `while (v < b) { ..; v += s; }` behind `v = a`, as a for; NULL: it is none. */
struct rg_cnode *rg__doubling_for(struct rg_ctree *t, const struct rg_cnode *block, int at);

/* ---- doubling_scalars.c ---- */
/* A place is a scalar, or a member of a structure of the function, as an expression. */
int rg__doubling_place_var(const struct rg_cnode *place);
bool rg__doubling_mentions(const struct rg_cnode *n, const struct rg_cnode *place); /* it, or all of the structure */
int rg__doubling_place_writes(const struct rg_cnode *n, const struct rg_cnode *place);
/* Might the variable, or a member of it, be read, somewhere but in `nest`, before it is set in the same block or one
 * around it? */
bool rg__doubling_exposed(const struct rg_cnode *n, int var, const struct rg_cnode *nest);
/* Does n set the variable, or a member, and might it before that read what was set the last time? */
bool rg__doubling_handed_on(const struct rg_cnode *n, int var);
/* Might the variable, or a member of it, be read behind the nest before it is set again? */
bool rg__doubling_live(const struct rg_ctree *t, int var, const struct rg_cnode *nest);

/* ---- butterflies.c ---- */
/* Butterflies: statement `here` of the rounds' body. NULL: it is none. */
struct rg_cnode *rg__doubling_butterflies(struct rounds *r, int here);
#endif
