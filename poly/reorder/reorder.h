/* Changes of the loop tree: one loop split, joined with the next, or given the place of the one inside it. Each gives
 * the function's new tree, whose changed nodes are the arena's, or NULL with one sentence in why; `number` is of this
 * change alone. */
#ifndef RG_POLY_ORDER_H
#define RG_POLY_ORDER_H
#include "poly/analysis/scop.h"

enum {
    POLY_ROUNDS = 32
}; /* loops that one action changes, one after the other: number / POLY_ROUNDS is the action's */

/* ---- loop_fission.c: a loop for each group of statements that nothing ties together ---- */
const struct rg_ctree *rg__poly_divide_loop(struct poly_scop *s, int loop, int number, struct rg_arena *a, char *why,
                                            size_t size);

/* Like rg__poly_scop_new, for the tree in which sequential loops are split where that sets parallel ones free. `arena`
 * keeps the split tree. */
enum rg_status rg__poly_scop_split(const struct rg_problem *p, const struct rg_ctree *t, struct rg_arena *arena,
                                   struct poly_scop **out, struct rg_error *err);

/* ---- loop_fusion.c: with the next loop over the same range, where no iteration of one needs another iteration of the
 * other ---- */
const struct rg_ctree *rg__poly_join_loop(struct poly_scop *s, int loop, int number, struct rg_arena *a, char *why,
                                          size_t size);

/* ---- loop_interchange.c: with the loop right inside it ---- */
const struct rg_ctree *rg__poly_swap_loops(struct poly_scop *s, int loop, int number, struct rg_arena *a, char *why,
                                           size_t size);

#endif
