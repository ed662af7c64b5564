/* Arrays of which every run writes the same elements (filled_first.c): what is read behind the last write was written
 * by this run, or never. */
#include "frontend/normalise/filled_first_parts.h"

static bool writes_element(const struct rg_cnode *n, int array)
{
    if (n->kind != RG_C_ASSIGN && n->kind != RG_C_INCDEC) return false;
    const struct rg_cnode *to = n->kid[0];
    while (to->kind == RG_C_MEMBER) to = to->kid[0];
    return to->kind == RG_C_INDEX && to->array == array;
}

static int count_writes(const struct rg_cnode *n, int array)
{
    int count = writes_element(n, array);
    for (int i = 0; i < n->n; i++)
        if (n->kid[i]) count += count_writes(n->kid[i], array);
    return count;
}

/* Its address goes nowhere, and nothing but statements gives it values. */
static bool plain_elements(const struct rg__filled_check *c, const struct rg_cnode *n)
{
    bool mentions = (n->kind == RG_C_VAR || n->kind == RG_C_INDEX) && n->array == c->array;
    if (mentions && (n->kind != RG_C_INDEX || n->pointer || n->n != c->n_dims)) return false;
    if (n->kind == RG_C_DECL && n->array == c->array && n->n) return false;
    if (n->kind == RG_C_VERBATIM || n->op == RG_COP_ADDRESS) return false;
    for (int i = 0; i < n->n; i++)
        if (n->kid[i] && !plain_elements(c, n->kid[i])) return false;
    return true;
}

/* Does the value hang on nothing that the loops around change? */
static bool same_each_time(struct rg__filled_check *c, const struct rg_cnode *e, const struct rg_cnode *outermost,
                           int n_around)
{
    struct rg__poly p = rg__poly_of(c->r, e);
    for (int i = 0; i < n_around && !p.bad; i++)
        if (rg__poly_mentions(&p, c->r->loops[i]->var)) return false;
    for (int i = 0; i < p.n && !p.bad; i++)
        for (int k = 0; k < p.terms[i].degree; k++) {
            int v = p.terms[i].var[k];
            if (v >= RG__ATOM) return false;
            /* a loop's own variable goes over what its bounds say */
            if (c->t->vars[v].kind != RG_CVAR_ITER && rg__c_writes_var(outermost, v)) return false;
        }
    return !p.bad;
}

/* Every write below n is done each time, in loops with the same bounds, to the same elements. */
static bool fixed_writes(struct rg__filled_check *c, const struct rg_cnode *n, const struct rg_cnode *outermost,
                         int n_around)
{
    if (!n || !count_writes(n, c->array)) return true;
    if (n->kind == RG_C_LOOP) {
        bool whole = n->n <= 3 && !rg__filled_leaves(n->kid[2]);
        return whole && same_each_time(c, n->kid[0], outermost, n_around) &&
               same_each_time(c, n->kid[1], outermost, n_around) && fixed_writes(c, n->kid[2], outermost, n_around);
    }
    if (n->kind == RG_C_BLOCK) {
        for (int i = 0; i < n->n; i++)
            if (!fixed_writes(c, n->kid[i], outermost, n_around)) return false;
        return true;
    }
    const struct rg_cnode *a = n->kind == RG_C_STMT && n->n == 1 ? n->kid[0] : NULL;
    if (!a || !writes_element(a, c->array) || count_writes(a, c->array) != 1) return false;
    const struct rg_cnode *to = a->kid[0];
    if (to->kind != RG_C_INDEX) return false; /* members of structures are written one by one */
    for (int d = 0; d < to->n; d++)
        if (!same_each_time(c, to->kid[d], outermost, n_around)) return false;
    return true;
}

void rg__filled_find_last(struct rg__filled_check *c, const struct rg_cnode *const *around, int n_around)
{
    const struct rg_cnode *body = c->body, *root = c->t->root;
    c->last = -1;
    if (!n_around || body->kind != RG_C_BLOCK || rg__filled_leaves(body) || !plain_elements(c, root) ||
        count_writes(root, c->array) != count_writes(body, c->array) || !fixed_writes(c, body, around[0], n_around))
        return;
    for (int i = 0; i < body->n; i++)
        if (count_writes(body->kid[i], c->array)) c->last = i;
}
