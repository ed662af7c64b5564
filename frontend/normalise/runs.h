/* Loops from run to run: what runs.c takes, and the forms that runs_forms.c gives it. */
#ifndef RG_FRONTEND_RUNS_H
#define RG_FRONTEND_RUNS_H
#include "ir/ctree_util.h"

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

/* e with `by + k` in place of var. */
struct rg_cnode *rg__runs_shifted(struct rg_ctree *t, const struct rg_cnode *e, int var, int by, int64_t k);
/* `at < end`, `at < end - 1` for k 1, `at + 1 < end`; of what goes there by ones `!=`, too. */
bool rg__runs_below(const struct rg_cnode *c, int var, const struct rg_cnode *end, int64_t k);
/* What the last statement in front of block->kid[at] that sets i sets it to; NULL: not known. */
const struct rg_cnode *rg__runs_begin(const struct rg_ctree *t, const struct rg_cnode *block, int at, int i);
/* Does the loop store where a pointer or a call says? */
bool rg__runs_stores_anywhere(struct rg_ctree *t, struct rg_cnode *loop);
/* Is e, for given i and j, the same wherever in the loop it stands: made of elements that the loop leaves alone, and of
 * its scalars none but the two? */
bool rg__runs_fixed(const struct rg_ctree *t, const struct rg_cnode *e, const struct rg_cnode *loop, int i, int j);

/* --- runs_heads.c --- */
/* c without `j - i < most`: *most, the least of them; 0: it has none. NULL: it is nothing else, or has one of less than
 * one element. c is asked wherever j goes up by ones from i or i + 1, and ends that. */
struct rg_cnode *rg__runs_unlimited(struct rg_ctree *t, struct rg_cnode *c, int i, int j, int64_t *most);
/* c, of which no part has effects, with what it asks first of such limits last. */
struct rg_cnode *rg__runs_limits_last(struct rg_ctree *t, struct rg_cnode *c, const struct rg_cnode *end);
/* An array of ours; its declaration goes to the list. */
int rg__runs_scratch(struct rg_ctree *t, const char *name, enum rg_scalar type, const struct rg_expr *extent, int line,
                     struct rg__kids *declarations);
struct rg_cnode *rg__runs_element(struct rg_ctree *t, int array, struct rg_cnode *at);
/* to = value; */
struct rg_cnode *rg__runs_set(struct rg_ctree *t, struct rg_cnode *to, struct rg_cnode *value, int line);
/* The loop over all elements, a FOR that declares h, once more, with a counter of its own, and these statements. */
struct rg_cnode *rg__runs_once_more(struct rg_ctree *t, const struct rg_cnode *loop, int h, struct rg__kids *body);
/* Statements that set heads[h] to where the run of element h begins; alike: of h and the one in front of it. */
void rg__runs_heads(struct rg_ctree *t, const struct rg_cnode *loop, struct rg_cnode *alike, int h, int heads,
                    struct rg__kids *out);
/* (h - heads[h]) % most == 0 */
struct rg_cnode *rg__runs_begins_piece(struct rg_ctree *t, int h, int heads, int64_t most);
/* --- words.c --- */
/* block->kid[at], a loop from word to word, becomes one over all elements; false: it is none. */
bool rg__words_take(struct rg_ctree *t, struct rg_cnode *block, int at);
/* --- runs_forms.c --- */
/* A copy of the loop as
 *     while (i < n) { ..; j = i; for (; j < n && ..; j++) ..; ..; i = j; }
 * if the loop that is statement `in` of its body goes along a run in another form: counts i itself, or how long the run
 * is, has its test behind the body, or in it. It does the same wherever the run's elements are alike, so runs.c takes
 * it or drops it. NULL: there is no such form. The loop itself stays as it is. */
struct rg_cnode *rg__runs_form(struct rg_ctree *t, const struct rg_cnode *loop, int in);
#endif
