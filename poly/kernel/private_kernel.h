/* Privatised scatters: kernels whose blocks have copies of their own of what they scatter into. */
#ifndef RG_POLY_PRIVATE_KERNEL_H
#define RG_POLY_PRIVATE_KERNEL_H
#include "poly/kernel/kernel.h"

struct poly_private { /* what they have copies of */
    int n, array[POLY_MAX_PRIVATE];
};
struct poly_private_shape {
    int block, min_blocks;
    int64_t blocks, unroll; /* at most so many blocks; so many iterations of an innermost loop at once */
};
/* The kernel in the arena; NULL: why. */
struct kir_kernel *rg__poly_private_kernel(const struct poly_program *p, const struct poly_kernel *kernel,
                                           const struct poly_private *data, const struct poly_private_shape *shape,
                                           struct rg_arena *arena, struct rg_reason *why);
#endif
