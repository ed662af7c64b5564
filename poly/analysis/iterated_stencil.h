/* Iterated stencils: a loop over time around sweeps, each of which gives every point of a box a new value from values
 * at constant distances. What a sweep writes at a point, and reads there, is told in the array's own coordinates, so
 * that all sweeps share one space: dimension d is the arrays' d-th subscript. */
#ifndef RG_POLY_ITERATED_STENCIL_H
#define RG_POLY_ITERATED_STENCIL_H
#include "poly/analysis/scop.h"

enum {
    STENCIL_DIMS = 3,
    STENCIL_ARRAYS = 12,
    STENCIL_SWEEPS = 24,
    STENCIL_ITEMS = 24, /* of a sweep */
    STENCIL_ACCESSES = 256
};

struct poly_stencil_access {
    const struct rg_cnode *node;
    int array;                /* into the stencil's arrays */
    bool write;               /* at the sweep's own point; perhaps read there, too */
    int64_t by[STENCIL_DIMS]; /* how far from the sweep's point */
};

/* Statements that run point by point: one, or those that share a scalar. The loops around carry nothing, so one sweep
 * may be over before the next one starts. */
struct poly_sweep {
    bool everywhere; /* no point is written: scalars of the iteration, the same for all */
    int n_items;
    const struct rg_cnode *item[STENCIL_ITEMS];
    int loop[STENCIL_DIMS];              /* whose variable + shift is the point's coordinate; -1: that is `at` */
    int64_t shift[STENCIL_DIMS];         /* of a loop */
    struct poly_linear at[STENCIL_DIMS]; /* over parameters and loops around the time loop */
    int first_access, n_accesses;
    /* It may run at any point: what it reads a tile holds, and what it spoils outside of its box nobody writes while
     * the time loop runs, so it can be had again from where it stands. */
    bool free;
};

struct poly_stencil_array {
    int array;
    bool written;
    bool restored; /* only free sweeps write it */
    bool unread;   /* nothing in the time loop reads it: it leaves where a sweep wrote it, and is not loaded */
    int fresh;     /* the sweep that writes, in every iteration and before anything reads it there, whatever any other
                      sweep writes: values of the iteration before are not needed there; -1: none */
};

struct poly_stencil {
    struct poly_scop *s;
    int loop; /* over time */
    int n_dims;
    int n_arrays; /* those with all accesses at constant distances: a tile may hold them */
    struct poly_stencil_array array[STENCIL_ARRAYS];
    int n_sweeps;
    struct poly_sweep sweep[STENCIL_SWEEPS];
    int n_accesses;
    struct poly_stencil_access access[STENCIL_ACCESSES];
};

/* Is the loop one? false: the reason in why. */
bool rg__poly_stencil_of(struct poly_scop *s, int loop, struct poly_stencil *out, struct rg_reason *why);
/* The values that are still right after so many iterations on a piece of the space with nothing around it: all but the
 * first below[d] and the last above[d] along each dimension. */
void rg__poly_stencil_halo(const struct poly_stencil *st, int64_t iterations, int64_t below[STENCIL_DIMS],
                           int64_t above[STENCIL_DIMS]);
bool rg__poly_stencil_writes(const struct poly_stencil *st, int sweep, int array);
bool rg__poly_stencil_line(const struct poly_stencil *st, const struct poly_sweep *w); /* a dimension stands still */
/* An iteration makes all of it anew, also where it only has the values back that it had. */
bool rg__poly_stencil_anew(const struct poly_stencil_array *x);
/* An iteration's values may still be read elsewhere when the next one's are written. */
bool rg__poly_stencil_moves(const struct poly_stencil_array *x);
/* Of the arrays that a tile may hold, the one of that number in the tree; -1. */
int rg__poly_stencil_array(const struct poly_stencil *st, int array);
const struct poly_stencil_access *rg__poly_stencil_access(const struct poly_stencil *st, const struct rg_cnode *node);
#endif
