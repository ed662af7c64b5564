/* What several steps ask before they change a kernel: names, threads, and whether what they would leave can be made of
 * tiles. */
#include "poly/steps/steps.h"
#include <string.h>

bool rg__poly_need_threads(const struct poly_program *p, struct rg_reason *why)
{
    for (int i = 0; i < p->n_kernels; i++)
        if (p->kernels[i].form == POLY_THREADS) return true;
    rg_refuse(why, RG_REFUSE_ORDER, 0, "no kernel has a thread for each iteration: parallelize comes first");
    return false;
}

int rg__poly_array_named(const struct poly_scop *s, const char *name)
{
    for (int a = 0; a < s->tree->n_arrays; a++)
        if (strcmp(s->tree->arrays[a].name, name) == 0) return a;
    return -1;
}

/* Small enough that what refuses a kernel lies in the kernel. */
const struct poly_values rg__poly_trial = {.bx = 16,
                                           .by = 16,
                                           .bz = 1,
                                           .rx = 2,
                                           .ry = 2,
                                           .tile = 8,
                                           .unroll = 4,
                                           .block = 128,
                                           .grid = 256,
                                           .lanes = 32,
                                           .split = 8,
                                           .width = 4,
                                           .items = 1,
                                           .ahead = 4};

/* With a block of the kernel's own dimensions. */
bool rg__poly_trial_ok(const struct poly_program *p, int k, struct rg_reason *why)
{
    struct poly_tiling t;
    struct poly_values v = rg__poly_trial;
    if (p->kernels[k].n_dims == 1) {
        v.bx = 128;
        v.by = 1;
    } else if (p->kernels[k].n_dims == 3) {
        v.bx = 8;
        v.by = 4;
        v.bz = 2;
    }
    rg__poly_tiling_init(&t, p, k, &v);
    bool ok = rg__poly_tile_kernel(&t, why), plain = !rg__poly_has_opaque(&p->kernels[k]);
    rg__poly_tiling_release(&t);
    return ok && (plain || rg__poly_kir_holds(p, &p->kernels[k], &v, why));
}

bool rg__poly_kir_holds(const struct poly_program *p, const struct poly_kernel *k, const struct poly_values *v,
                        struct rg_reason *why)
{
    struct rg_arena arena = RG_ARENA_INIT;
    bool ok = rg__poly_kir_build(p, k, v, &arena, why) != NULL;
    rg_arena_release(&arena);
    return ok;
}
