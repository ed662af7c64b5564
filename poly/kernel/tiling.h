/* Tiling: how the threads of a kernel divide its points among them at given values of the tunables, and what a block of
 * them stages in shared memory. From the loops and accesses alone; a printer, and estimates, go by it. */
#ifndef RG_POLY_TILING_H
#define RG_POLY_TILING_H
#include "poly/kernel/kernel.h"

enum { POLY_MAX_GROUPS = 12 };

/* References to one array with equal coefficients, staged together in shared memory. */
struct poly_group {
    int array, id;
    int n_dims;
    struct poly_linear terms[POLY_MAX_DIMS]; /* coefficients; .k is the least constant */
    int64_t spread[POLY_MAX_DIMS];           /* greatest constant minus least */
    int strip;                               /* loop cut into chunks of TILE; -1 */
    int at;                                  /* staged at the start of this loop's body; -1: at the kernel's top */
    int64_t extent[POLY_MAX_DIMS];           /* of the tile, per array dimension */
    int order[POLY_MAX_DIMS];                /* shared dimension -> array dimension, outermost first */
    int pad;
    int vector_axis; /* axis whose variable runs fastest in shared memory; -1 */
    bool reuse, strided;
};

struct poly_tiling {
    const struct poly_program *p;
    const struct poly_scop *s;
    const struct poly_kernel *k;
    struct poly_values v;
    int dim_of_axis[3];                    /* -1 none */
    int64_t threads[3], coarse[3], vec[3]; /* of a block; points of a thread, and how many of them side by side */
    bool *written;                         /* [array] by the kernel */
    /* ---- rg__poly_tile_kernel ---- */
    bool *hoisted; /* [var] lives across regions: an array over the thread's points where it has several */
    bool *uniform; /* [var] computed from parameters alone: one value for all points */
    bool closed_loop[POLY_MAX_LOOPS]; /* that the block runs in step */
    bool rect;                        /* the dimensions' bounds are independent: full tiles can be told apart */
    int n_groups;
    struct poly_group groups[POLY_MAX_GROUPS];
};

void rg__poly_tiling_init(struct poly_tiling *t, const struct poly_program *p, int kernel, const struct poly_values *v);
void rg__poly_tiling_release(struct poly_tiling *t);
int64_t rg__poly_per_block(const struct poly_tiling *t, int axis); /* points of the axis that a block covers */
/* Has a thread of the kernel several points, or does a block stage anything? */
bool rg__poly_is_tiled(const struct poly_kernel *k);
/* The groups of one more array; false: it can't be staged, or nothing would be gained, with the reason in why. */
bool rg__poly_tile_array(struct poly_tiling *t, int array, struct rg_reason *why);
/* All of the kernel's arrays, and its loops; false: it can't be made of tiles, with the reason in why. */
bool rg__poly_tile_kernel(struct poly_tiling *t, struct rg_reason *why);
/* Elements of a row that are copied at once; 1: one by one. */
int64_t rg__poly_tile_width(const struct poly_tiling *t, const struct poly_group *g);
/* Does loop L stand still while a tile of g is in use? */
bool rg__poly_fixed_for(const struct poly_tiling *t, const struct poly_group *g, int L);
/* One value for all points: computed outside of them. */
bool rg__poly_uniform_leaf(const struct poly_tiling *t, const struct poly_knode *k);
#endif
