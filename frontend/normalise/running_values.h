/* Loops that carry scalars from iteration to iteration and compute others of them: which depend on which, and how each
 * is updated. */
#ifndef RG_FRONTEND_RUNNING_VALUES_H
#define RG_FRONTEND_RUNNING_VALUES_H
#include "frontend/normalise/canon.h"

enum { RG__RUNNING_MOST = 16 };

enum rg__running_form {
    RG__RUNNING_OTHER,  /* in another way */
    RG__RUNNING_LINEAR, /* x = a * x + b */
    RG__RUNNING_OP,     /* minimum, maximum, x op= e */
    RG__RUNNING_CHOSEN  /* a minimum or maximum along with what was chosen with it: its last value alone */
};

struct rg__running {
    struct rg_ctree *t;
    struct rg_cnode *loop, *body;
    int n;                           /* scalars from outside the body that it writes */
    int var[RG__RUNNING_MOST];       /* which */
    uint32_t unit[RG__RUNNING_MOST]; /* bits of those that are updated of one another, its own included */
    uint32_t from[RG__RUNNING_MOST]; /* bits of those that its values are computed of, by way of others, too */
    enum rg__running_form form[RG__RUNNING_MOST]; /* of its unit */
    uint32_t *of; /* [var] of a scalar that the body declares: bits of those that it is computed of */
};

/* Each loop that no other is around, in its block: `take` may put statements around it, and gives how many, which are
 * passed over. */
void rg__running_outer(struct rg_ctree *t, const struct rg_problem *p, struct rg_cnode *n,
                       int (*take)(struct rg_ctree *t, const struct rg_problem *p, struct rg_cnode *block, int at));

struct rg__running_place { /* of a loop's iteration in an array: how many there are, and which it is */
    const struct rg_expr *count;
    const struct rg_cnode *from; /* NULL: the loop's variable is it */
};
/* False: the LOOP's bounds are not of parameters alone, or it is short. */
bool rg__running_places(struct rg_ctree *t, const struct rg_cnode *l, struct rg__running_place *p);
/* An array with an element for each iteration; its declaration goes to `out`. */
int rg__running_array(struct rg_ctree *t, const char *name, enum rg_scalar elem, const struct rg__running_place *p,
                      const struct rg_cnode *loop, struct rg__kids *out);
struct rg_cnode *rg__running_element(struct rg_ctree *t, int array, const struct rg__running_place *p, int counter);

/* False: there is nothing to see. `of` is the caller's to free in any case. */
bool rg__running_look(struct rg__running *r, struct rg_ctree *t, struct rg_cnode *loop);
/* What the node's value or effect is computed of; a plain assignment's target is left out. */
uint32_t rg__running_mask(const struct rg__running *r, const struct rg_cnode *n);
uint32_t rg__running_written(const struct rg__running *r, const struct rg_cnode *n);
/* Are all updates of number k sums of multiples of those in the mask, and of what has nothing to do with them? */
bool rg__running_linear(const struct rg__running *r, int k, uint32_t mask);

/* ---- running_elements.c ---- */
/* a[i] = e; .. a[i] ..: what is read of an element behind the statement that stores it is a scalar of the body. */
void rg__running_read_back(struct rg_ctree *t, const struct rg_problem *p, const struct rg_cnode *loop,
                           struct rg_cnode *b);

/* ---- running_arms.c ---- */
/* v = flag ? e : v;  and behind it  v = flag ? v : f;  as v = flag ? e : f; */
void rg__running_join_arms(struct rg_ctree *t, struct rg_cnode *b);
/* if (flag) { double d = x - mean; mean += d / n; ..}: each statement asks by itself. wide: with arms for the other
 * case, conditions in them and stores, too. */
void rg__running_open_arms(struct rg_ctree *t, struct rg_cnode *b, bool wide);
/* double d; .. d = flag ? e : d;  as  double d = flag ? e : 0;  it holds nothing otherwise. */
void rg__running_declare(struct rg_ctree *t, struct rg_cnode *b);
/* Counters that count from an event on, in the loop's opened body: what is to stand in front of the loop and behind it.
 * False: there are none. */
bool rg__running_gates(struct rg_ctree *t, struct rg_cnode *loop, struct rg__kids *front, struct rg__kids *behind);
/* ---- running_counts.c ---- */
/* Counters that ask whether they have begun to count, in the body of the loop block->kid[at], opened, are recurrences.
 * False: there are none. */
bool rg__running_counts(struct rg_ctree *t, const struct rg_cnode *block, int at, struct rg_cnode *body);
#endif
