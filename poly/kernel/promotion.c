/* Scalar promotion: an array element that stays the same over a thread's loop is held in a register there and stored
 * behind it, whatever the conditions inside say. Where not every iteration of the parallel loops writes its element,
 * that makes stores that the C does not make: they must meet nothing of another thread's. */
#include "poly/kernel/kernel.h"

struct search {
    const struct poly_program *p;
    const struct poly_kernel *k;
    const struct poly_access *held;
    int loop; /* of the register */
    const int *keep;
    int n_keep;
    bool meets;
};

/* The loop around the statement that is the kernel's d-th dimension; -1. */
static int dim_loop(const struct search *x, int stmt, int d)
{
    const struct poly_scop *s = x->p->scop;
    for (int l = s->stmts[stmt].loop; l >= 0; l = s->loops[l].parent) {
        if (l == x->k->dims[d])
            return l;
        for (int i = 0; i < x->k->n_alias; i++)
            if (x->k->alias[i].loop == l && x->k->alias[i].dim == d)
                return l;
    }
    return -1;
}

static bool is_host(const struct poly_kernel *k, int loop)
{
    for (int h = 0; h < k->n_host; h++)
        if (k->host[h] == loop)
            return true;
    return false;
}

/* Do two values of the loop's variable always mean two elements? A subscript that moves by it and by nothing else that
 * may differ says so. */
static bool told_apart(const struct search *x, const struct poly_access *b, int loop_a, int loop_b, bool all_fixed)
{
    const struct poly_scop *s = x->p->scop;
    if (loop_a != loop_b || b->n_subs != x->held->n_subs)
        return false;
    for (int d = 0; d < b->n_subs; d++) {
        const struct poly_linear *l = &x->held->sub[d];
        bool alone = l->ok && b->sub[d].ok && rg__poly_linear_equal(l, &b->sub[d]) &&
                     rg__poly_linear_coef(l, s->loops[loop_a].var);
        for (int t = 0; alone && t < l->n; t++)
            for (int i = s->stmts[b->stmt].loop; i >= 0; i = s->loops[i].parent)
                if (i != loop_a && s->loops[i].var == l->term[t].var && !is_host(x->k, i) &&
                    !(all_fixed && rg__poly_loop_inside(s, loop_a, i)))
                    alone = false;
        if (alone)
            return true;
    }
    return false;
}

static bool apart(const struct search *x, const struct poly_access *b, int loop_a, int loop_b, bool all_fixed)
{
    struct poly_scop *s = x->p->scop;
    int fixed[POLY_MAX_DEPTH], n = 0;
    if (told_apart(x, b, loop_a, loop_b, all_fixed))
        return true;
    for (int l = s->loops[loop_a].parent; l >= 0; l = s->loops[l].parent)
        if (all_fixed || is_host(x->k, l))
            fixed[n++] = l;
    bool inside = rg__poly_loop_inside(s, s->stmts[b->stmt].loop, x->loop);
    return !rg__poly_hulls_meet(s, x->held, b, inside, x->keep, x->n_keep, loop_a, loop_b, fixed, n);
}

static bool against(void *arg, const struct poly_knode *k)
{
    struct search *x = arg;
    const struct poly_scop *s = x->p->scop;
    int id = k->kind == KN_LEAF && !x->meets ? rg__poly_stmt_of(s, k->node) : -1;
    for (int i = 0; id >= 0 && i < s->stmts[id].n_accesses && !x->meets; i++) {
        const struct poly_access *b = &s->accesses[s->stmts[id].first_access + i];
        if (b->array != x->held->array)
            continue;
        for (int d = 0; d < x->k->n_dims && !x->meets; d++) {
            int la = dim_loop(x, x->held->stmt, d), lb = dim_loop(x, id, d);
            x->meets = la < 0 || lb < 0 || !apart(x, b, la, lb, false);
        }
    }
    return !x->meets;
}

/* The loops around the register's that a team shares, from the kernel's body down; a barrier stands between two
 * iterations of what is around such a loop. */
static bool shared(struct search *x, const struct poly_knode *k)
{
    struct poly_scop *s = x->p->scop;
    if (!k || x->meets)
        return false;
    if (k->kind == KN_LOOP && k->loop == x->loop)
        return true;
    bool here = false;
    for (int i = 0; i < k->n && !here; i++)
        here = shared(x, k->kid[i]);
    if (!here || k->kind != KN_LOOP || x->k->form == POLY_THREADS || x->k->form == POLY_SINGLE ||
        rg__poly_share_of_node(s, x->k, k) == POLY_SHARE_NONE)
        return here;
    const struct poly_loop *l = &s->loops[k->loop];
    for (int i = l->first_stmt; i < l->first_stmt + l->n_stmts; i++)
        for (int u = 0; u < s->stmts[i].n_accesses && !x->meets; u++) {
            const struct poly_access *b = &s->accesses[s->stmts[i].first_access + u];
            if (b->array == x->held->array)
                x->meets = !apart(x, b, k->loop, k->loop, true);
        }
    return here;
}

bool rg__poly_store_meets(const struct poly_program *p, const struct poly_kernel *k, int loop,
                          const struct poly_access *held, const int *keep, int n_keep)
{
    struct search x = {.p = p, .k = k, .held = held, .loop = loop, .keep = keep, .n_keep = n_keep};
    shared(&x, k->body);
    if (!x.meets)
        rg__poly_knode_walk(k->body, against, &x);
    return x.meets;
}
