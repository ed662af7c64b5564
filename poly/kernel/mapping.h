/* What mapping.c and bands.c share: the program being built, and the bands of loops that become grids. */
#ifndef RG_POLY_MAP_H
#define RG_POLY_MAP_H
#include "poly/kernel/kernel.h"

struct poly_mapper {
    struct poly_program *p;
    struct poly_scop *s;
    int host[POLY_MAX_DEPTH], n_host;
    bool too_many;
    bool sorts;       /* statements that sort are kernels of their own */
    bool any_atomics; /* updates with affine subscripts too may become atomics */
    int *writes;      /* [var] statements that write it */
};

struct poly_items {
    int n, cap;
    const struct rg_cnode **at;
};

struct poly_band {
    int chain[POLY_MAX_DEPTH], n_chain; /* the perfectly nested loops from the top */
    bool par[POLY_MAX_DEPTH];           /* of the chain: may go to the grid */
    int n_par;
    const struct rg_cnode *inner; /* body of the last one */
};

/* ---- bands.c ---- */
void rg__poly_flatten(struct poly_items *l,
                      const struct rg_cnode *n);    /* what stands in a body, blocks opened; the caller frees l->at */
bool rg__poly_plain_decl(const struct rg_cnode *n); /* a declaration without a value */
/* The loops of a perfect nest that may go to the grid, `room` at most; false: none is worth it. */
bool rg__poly_find_band(struct poly_mapper *m, int loop, int room, struct poly_band *b);
/* Is there anything in it for a grid? */
bool rg__poly_has_parallel(struct poly_mapper *m, const struct rg_cnode *n);
#endif
