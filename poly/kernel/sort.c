/* Sorts that a grid does: a statement that sorts a piece of an array, or, with dimensions, a piece for each of their
 * points. */
#include "poly/kernel/kernel.h"

enum {
    MOST_BYTES = 192, /* of an element: a block holds one a thread in its shared memory */
    LEAST_PIECE = 32  /* a thread sorts fewer elements by itself */
};

static int64_t bytes_of(const struct poly_scop *s, int array)
{
    const struct rg_carray *a = &s->tree->arrays[array];
    if (a->elem != RG_STRUCT) return (int64_t)rg_scalar_bytes(a->elem);
    return a->struct_index >= 0 && a->struct_index < s->problem->n_structs ? s->problem->structs[a->struct_index].bytes
                                                                           : 0;
}

bool rg__poly_sort_of(const struct poly_scop *s, const struct rg_cnode *n, struct rg_csort *out, int64_t *bytes)
{
    if (n->kind != RG_C_OPAQUE || !rg_c_sort_of(n, out) || out->element->kind != RG_C_INDEX || s->problem->may_alias)
        return false;
    const struct rg_carray *a = &s->tree->arrays[out->element->array];
    *bytes = bytes_of(s, out->element->array);
    for (int d = 0; d < a->n_dims; d++)
        if (!a->dims[d]) return false;
    return *bytes > 0 && *bytes <= MOST_BYTES && !a->constant_table && s->array_decl_loop[out->element->array] < 0;
}

bool rg__poly_grid_sorts(const struct poly_scop *s, const struct rg_cnode *n)
{
    struct rg_csort sort;
    int64_t bytes;
    return n && rg__poly_sort_of(s, n, &sort, &bytes);
}

bool rg__poly_sorts_over(const struct poly_scop *s, const struct rg_cnode *n, const int *dims, int n_dims)
{
    struct rg_csort sort;
    int64_t bytes, length;
    if (!rg__poly_sort_of(s, n, &sort, &bytes)) return false;
    for (int d = 0; d < n_dims; d++)
        if (!s->loops[dims[d]].rectangular || s->loops[dims[d]].step <= 0) return false;
    struct poly_linear hi = rg__poly_linear_of(s->tree, sort.loop->kid[1]),
                       lo = rg__poly_linear_of(s->tree, sort.loop->kid[0]);
    rg__poly_linear_add(&hi, &lo, -1);
    if (!n_dims || !hi.ok || !s->problem->n_sizes) return true;
    struct rg_problem_env env;
    rg_problem_env_init(&env, s->problem, &s->problem->sizes[0]);
    length = hi.k;
    for (int i = 0; i < hi.n; i++) {
        const struct rg_cvar *v = &s->tree->vars[hi.term[i].var];
        int64_t x;
        if (v->kind != RG_CVAR_PARAM || !env.env.name(&env, s->problem->params[v->param].name, &x)) return true;
        length += hi.term[i].c * x;
    }
    return length >= LEAST_PIECE;
}
