/* A loop nest in another order: pieces that may move against each other, the dependences between them, the order isl
 * finds, and the tree that has it. */
#ifndef RG_POLY_SCHEDULE_H
#define RG_POLY_SCHEDULE_H
#include "poly/analysis/scop.h"
#include <isl/ast.h>
#include <isl/schedule.h>
#include <isl/union_map.h>
#include <isl/union_set.h>

enum { POLY_MAX_UNITS = 24 };

struct poly_unit { /* statements that stay together: one, or all that a scalar of one iteration ties */
    int id, as;    /* as: the unit it is taken together with; itself */
    const struct rg_cnode **item;
    int n_items;
    int first_stmt, n_stmts;
    int depth, loops[POLY_MAX_DEPTH]; /* the loops around, which are given up */
    int at[POLY_MAX_DEPTH + 1];       /* place among the siblings, a level each */
    isl_set *domain;                  /* { U[iters] } */
    isl_map *order;                   /* when it runs in the C */
};

struct poly_touch { /* what a unit does to an array, or to a scalar (n_arrays + its index) */
    int unit, object;
    bool read, write;
    isl_map *map;
};

struct poly_nest {
    struct poly_scop *scop;
    struct rg_arena *arena;
    int loop, n_around, depth; /* depth: of the deepest unit */
    int n_units;
    struct poly_unit units[POLY_MAX_UNITS];
    int n_touches, cap_touches;
    struct poly_touch *touches;
    bool *own; /* [var] each unit has its own */
    isl_union_map *deps;
    int n_parts;
};

/* ---- statement_groups.c ---- */
enum poly_units {
    POLY_UNITS_PLAIN,
    POLY_UNITS_SPLIT, /* the iterations of a piece that updates in place what it reads elsewhere, told apart by which
                         comes first */
    POLY_UNITS_JOINED /* pieces of one text over different iterations taken together */
};
/* false: the nest has a form that can't be reordered, nothing is to be split or joined, or isl's limit was reached.
 * Close it either way. */
bool rg__poly_nest_open(struct poly_nest *nest, struct poly_scop *s, int loop, enum poly_units form,
                        struct rg_arena *arena);
void rg__poly_nest_close(struct poly_nest *nest);

/* ---- statement_groups_form.c; false: nothing to do ---- */
bool rg__poly_units_split(struct poly_nest *nest);
bool rg__poly_units_join(struct poly_nest *nest);

/* ---- scheduler_tree.c ---- */
/* The nest's loops in the order; new variables go into t. NULL: a form that the tree doesn't have. */
struct rg_cnode *rg__poly_nest_tree(struct poly_nest *nest, __isl_take isl_schedule *order, struct rg_ctree *t);

/* ---- array_expansion.c ---- */
/* The function with what an iteration of the nest fills before it reads it expanded to a place for each iteration; last
 * values are copied back where they are read later. alone: arrays, where there are scalars as well. NULL: nothing is.
 */
const struct rg_ctree *rg__poly_expand(struct poly_scop *s, int loop, bool alone, struct rg_arena *arena);

/* May the scalar have a place for each iteration of the loop? */
bool rg__poly_scalar_expandable(const struct poly_scop *s, int loop, int var);
/* Statements of the loop's body with a place, in new arrays of t, for each iteration of the loop and of those around it
 * that may run at once (each: of all those around), instead of each expandable scalar in `which` (by variable). false:
 * one's extents can't be said, or it would take too much memory; the items are then not to be used. */
bool rg__poly_expand_scalars(struct poly_scop *s, int loop, const bool *which, bool each, const struct rg_cnode **item,
                             int n, struct rg_ctree *t, struct rg_arena *arena);

/* ---- last_value.c ---- */
/* The function with scalars of which the outermost loop's last value alone is read later kept by its last iteration;
 * NULL: there are none, or which iteration is the last depends on data. */
const struct rg_ctree *rg__poly_keep_last(struct poly_scop *s, int loop, struct rg_arena *arena);

/* ---- sum_places.c ---- */
/* The function with a place for each iteration of a loop in the nest for what it adds up there, where its iterations
 * have large arrays of their own (expanded: places of their own in what they fill); the places are added up behind it.
 * NULL: there is no such loop. */
const struct rg_ctree *rg__poly_sum_places(struct poly_scop *s, int loop, bool expanded, struct rg_arena *arena);

/* ---- scheduler.c ---- */
enum {
    POLY_GAIN = 3
}; /* times faster by estimate: those are rough, and less is no reason to leave the order of the C */
/* Microseconds by estimate, with what the first steps could make of it: a grid for what is parallel, blocks for what
 * reduces; and whether anything runs in parallel. */
double rg__poly_time_ahead(struct poly_scop *s, bool *parallel);
/* The tree with `from` replaced; only the nodes above it are new. */
struct rg_cnode *rg__poly_tree_with(struct rg_arena *a, const struct rg_cnode *n, const struct rg_cnode *from,
                                    struct rg_cnode *to);
/* The function with the nest of `loop` (an outermost one) in the order that looks best of those isl finds, or with a
 * place for each iteration of what it fills; `arena` keeps the new tree. NULL: none with anything parallel, with one
 * sentence in why. The caller frees it. */
struct poly_scop *rg__poly_reorder_nest(struct poly_scop *s, int loop, struct rg_arena *arena, struct rg_reason *why);
/* With every outermost nest reordered for which that is several times faster by estimate. NULL: none is, with one
 * sentence in why. */
struct poly_scop *rg__poly_reorder_where_it_pays(struct poly_scop *s, struct rg_arena *arena, struct rg_reason *why);
/* With a place for each iteration of what a nest's iterations fill, where that alone sets so much free. NULL: nowhere.
 */
struct poly_scop *rg__poly_expand_where_it_pays(struct poly_scop *s, struct rg_arena *arena);
#endif
