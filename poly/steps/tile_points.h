/* The points of a thread of a tile in time, in kernel IR: predicates over them as bits of a number, boxes of sweeps. */
#ifndef RG_POLY_TILE_POINTS_H
#define RG_POLY_TILE_POINTS_H
#include "poly/analysis/iterated_stencil.h"
#include "poly/cuda/print.h"
#include "poly/kir/kir.h"

struct tile_points {
    const struct poly_stencil *st;
    struct kir_kernel *k;
    struct kir_names *names;
    int from;              /* the first dimension along which the thread has points; 0 where it has along all */
    const int64_t *points; /* along each dimension; of those from `from` on there are `n` */
    int n;
    struct kir_node *first[STENCIL_DIMS]; /* coordinates of the first point */
    int n_sets;
    struct tile_set { /* points of a box that are in bounds, as bits */
        struct kir_node *from[STENCIL_DIMS], *to[STENCIL_DIMS], *bits;
    } set[2 * STENCIL_SWEEPS + 2 * STENCIL_ARRAYS];
};

struct kir_node *rg__tile_let(struct kir_kernel *k, struct kir_node *seq, const char *name, enum rg_scalar type,
                              struct kir_node *value);
struct kir_node *rg__tile_whole(struct kir_kernel *k, struct kir_node *e); /* as an int */
struct kir_node *rg__tile_plus(struct kir_kernel *k, struct kir_node *e, int64_t more);
struct kir_node *rg__tile_number(const struct tile_points *t, int64_t v); /* as bits */
struct kir_node *rg__tile_any(const struct tile_points *t, struct kir_node *bits);
struct kir_node *rg__tile_bit(const struct tile_points *t, struct kir_node *bits, int point);
struct kir_node *rg__tile_but(const struct tile_points *t, struct kir_node *bits, struct kir_node *without);
/* Bits of the points between the ends, along the dimensions from t->from on; computed once for the same ends. */
struct kir_node *rg__tile_bits(struct tile_points *t, struct kir_node *seq, struct kir_node *const *from,
                               struct kir_node *const *to);
/* The ends of the sweep's box along every dimension; false: names->why. */
bool rg__tile_box(const struct tile_points *t, int sweep, struct kir_node **from, struct kir_node **to);
/* How many iterations of the time loop a launch has to do, at most `steps`; what the time loop's variable is at its
 * first one, and how many are left with these, in *time and *left. NULL: names->why. */
struct kir_node *rg__tile_count(const struct tile_points *t, struct kir_node *seq, int64_t steps,
                                struct kir_node **time, struct kir_node **left);
/* The time loop's variable, after so many more iterations. */
struct kir_node *rg__tile_now(const struct tile_points *t, struct kir_node *time, struct kir_node *more);
/* The buffer beside the array's own that takes its new values, as an argument; the array's own where there is none;
 * -1: names->why. */
int rg__tile_next(const struct tile_points *t, const struct poly_program *p, int array);
/* Blocks along the dimension that cover the longest of the arrays; NULL: names->why. */
struct kir_node *rg__tile_blocks(const struct tile_points *t, int dim, int64_t inner);
enum rg_scalar rg__tile_type(const struct poly_stencil *st, int array);
#endif
