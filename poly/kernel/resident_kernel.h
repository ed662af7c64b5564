/* A loop of the plan as one cooperative kernel in kernel IR: the launches in it are its phases. */
#ifndef RG_POLY_RESIDENT_KERNEL_H
#define RG_POLY_RESIDENT_KERNEL_H
#include "poly/kernel/kernel.h"
#include "poly/kernel/tiling.h"
#include "poly/kir/kir.h"

/* What a phase is given. */
enum poly_given {
    POLY_GIVEN_VALUE,  /* of the variable `index` */
    POLY_GIVEN_SCALAR, /* that variable's buffer */
    POLY_GIVEN_ARRAY,  /* the array `index` */
    POLY_GIVEN_PARTS,  /* how many blocks the first stage of the reduction had */
    POLY_GIVEN_PART    /* the buffer of blocks' results of the accumulator `index` */
};
struct poly_argument {
    enum poly_given what;
    int index;
    const char *name; /* of a buffer */
    enum rg_scalar type;
    bool written;
};
struct poly_phase {
    bool block, grid, thread; /* told, as struct kir_phase has it */
    int n, cap;
    struct poly_argument *args; /* in order */
    const struct poly_tiling *tiling;
};

/* The loop with its phases ([kernel], those of its region), in the arena; name: the kernel's. NULL: why. */
struct kir_kernel *rg__poly_resident_kernel(const struct poly_program *p, const struct poly_hnode *h,
                                            const struct poly_phase *phases, const struct poly_values *v,
                                            const char *name, struct rg_arena *arena, struct rg_reason *why);
#endif
