/* The pieces that rounds and loops of order-free stores are made anew of: copies of what elements were, flags as
 * elements that many may store to at once. */
#include "frontend/normalise/update_rounds.h"

static bool scalar(const struct rg_cnode *e)
{
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer;
}

/* Reads of the variable below n; all of them must ask whether it is 0, or be left out (`except`). */
bool rg__round_only_asked(const struct rg_cnode *n, int var, bool asked, const struct rg_cnode *except)
{
    if (!n || n == except) return true;
    if (scalar(n) && n->var == var) return asked;
    bool set = (n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC) && scalar(n->kid[0]) && n->kid[0]->var == var;
    for (int i = set ? 1 : 0; i < n->n; i++) {
        bool ask = n->op == RG_COP_NOT || rg_c_lazy(n->op) ||
                   ((n->kind == RG_C_IF || n->kind == RG_C_COND) && i == 0) || (n->kind == RG_C_CAST && asked) ||
                   (n->kind == RG_C_LOOP && i == 3);
        double v;
        if (set && n->op == RG_COP_SET && rg__c_uncast(n->kid[1], RG__C_CASTS)->kind == RG_C_COND) { /* x = c ? 1 : x */
            const struct rg_cnode *c = rg__c_uncast(n->kid[1], RG__C_CASTS);
            for (int k = 0; k < 3; k++)
                if (!rg__round_only_asked(c->kid[k], var, k == 0 || rg__c_same(c->kid[k], n->kid[0], RG__C_UNCAST),
                                          except))
                    return false;
            continue;
        }
        if (n->kind == RG_C_BINARY && rg_c_relation(n->op) && rg__round_number(n->kid[1 - i], &v) && v == 0) ask = true;
        if (!rg__round_only_asked(n->kid[i], var, ask, except)) return false;
    }
    return true;
}

struct rg_cnode *rg__round_extent(struct rg_ctree *t, int array, int d)
{
    const struct rg_carray *a = &t->arrays[array];
    return a->dims && a->dims[d] && !(a->partial && !d) ? rg__c_from_expr(t, a->dims[d]) : NULL;
}

/* x / (m k), x / k % m, x % k: the subscripts of element x of rows. */
static void of_element(struct rg_ctree *t, int array, int x, struct rg_cnode **subs)
{
    struct rg_cnode *rest = rg__c_var(t, x);
    for (int d = t->arrays[array].n_dims - 1; d >= 0; d--) {
        struct rg_cnode *n = d ? rg__round_extent(t, array, d) : NULL;
        subs[d] = n ? rg__c_binary(t, RG_COP_REM, rg__c_copy(t, rest), n) : rest;
        if (n) rest = rg__c_binary(t, RG_COP_DIV, rest, rg__c_copy(t, n));
    }
}

void rg__round_flatten(struct rg_ctree *t, int array, const struct rg_cnode *elements)
{
    struct rg_carray *x = &t->arrays[array];
    const struct rg_expr **dims = rg_arena_alloc(&t->arena, sizeof *dims);
    dims[0] = rg__c_to_expr(t, elements, &t->arena);
    x->n_dims = 1;
    x->dims = dims;
}

struct rg_cnode *rg__round_copy_all(struct rg_ctree *t, int to, int from, const struct rg_cnode *at)
{
    int n = t->arrays[to].n_dims, iter[8];
    const int n_from = t->arrays[from].n_dims;
    struct rg_cnode *subs[2][8], *body = rg_cnode_new(t, RG_C_BLOCK, 1);
    for (int d = 0; d < n; d++) {
        iter[d] = rg__c_add_var(t, "i", RG_CVAR_ITER, RG_LLONG);
        for (int k = 0; k < 2; k++) subs[k][d] = rg__c_var(t, iter[d]);
    }
    if (n != n_from) of_element(t, from, iter[0], subs[1]);
    body->kid[0] = rg__c_stmt(
        t, rg__c_assign(t, RG_COP_SET, rg__c_index(t, to, n, subs[0]), rg__c_index(t, from, n_from, subs[1])));
    body->kid[0]->line = at->line;
    body->kid[0]->column = at->column;
    for (int d = n - 1; d >= 0; d--) {
        struct rg_cnode *l = rg_cnode_new(t, RG_C_LOOP, 3);
        l->var = iter[d];
        l->step = 1;
        l->kid[0] = rg__c_cast(t, rg__c_int(t, 0), RG_LLONG);
        l->kid[1] = rg__c_cast(t, rg__round_extent(t, n == n_from ? from : to, d), RG_LLONG);
        l->kid[2] = body;
        l->line = at->line;
        l->column = at->column;
        if (d) {
            body = rg_cnode_new(t, RG_C_BLOCK, 1);
            body->kid[0] = l;
        } else {
            return l;
        }
    }
    return NULL;
}

/* All rows but the last one, and as much of that as there is. */
static void copy_partial(struct rg_ctree *t, int to, int from, const struct rg_cnode *last_row,
                         const struct rg_cnode *at, struct rg__kids *out)
{
    const struct rg_carray *x = &t->arrays[to];
    for (int part = 0; part < 2; part++) {
        struct rg_cnode *rows = rg__c_cast(t, rg__c_from_expr(t, x->dims[0]), RG_LLONG),
                        *one = rg__c_cast(t, rg__c_int(t, 1), RG_LLONG),
                        *all_but = rg__c_binary(t, RG_COP_SUB, rg__c_copy(t, rows), one), *subs[2][2], *body = NULL;
        int iter[2];
        for (int d = 0; d < 2; d++) {
            iter[d] = rg__c_add_var(t, "i", RG_CVAR_ITER, RG_LLONG);
            for (int k = 0; k < 2; k++) subs[k][d] = rg__c_var(t, iter[d]);
        }
        struct rg_cnode *s = rg__c_stmt(
            t, rg__c_assign(t, RG_COP_SET, rg__c_index(t, to, 2, subs[0]), rg__c_index(t, from, 2, subs[1])));
        for (int d = 1; d >= 0; d--) {
            struct rg_cnode *l = rg_cnode_new(t, RG_C_LOOP, 3);
            body = rg_cnode_new(t, RG_C_BLOCK, 1);
            body->kid[0] = s;
            l->var = iter[d];
            l->step = 1;
            l->kid[0] = part && !d ? all_but : rg__c_cast(t, rg__c_int(t, 0), RG_LLONG);
            l->kid[1] = !d     ? part ? rows : all_but
                        : part ? rg__c_cast(t, rg__c_copy(t, last_row), RG_LLONG)
                               : rg__c_cast(t, rg__c_from_expr(t, x->dims[1]), RG_LLONG);
            l->kid[2] = body;
            l->line = s->line = at->line;
            l->column = s->column = at->column;
            s = l;
        }
        rg__kids_add(out, s);
    }
}

bool rg__round_copies(struct rg_ctree *t, int to, int from, const struct rg_cnode *at, struct rg__kids *out)
{
    const struct rg_carray *x = &t->arrays[to], *y = &t->arrays[from];
    const struct rg_carray *p = x->partial ? x : y->partial ? y : NULL;
    if (p && !(p->last_row && x->n_dims == 2 && y->n_dims == 2)) return false;
    if (p)
        copy_partial(t, to, from, p->last_row, at, out);
    else
        rg__kids_add(out, rg__round_copy_all(t, to, from, at));
    return true;
}

int rg__round_another(struct rg_ctree *t, int array, const char *name, const struct rg_cnode *at,
                      struct rg__kids *declarations)
{
    int a = rg__c_add_array(t, rg_arena_printf(&t->arena, "%s_%s", t->arrays[array].name, name), t->arrays[array].elem);
    const struct rg_carray *old = &t->arrays[array];
    struct rg_carray *x = &t->arrays[a];
    x->n_dims = old->n_dims;
    x->dims = old->dims;
    x->mallocd = true;
    x->c_elem = old->c_elem;
    x->struct_index = old->struct_index;
    struct rg_cnode *made = rg_cnode_new(t, RG_C_DECL, 0);
    made->array = a;
    made->type = x->elem;
    made->line = at->line;
    rg__kids_add(declarations, made);
    return a;
}

int rg__round_one_element(struct rg_ctree *t, const char *name, enum rg_scalar type, const struct rg_cnode *at,
                          struct rg__kids *declarations)
{
    int a = rg__c_add_array(t, rg_arena_printf(&t->arena, "%s_at", name), type);
    struct rg_carray *x = &t->arrays[a];
    const struct rg_expr **dims = rg_arena_alloc(&t->arena, sizeof *dims);
    dims[0] = rg__c_to_expr(t, rg__c_int(t, 1), &t->arena);
    x->n_dims = 1;
    x->dims = dims;
    x->mallocd = true;
    struct rg_cnode *made = rg_cnode_new(t, RG_C_DECL, 0);
    made->array = a;
    made->type = x->elem;
    made->line = at->line;
    rg__kids_add(declarations, made);
    return a;
}

struct rg_cnode *rg__round_either(struct rg_ctree *t, struct rg_cnode *c, struct rg_cnode *a, struct rg_cnode *b)
{
    struct rg_cnode *x = rg_cnode_new(t, RG_C_COND, 3);
    x->kid[0] = c;
    x->kid[1] = a;
    x->kid[2] = b;
    x->type = b->type;
    return x;
}

struct rg_cnode *rg__round_raise(struct rg_ctree *t, int array, int64_t to, const struct rg_cnode *at)
{
    struct rg_cnode *zero = rg__c_int(t, 0);
    struct rg_cnode *s = rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_index(t, array, 1, &zero), rg__c_int(t, to)));
    s->line = at->line;
    s->column = at->column;
    return s;
}

/* int is_so = c; if (is_so) flag[0] = 1; without a flag an arm that nothing stands in yet */
void rg__round_if_so(struct rg_ctree *t, struct rg_cnode *c, int flag, const struct rg_cnode *at, struct rg__kids *out)
{
    struct rg_cnode *d = rg_cnode_new(t, RG_C_DECL, 1), *x = rg_cnode_new(t, RG_C_IF, 2),
                    *arm = rg_cnode_new(t, RG_C_BLOCK, flag >= 0);
    d->var = rg__c_add_var(t, "moves", RG_CVAR_LOCAL, RG_I32);
    d->type = RG_I32;
    d->kid[0] = c;
    x->kid[0] = rg__c_var(t, d->var);
    x->kid[1] = arm;
    if (flag >= 0) arm->kid[0] = rg__round_raise(t, flag, 1, at);
    d->line = x->line = arm->line = at->line;
    d->column = x->column = at->column;
    rg__kids_add(out, d);
    rg__kids_add(out, x);
}
