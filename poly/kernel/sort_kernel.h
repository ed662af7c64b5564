/* A sort that a grid does, in kernel IR: a kernel that sorts tiles, and one that merges runs, launched twice for each
 * factor of four between a tile and all, from the array to a buffer and back. */
#ifndef RG_POLY_SORT_KERNEL_H
#define RG_POLY_SORT_KERNEL_H
#include "poly/kernel/kernel.h"
#include "poly/kir/kir.h"

struct poly_sort_kernels {
    struct kir_kernel *tiles, *merges;
    int from, to, run;            /* of merges: the array, the buffer, the length of runs */
    int64_t tile;                 /* elements */
    const struct kir_node *bound; /* of tiles: as many as a piece has at most */
};
/* They, verified, in the arena. False: why. */
bool rg__poly_sort_kernels(const struct poly_program *p, const struct poly_kernel *k, const struct poly_values *v,
                           struct rg_arena *arena, struct poly_sort_kernels *out, struct rg_reason *why);
#endif
