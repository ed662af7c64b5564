/* Arrays that nothing writes while a launch runs. */
#include "poly/kernel/kernel.h"

bool rg__poly_written_beside(const struct poly_program *p, const struct poly_kernel *k, int array)
{
    for (int i = 0; i < p->n_kernels; i++) {
        const struct poly_kernel *o = &p->kernels[i];
        bool written = false;
        if (k->region && o->region == k->region && rg__poly_knode_uses_array(p->scop, o->body, array, &written) &&
            written)
            return true;
    }
    return false;
}

bool rg__poly_only_read(const struct poly_program *p, const struct poly_kernel *k, int array)
{
    const struct rg_carray *a = &p->scop->tree->arrays[array];
    bool written = false;
    if (p->scop->problem->may_alias || a->elem == RG_STRUCT || rg_scalar_bytes(a->elem) < 4 || a->constant_table)
        return false;
    rg__poly_knode_uses_array(p->scop, k->body, array, &written);
    return !written && !rg__poly_written_beside(p, k, array) &&
           (a->param >= 0 || (p->array_scratch[array] && !p->array_parts[array]));
}
