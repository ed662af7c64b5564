/* Changes of the loop tree: one loop split, joined with the next, or given the place of the one inside it. Each gives
 * the function's new tree, whose changed nodes are the arena's, or NULL with the reason in why; `number` is of this
 * change alone. */
#ifndef RG_POLY_ORDER_H
#define RG_POLY_ORDER_H
#include "poly/analysis/scop.h"

enum {
    POLY_ROUNDS = 32
}; /* loops that one action changes, one after the other: number / POLY_ROUNDS is the action's */

/* ---- loop_fission.c: a loop for each group of statements that nothing ties together ---- */
const struct rg_ctree *rg__poly_divide_loop(struct poly_scop *s, int loop, int number, struct rg_arena *a,
                                            struct rg_reason *why);

/* Sequential loops are split where that sets parallel ones free; `arena` keeps the split tree. */
enum rg_status rg__poly_divide_where_it_pays(struct poly_scop **s, struct rg_arena *arena, struct rg_error *err);

/* Where that is several times faster by estimate, loops are cut in two between statements that scalars alone tie
 * together: those get a place for each iteration. *s is freed where another takes its place. */
void rg__poly_cut_where_it_pays(struct poly_scop **s, struct rg_arena *arena);
/* Loops that still carry a sum beside updates are cut in front of what adds up the iterations' shares of it: that costs
 * next to nothing, so that half the time is gain enough. Behind array expansion, which may free such a loop by more. */
void rg__poly_share_sums_where_it_pays(struct poly_scop **s, struct rg_arena *arena);

/* ---- guarded_parts.c: a condition with long work under it as two conditions ---- */
bool rg__poly_looks_long(const struct rg_cnode *n);
/* The first such condition in the loop divided, behind what takes long or in front of it; NULL: there is none, or the
 * halves share more than scalars. */
const struct rg_ctree *rg__poly_divide_guard(struct poly_scop *s, int loop, bool in_front, struct rg_arena *arena);

/* ---- kept_values.c: a carried scalar kept for what follows in the iteration ---- */
/* The tree with that, where the loops around the loop go in order; *at: the item of its body that the loop may be cut
 * in front of. NULL: nothing is carried so. */
const struct rg_ctree *rg__poly_keep_carried(struct poly_scop *s, int loop, int *at, struct rg_arena *arena);

/* ---- partial_sums.c: what each iteration adds to sums, added at its end ---- */
/* The tree with that; *at: the first item of the loop's body that adds. NULL: the loop carries no sum. */
const struct rg_ctree *rg__poly_partial_sums(struct poly_scop *s, int loop, int *at, struct rg_arena *arena);

/* ---- loop_fusion.c: with the next loop over the same range, where no iteration of one needs another iteration of the
 * other ---- */
const struct rg_ctree *rg__poly_join_loop(struct poly_scop *s, int loop, int number, struct rg_arena *a,
                                          struct rg_reason *why);

/* ---- loop_interchange.c: with the loop right inside it ---- */
const struct rg_ctree *rg__poly_swap_loops(struct poly_scop *s, int loop, int number, struct rg_arena *a,
                                           struct rg_reason *why);

#endif
