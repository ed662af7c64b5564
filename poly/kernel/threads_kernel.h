/* Kernels with a thread for each point of their dimensions, in kernel IR. */
#ifndef RG_POLY_THREADS_KERNEL_H
#define RG_POLY_THREADS_KERNEL_H
#include "poly/kernel/kernel.h"

/* The kernel in the arena; NULL: why. */
struct kir_kernel *rg__poly_threads_kernel(const struct poly_program *p, const struct poly_kernel *kernel,
                                           const struct poly_values *v, struct rg_arena *arena, struct rg_reason *why);
#endif
