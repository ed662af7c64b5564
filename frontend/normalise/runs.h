/* Loops from run to run: what runs.c takes, and the forms that runs_forms.c gives it. */
#ifndef RG_FRONTEND_RUNS_H
#define RG_FRONTEND_RUNS_H
#include <rg/ctree.h>

/* What stands below conversions of integers that lose nothing. */
const struct rg_cnode *rg__runs_widened(const struct rg_cnode *e);
/* The value, as that type holds it; what the conversions that rg__runs_widened leaves out make of it. As none of them
 * makes anything narrower, two rows of them from one type to one other are the same where they are for -1. */
int64_t rg__runs_kept(enum rg_scalar type, int64_t value);
int64_t rg__runs_converted(const struct rg_cnode *e, int64_t value);
/* The very integer variable, below such conversions. */
bool rg__runs_is_var(const struct rg_cnode *e, int var);
/* The value that a declaration or an assignment gives a scalar, and *var, which one; NULL, -1: it does neither. */
const struct rg_cnode *rg__runs_assigned(const struct rg_cnode *k, int *var);
/* var + k: k; false: it is none. */
bool rg__runs_offset(const struct rg_cnode *e, int var, int64_t *k);
/* var++ or var += 1, a statement or an expression; false for NULL. */
bool rg__runs_counts(const struct rg_cnode *k, int var);
/* How often the scalar is written by statements of the list; those inside others count, too. */
int rg__runs_writers(struct rg_cnode *const *k, int n, int var);

/* A copy of the loop as
 *     while (i < n) { ..; j = i; for (; j < n && ..; j++) ..; ..; i = j; }
 * if the loop that is statement `in` of its body goes along a run in another form: counts i itself, or how long the run
 * is, has its test behind the body, or in it. It does the same wherever the run's elements are alike, so runs.c takes
 * it or drops it. NULL: there is no such form. The loop itself stays as it is. */
struct rg_cnode *rg__runs_form(struct rg_ctree *t, const struct rg_cnode *loop, int in);
#endif
