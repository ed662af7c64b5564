/* The points of a kernel's threads while its kernel IR is built: threads_kernel.c opens blocks and threads, and has the
 * forms with a point, or neighbouring ones, for each thread; tile_kernel.c those with several points a thread. */
#ifndef RG_POLY_POINTS_H
#define RG_POLY_POINTS_H
#include "poly/kernel/point_grid.h"

struct poly_points {
    struct poly_grid g;
    int64_t threads[3], coarse[3], width; /* along each axis; points of a thread; neighbouring ones of one */
    int block[3], r[3], w;                /* symbols: names of the first two, that of the width */
};

/* ---- tile_kernel.c ---- */
/* All of a thread's points, in seq. False: why. */
bool rg__poly_tile_points(struct poly_points *b, struct kir_node *seq, const struct poly_values *v,
                          struct rg_reason *why);
#endif
