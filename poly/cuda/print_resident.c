/* grid.sync: the launches of a plan's loop as one cooperative kernel, and its launch. */
#include "poly/cuda/kir_cuda.h"
#include "poly/cuda/print.h"
#include <stdlib.h>

void rg__poly_plan_resident(struct poly_planning *pl, const struct poly_hnode *h, int indent)
{
    const struct poly_program *p = pl->p;
    struct poly_print *first = NULL;
    struct poly_phase *phases = rg_xcalloc((size_t)p->n_kernels, sizeof *phases);
    struct rg_reason why = {0};
    for (int k = p->n_kernels - 1; k >= 0; k--) {
        phases[k] = pl->prints[k].phase;
        if (p->kernels[k].region == h->region) first = &pl->prints[k];
    }
    const char *name = rg__poly_fresh(first, "%.60s_resident%d", p->scop->problem->function, h->region);
    const struct kir_kernel *k = rg__poly_resident_kernel(p, h, phases, &first->v, name, &first->arena, &why);
    free(phases);
    if (!k) {
        rg__poly_print_refused(first, &why);
        return;
    }
    rg_buf_char(pl->cuda, '\n');
    rg__kir_cuda(k, pl->cuda);
    rg__kir_plan_launch(k, pl->out, indent);
}
