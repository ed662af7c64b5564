/* Flat arrays: `a[i * n + j]` is read as rows, and a 5-point stencil leaves the last row's last element out, so that
 * the array may end before it. */
#include "ir/range.h"
#include "poly/kernel/thread_code.h"
#include <stdlib.h>

/* Is it at least as long as the rows, whichever of several lengths is the greatest? */
static bool as_long(struct rg__range *r, const struct rg_cnode *extent, const struct rg__poly *rows)
{
    const bool greatest = extent->kind == RG_C_COND && extent->kid[0]->op == RG_COP_GT &&
                          rg__c_same(extent->kid[0]->kid[0], extent->kid[1], RG__C_UNCAST) &&
                          rg__c_same(extent->kid[0]->kid[1], extent->kid[2], RG__C_UNCAST);
    if (greatest) return as_long(r, extent->kid[1], rows) || as_long(r, extent->kid[2], rows);
    struct rg__poly e = rg__poly_of(r, extent), more = rg__poly_add(&e, rows, -1);
    return !more.bad && rg__prove(r, &more);
}

struct kir_node *rg__poly_rows_end(const struct poly_program *p, struct kir_names *names, int array)
{
    struct rg_ctree *t = (struct rg_ctree *)p->scop->tree;
    const struct rg_problem *problem = p->scop->problem;
    const struct rg_carray *a = &t->arrays[array];
    const struct rg_param *q = a->param >= 0 ? &problem->params[a->param] : NULL;
    if (!q || q->n_dims != 1 || a->n_dims < 2 || !q->dims[0] || !a->dims[0]) return NULL;
    struct rg__given *given = rg__given_of(t, problem);
    struct rg__range *r = rg_xmalloc(sizeof *r);
    rg__range_init(r, t, given);
    struct rg__poly rows = rg__poly_int(1);
    for (int d = 0; d < a->n_dims; d++) {
        struct rg__poly dim = rg__poly_of(r, rg__c_from_expr(t, a->dims[d]));
        rows = rg__poly_mul(&rows, &dim);
    }
    bool whole = as_long(r, rg__c_from_expr(t, q->dims[0]), &rows);
    free(r);
    rg__given_free(given);
    struct kir_node *end = whole ? NULL : rg__kir_of_extent(names, q->dims[0]);
    return end ? rg__kir_cast(names->k, RG_LLONG, end) : NULL;
}
