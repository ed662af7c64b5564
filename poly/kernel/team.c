/* Who shares a point's loops: a whole block, or the threads of one column of it where that makes accesses coalesce. */
#include "poly/kernel/kernel.h"

int rg__poly_big_local(const struct poly_program *p, const struct poly_kernel *k)
{
    const struct poly_scop *s = p->scop;
    for (int a = 0; a < s->tree->n_arrays; a++) {
        const struct rg_carray *c = &s->tree->arrays[a];
        if (c->param < 0 && !c->constant_table && !s->array_hidden[a] && s->array_decl_loop[a] >= 0 &&
            rg__poly_knode_uses_array(s, k->body, a, NULL) && !rg__poly_fits_a_thread(s, a))
            return a;
    }
    return -1;
}

/* Loops and conditions around barriers must be the same for all columns. */
static bool in_step(struct poly_program *p, const struct poly_kernel *k, const struct poly_knode *n, int x)
{
    struct poly_scop *s = p->scop;
    if (!n || n->kind == KN_LEAF) return true;
    if (n->kind == KN_IF) return false;
    if (n->kind == KN_LOOP) {
        if (rg__poly_shared_loop(s, k, n->loop)) return true; /* its barriers come after it */
        if (n->node->n > 3) return false;
        for (int b = 0; b < 2; b++) {
            if (rg__poly_mentions_loop(s, n->node->kid[b], k->dims[x])) return false;
            for (int a = 0; a < k->n_alias; a++)
                if (k->alias[a].dim == x && rg__poly_mentions_loop(s, n->node->kid[b], k->alias[a].loop)) return false;
        }
    }
    for (int i = 0; i < n->n; i++)
        if (!in_step(p, k, n->kid[i], x)) return false;
    return true;
}

static bool columns_ok(struct poly_program *p, const struct poly_kernel *k, int x)
{
    const struct poly_scop *s = p->scop;
    const struct poly_loop *l = &s->loops[k->dims[x]];
    if (l->step != 1 || rg__poly_big_local(p, k) >= 0) return false;
    for (int d = 0; d < k->n_dims; d++) {
        const struct rg_cnode *n = s->loops[k->dims[d]].node;
        if (d == x) { /* counted from its own bound */
            for (int o = 0; o < k->n_dims; o++)
                if (rg__poly_mentions_loop(s, n->kid[0], k->dims[o])) return false;
        } else if (rg__poly_mentions_loop(s, n->kid[0], k->dims[x]) ||
                   rg__poly_mentions_loop(s, n->kid[1], k->dims[x])) {
            return false;
        }
    }
    return in_step(p, k, k->body, x);
}

enum poly_team rg__poly_choose_team(struct poly_program *p, struct poly_kernel *k, const struct poly_knode *loop)
{
    struct poly_kernel c = *k;
    for (int d = 0; d < k->n_dims; d++) k->axis[d] = k->n_dims - 1 - d;
    if (!k->n_dims) return POLY_TEAM_BLOCK;
    rg__poly_coalesce(p, &c);
    int x = 0, unit, far, own_unit, own_far, vars[8], n = 0;
    while (c.axis[x] != 0) x++;
    vars[n++] = p->scop->loops[k->dims[x]].var;
    for (int a = 0; a < k->n_alias && n < 8; a++)
        if (k->alias[a].dim == x) vars[n++] = p->scop->loops[k->alias[a].loop].var;
    rg__poly_stride_score(p, k, loop, vars, n, &unit, &far);
    rg__poly_stride_score(p, k, loop, &p->scop->loops[loop->loop].var, 1, &own_unit, &own_far);
    if (unit - 2 * far <= own_unit - 2 * own_far || !columns_ok(p, k, x)) return POLY_TEAM_BLOCK;
    for (int d = 0; d < k->n_dims; d++) k->axis[d] = c.axis[d];
    return POLY_TEAM_COLUMN;
}
