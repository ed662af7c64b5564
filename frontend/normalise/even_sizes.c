/* Red-black sweeps on a ring or torus: points whose coordinates' sum is even and those where it is odd are updated in
 * turn, and neighbours wrap around (`u[(i + 1) % n]`). Where n is even, neighbours across the seam are of the other
 * colour, too, and the points of a colour do not depend on one another; where it is odd, they do. So the kernel is for
 * even sizes where the user gives no others: dependence tests read it off the requirement (poly/analysis/modular.c). */
#include "frontend/infer/infer.h"
#include "frontend/normalise/even_sizes.h"
#include <stdlib.h>

struct colours { /* of a loop nest */
    const struct rg_ctree *t;
    bool parity;   /* half of its points are done: by a remainder of 2, or in steps of 2 */
    bool *written; /* by array */
    bool *wraps;   /* by variable: what subscripts of such arrays wrap around at */
};

static bool of_iterators(const struct rg_ctree *t, const struct rg_cnode *e)
{
    if (e->kind == RG_C_VAR && e->array < 0 && t->vars[e->var].kind == RG_CVAR_ITER) return true;
    for (int i = 0; i < e->n; i++)
        if (of_iterators(t, e->kid[i])) return true;
    return false;
}

static bool look_for_colours(void *arg, struct rg_cnode *n)
{
    struct colours *c = arg;
    bool rest = n->kind == RG_C_BINARY && (n->op == RG_COP_REM || n->op == RG_COP_BAND);
    const struct rg_cnode *by = rest ? rg__c_uncast(n->kid[1], RG__C_INT_CASTS) : NULL;
    if (n->kind == RG_C_LOOP && (n->step == 2 || n->step == -2)) c->parity = true;
    if (by && by->kind == RG_C_INT && by->ivalue == (n->op == RG_COP_REM ? 2 : 1) && of_iterators(c->t, n->kid[0]))
        c->parity = true;
    if ((n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC) && n->kid[0]->kind == RG_C_INDEX)
        c->written[n->kid[0]->array] = true;
    return true;
}

static void mark_params(const struct colours *c, const struct rg_cnode *e)
{
    if (e->kind == RG_C_VAR && e->array < 0 && c->t->vars[e->var].kind == RG_CVAR_PARAM) c->wraps[e->var] = true;
    for (int i = 0; i < e->n; i++) mark_params(c, e->kid[i]);
}

/* `(i + 1) % n`, `i > 0 ? i - 1 : n - 1` */
static void mark_wraps(const struct colours *c, const struct rg_cnode *e)
{
    bool choice = e->kind == RG_C_COND;
    if ((e->op == RG_COP_REM || choice) && of_iterators(c->t, e->kid[0])) {
        for (int i = 1; i < e->n; i++) mark_params(c, e->kid[i]);
        return;
    }
    for (int i = 0; i < e->n; i++) mark_wraps(c, e->kid[i]);
}

static bool look_for_wraps(void *arg, struct rg_cnode *n)
{
    struct colours *c = arg;
    for (int i = 0; n->kind == RG_C_INDEX && c->written[n->array] && i < n->n; i++) mark_wraps(c, n->kid[i]);
    return true;
}

static void nests(struct rg__load *l, struct rg_cnode *n, struct colours *c)
{
    if (!n || (n->kind != RG_C_BLOCK && n->kind != RG_C_IF && n->kind != RG_C_LOOP)) return;
    if (n->kind != RG_C_LOOP) {
        for (int i = 0; i < n->n; i++) nests(l, n->kid[i], c);
        return;
    }
    c->parity = false;
    for (int a = 0; a < c->t->n_arrays; a++) c->written[a] = false;
    rg__c_walk(n, look_for_colours, c);
    if (c->parity) rg__c_walk(n, look_for_wraps, c);
}

enum rg_status rg__even_sizes(struct rg__load *l)
{
    struct colours c = {.t = l->t,
                        .written = rg_xcalloc((size_t)l->t->n_arrays + 1, sizeof(bool)),
                        .wraps = rg_xcalloc((size_t)l->t->n_vars + 1, sizeof(bool))};
    nests(l, l->t->root, &c);
    for (int v = 0; v < l->t->n_vars; v++) {
        const struct rg_expr *even;
        const char *text = rg_arena_printf(&l->p->arena, "%s %% 2 == 0", l->t->vars[v].name);
        if (c.wraps[v] && rg_expr_parse_all(&l->p->arena, text, &even, NULL) == RG_OK && rg__holds(l, even))
            rg__add_require(l->p, even);
    }
    free(c.written);
    free(c.wraps);
    return RG_OK;
}
