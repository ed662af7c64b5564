/* Blocks of launches with a thread for each point: how many threads to begin with, and how many there may be. */
#include "poly/steps/steps.h"

enum { WARP = 32, MULTIPROCESSORS = 128 /* of large devices, more or less */, THREADS = 256 };

int rg__poly_launch_dims(const struct poly_program *p)
{
    int dims = 0;
    for (int i = 0; i < p->n_kernels; i++)
        if (p->kernels[i].form == POLY_THREADS && !p->kernels[i].region && p->kernels[i].n_dims > dims)
            dims = p->kernels[i].n_dims;
    return dims;
}

bool rg__poly_is_coarse(const struct poly_kernel *k)
{
    return k->form == POLY_THREADS && k->coarsened;
}

bool rg__poly_is_staged(const struct poly_kernel *k)
{
    return k->form == POLY_THREADS && k->n_staged > 0;
}

bool rg__poly_has_team(const struct poly_kernel *k)
{
    return k->form != POLY_THREADS && k->form != POLY_SINGLE && (k->form != POLY_KIR || k->strides) && !k->region &&
           !k->last_resort;
}

/* Few iterations spread over as many multiprocessors as there are, down to a warp each. A block has as many in kernels
 * over one dimension as in those over two, so the one that takes longest decides. */
int64_t rg__poly_block_start(const struct poly_program *p)
{
    double points = rg__poly_busiest_points(p);
    int64_t most = THREADS;
    while (points > 0 && most > WARP && points / (double)most < MULTIPROCESSORS) most /= 2;
    return most;
}

void rg__poly_require_block(const struct poly_opening *o, struct rg_arena *a, struct rg_tunables *t)
{
    bool solid = rg__poly_launch_dims(o->p) == 3;
    rg__poly_require(a, t, solid ? "BX*BY*BZ <= 1024" : "BX*BY <= 1024");
    rg__poly_require(a, t, solid ? "BX*BY*BZ >= 32" : "BX*BY >= 32");
}
