/* Each iteration's share of a sum that a loop carries, in a scalar of its own that is added at the iteration's end:
 *     for i: for j: { f[j] -= g; e += d; }    as    for i: { part = 0; for j: { f[j] -= g; part += d; } e += part; }
 * The loop can then be cut in front of what adds: what is left carries no sum, and the sum is a loop of its own. */
#include "poly/kernel/mapping.h"
#include "poly/reorder/make_nodes.h"
#include "poly/reorder/reorder.h"
#include "poly/reorder/scheduler.h"
#include <stdlib.h>

enum { MAX_SUMS = 4 };

static bool is_sum(struct poly_scop *s, int loop, int var)
{
    const struct rg_cvar *v = &s->tree->vars[var];
    return v->kind == RG_CVAR_LOCAL && v->type != RG_STRUCT && v->type != RG_BOOL && !s->var_hidden[var] &&
           s->written[loop][var] && !rg__poly_scalar_private(s, loop, var) && !rg__c_decides(s->tree->root, var) &&
           rg__poly_reduced(s, loop, -1, var) == POLY_OP_ADD;
}

const struct rg_ctree *rg__poly_partial_sums(struct poly_scop *s, int loop, int *at, struct rg_arena *arena)
{
    const struct rg_cnode *l = s->loops[loop].node;
    int sum[MAX_SUMS], part[MAX_SUMS], n = 0;
    struct poly_items body = {0};
    for (int v = 0; v < s->tree->n_vars; v++) {
        if (!is_sum(s, loop, v)) continue;
        if (n == MAX_SUMS) return NULL;
        sum[n++] = v;
    }
    if (l->n > 3 || !n) return NULL;
    struct rg_ctree *t = rg_arena_alloc(arena, sizeof *t);
    struct poly_maker m = {.s = s, .a = arena, .t = t, .at = l};
    *t = *s->tree;
    rg__poly_flatten(&body, l->kid[2]);
    const struct rg_cnode **item = rg_arena_alloc(arena, sizeof *item * (size_t)(body.n + 2 * n));
    for (int i = 0; i < body.n; i++) item[n + i] = body.at[i];
    for (int k = 0; k < n; k++) {
        part[k] = rg__poly_make_scalar(&m, sum[k], "part");
        struct rg_cnode *zero = rg__poly_make_int(&m, 0), *share = rg__poly_make_var(&m, part[k]);
        if (rg_scalar_is_real(share->type)) zero = rg__poly_make(&m, RG_C_CAST, RG_COP_NONE, share->type, 1, &zero);
        struct rg_cnode *d = rg__poly_make(&m, RG_C_DECL, RG_COP_NONE, share->type, 1, &zero),
                        *add = rg__poly_make_two(&m, RG_C_ASSIGN, RG_COP_ADD_SET, rg__poly_make_var(&m, sum[k]), share);
        d->var = part[k];
        for (int i = 0; i < body.n; i++) item[n + i] = rg__poly_with_var(&m, item[n + i], sum[k], part[k]);
        item[k] = d;
        item[n + body.n + k] = rg__poly_make(&m, RG_C_STMT, RG_COP_NONE, share->type, 1, &add);
    }
    *at = n + body.n;
    struct rg_cnode *with = rg__c_shallow(arena, l);
    with->kid[2] = rg__poly_block_of(arena, item, 2 * n + body.n, l);
    t->root = rg__poly_tree_with(arena, t->root, l, with);
    free(body.at);
    return t;
}
