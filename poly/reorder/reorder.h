/* Edits of the loop tree: one loop split, joined with the next, or given the place of the one inside it. Each gives the function's
 * new tree, whose changed nodes are the arena's, or NULL with one sentence in why; `number` is of this change alone. */
#ifndef RG_POLY_ORDER_H
#define RG_POLY_ORDER_H
#include "poly/analysis/scop.h"

enum { POLY_ROUNDS = 32 }; /* loops that one edit changes, one after the other: number / POLY_ROUNDS is the edit's */

/* ---- loop_fission.c: a loop for each group of statements that nothing ties together ---- */
const struct rg_ctree *rg__poly_divide_loop(struct poly_scop *s, int loop, int number, struct rg_arena *a, char *why, size_t size);
/* Do the two loops come of one that a step split? */
bool rg__poly_pieces_of_one(const struct rg_cnode *a, const struct rg_cnode *b);

/* ---- loop_fusion.c: with the next loop over the same range, where no iteration of one needs another iteration of the other ---- */
const struct rg_ctree *rg__poly_join_loop(struct poly_scop *s, int loop, int number, struct rg_arena *a, char *why, size_t size);

/* ---- loop_interchange.c: with the loop right inside it ---- */
const struct rg_ctree *rg__poly_swap_loops(struct poly_scop *s, int loop, int number, struct rg_arena *a, char *why, size_t size);

/* ---- loop_counters.c ---- */
/* The tree with loops counted in 64 bits where one of the problem's sizes brings their values close to the end of 32; t: none is. */
const struct rg_ctree *rg__poly_count_far(const struct rg_problem *p, const struct rg_ctree *t, struct rg_arena *a);

/* ---- trees ---- */
struct rg_cnode *rg__poly_node_copy(struct rg_arena *a, const struct rg_cnode *n); /* with its own list of kids */
struct rg_cnode *rg__poly_block_of(struct rg_arena *a, const struct rg_cnode *const *item, int n, const struct rg_cnode *at);
#endif
