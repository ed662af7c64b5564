/* Local arrays too large for a thread, or of a size known only at run time: each thread, or block, has a part of a
 * buffer that the plan makes. */
#include "poly/cuda/print.h"

/* Which of the grid's blocks, or threads, this is; and of how many. */
static const char *place(struct poly_print *pr)
{
    int axes = pr->flat ? 1 : pr->k->n_dims > 1 ? pr->k->n_dims : 1;
    const char *b = axes == 3   ? "(((long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x)"
                    : axes == 2 ? "((long long)blockIdx.y * gridDim.x + blockIdx.x)"
                                : "(long long)blockIdx.x";
    const int64_t *t = pr->tiling.threads;
    if (pr->k->form == POLY_BLOCK) return b;
    if (t[2] > 1)
        return rg__poly_printf(pr, "%s * %lld + (threadIdx.z * %lld + threadIdx.y) * %lld + threadIdx.x", b,
                               (long long)(t[0] * t[1] * t[2]), (long long)t[1], (long long)t[0]);
    if (t[1] > 1)
        return rg__poly_printf(pr, "%s * %lld + threadIdx.y * %lld + threadIdx.x", b, (long long)(t[0] * t[1]),
                               (long long)t[0]);
    return rg__poly_printf(pr, "%s * %lld + threadIdx.x", b, (long long)t[0]);
}

void rg__poly_part_lines(struct poly_print *pr, int array)
{
    const struct rg_carray *c = &pr->t->arrays[array];
    const char *type =
        rg__poly_printf(pr, "%s%s", pr->array_written[array] ? "" : "const ", rg__poly_elem_type(pr, array));
    const char *mem = rg__poly_buffer_name(pr, array);
    pr->array_used[array] = true;
    if (pr->p->array_interleaved[array]) {
        int64_t owners = pr->k->form == POLY_BLOCK ? 1
                                                   : pr->tiling.threads[0] * pr->tiling.threads[1] *
                                                         pr->tiling.threads[2]; /* of a part, in a block */
        const char *blocks = "(long long)gridDim.x * gridDim.y * gridDim.z", *stride = rg__poly_part_stride(pr, array);
        if (owners > 1)
            rg__poly_line(pr, "const long long %s = %s * %lld; // elements alternate", stride, blocks,
                          (long long)owners);
        else
            rg__poly_line(pr, "const long long %s = %s; // elements alternate", stride, blocks);
        rg__poly_line(pr, "%s *%s = %s + %s;", type, c->name, mem, place(pr));
        return;
    }
    const char *n = "";
    for (int d = 0; d < c->n_dims; d++) n = rg__poly_printf(pr, "%s * %s", n, rg__poly_extent(pr, array, d));
    rg__poly_line(pr, "%s *%s = %s + (%s)%s;", type, c->name, mem, place(pr), n);
}
