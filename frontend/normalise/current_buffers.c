/* Two buffers of which a variable from outside says the current one: `grid[cur]` and `grid[!cur]`, where cur is a
 * variable of the file, a member or a parameter. Which buffer is which is known where that is: the function is written
 * for both values it may have, and for others as it stands, and the pass that moves pointers follows it from there:
 *     if (cur == 0) { int now = 0; .. grid[!now] .. now = !now; ..; cur = now; }
 *     else if (cur == 1) { int now = 1; .. } else { .. } */
#include "frontend/normalise/pointer_rotation.h"
#include <stdlib.h>

struct current { /* the variable: an array of one element, or a scalar parameter */
    int array, var;
};

/* More code is not written three times. */
enum { MOST_NODES = 4000 };

static bool names(const struct current *c, const struct rg_cnode *e)
{
    if (e->kind == RG_C_VAR) return c->array < 0 && e->array < 0 && !e->pointer && e->var == c->var;
    return c->array >= 0 && e->kind == RG_C_INDEX && e->array == c->array && e->n == 1 && !e->pointer &&
           rg__moves_is_zero(e->kid[0]);
}

static bool is_number(const struct rg_expr *e, int64_t v)
{
    return e && e->kind == RG_EXPR_INT && e->value == v;
}

/* cur, !cur, 1 - cur, cur ^ 1: does it say which of two? */
static bool one_of_two(const struct current *c, const struct rg_cnode *e)
{
    e = rg__c_uncast(e, RG__C_INT_CASTS);
    if (names(c, e)) return true;
    if (e->op == RG_COP_NOT) return names(c, rg__c_uncast(e->kid[0], RG__C_INT_CASTS));
    bool known = e->op == RG_COP_SUB || e->op == RG_COP_XOR;
    const struct rg_cnode *one = known ? rg__c_uncast(e->kid[e->op == RG_COP_XOR], RG__C_INT_CASTS) : NULL;
    return known && one->kind == RG_C_INT && one->ivalue == 1 &&
           names(c, rg__c_uncast(e->kid[e->op == RG_COP_SUB], RG__C_INT_CASTS));
}

/* Is it the first subscript of an array of two rows, here or as a local that starts with it? */
static bool chooses(const struct rg_ctree *t, const struct current *c, const struct rg_cnode *n)
{
    if (!n) return false;
    if (n->kind == RG_C_INDEX && n->n >= 2) {
        const struct rg_carray *a = &t->arrays[n->array];
        if (a->dims && is_number(a->dims[0], 2) && one_of_two(c, n->kid[0])) return true;
    }
    for (int i = 0; i < n->n; i++)
        if (chooses(t, c, n->kid[i])) return true;
    return false;
}

/* Is the array named as its one element alone, by no address, and does nothing run that might set it unseen? */
static bool plain(const struct rg_ctree *t, const struct current *c, const struct rg_cnode *n)
{
    if (!n) return true;
    if (n->kind == RG_C_VERBATIM || (n->kind == RG_C_CALL && !rg__c_pure(t, n))) return false;
    if (c->array >= 0 && n->array == c->array) return names(c, n);
    if (n->op == RG_COP_ADDRESS && names(c, n->kid[0])) return false;
    for (int i = 0; i < n->n; i++)
        if (!plain(t, c, n->kid[i])) return false;
    return true;
}

static struct rg_cnode *replaced(struct rg_ctree *t, const struct current *c, struct rg_cnode *n,
                                 const struct rg_cnode *by)
{
    if (!n) return NULL;
    if (names(c, n)) return rg__c_copy(t, by);
    for (int i = 0; i < n->n; i++) n->kid[i] = replaced(t, c, n->kid[i], by);
    return n;
}

static struct rg_cnode *value(struct rg_ctree *t, const struct current *c, const struct rg_cnode *at)
{
    struct rg_cnode *zero = rg__c_int(t, 0),
                    *e = c->array >= 0 ? rg__c_index(t, c->array, 1, &zero) : rg__c_var(t, c->var);
    e->line = at->line;
    return e;
}

/* The function's statements, where the variable starts as k. */
static struct rg_cnode *arm(struct rg_ctree *t, const struct current *c, const struct rg_cnode *body, int k)
{
    struct rg__kids all = {0};
    struct rg_cnode *b = rg__c_copy(t, body),
                    *ends = b->n && b->kid[b->n - 1]->kind == RG_C_RETURN ? b->kid[b->n - 1] : NULL;
    bool set = c->array >= 0 && rg__writes_array(body, c->array);
    if (c->array >= 0) {
        int now = rg__c_add_var(t, "now", RG_CVAR_LOCAL, t->arrays[c->array].elem);
        struct rg_cnode *d = rg_cnode_new(t, RG_C_DECL, 1), *v = rg__c_var(t, now);
        d->var = now;
        d->type = t->vars[now].type;
        d->kid[0] = rg__c_cast(t, rg__c_int(t, k), d->type);
        d->line = body->line;
        rg__kids_add(&all, d);
        b = replaced(t, c, b, v);
        for (int i = 0; i < b->n - (ends != NULL); i++) rg__kids_add(&all, b->kid[i]);
        struct rg_cnode *back = rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, value(t, c, body), v));
        back->line = body->line;
        if (set) rg__kids_add(&all, back);
        if (ends) rg__kids_add(&all, b->kid[b->n - 1]);
    } else {
        b = replaced(t, c, b, rg__c_cast(t, rg__c_int(t, k), t->vars[c->var].type));
        for (int i = 0; i < b->n; i++) rg__kids_add(&all, b->kid[i]);
    }
    b = rg__kids_node(t, RG_C_BLOCK, &all);
    b->line = body->line;
    rg__moves_fresh(t, b, b);
    rg__moves_fresh_arrays(t, b, b);
    return b;
}

static bool rewrite(struct rg_ctree *t, const struct current *c)
{
    struct rg_cnode *root = t->root;
    if (root->kind != RG_C_BLOCK || rg__c_size(root) > MOST_NODES || !chooses(t, c, root) || !plain(t, c, root) ||
        (c->array < 0 && rg__c_writes_var(root, c->var)))
        return false;
    int first = 0, last = root->n - (root->n && root->kid[root->n - 1]->kind == RG_C_RETURN);
    while (first < root->n && root->kid[first]->kind == RG_C_DECL && root->kid[first]->array >= 0 &&
           !root->kid[first]->n)
        first++; /* an array is declared once */
    for (int i = first; i < root->n; i++)
        if (rg__moves_gets_memory(t, root->kid[i]) || (i < last && rg__mentions_kind(root->kid[i], RG_C_RETURN)))
            return false;
    struct rg__kids rest = {0}, with = {0};
    for (int i = first; i < root->n; i++) rg__kids_add(&rest, root->kid[i]);
    struct rg_cnode *body = rg__kids_node(t, RG_C_BLOCK, &rest), *otherwise = body;
    body->line = root->line;
    for (int k = 1; k >= 0; k--) {
        struct rg_cnode *x = rg_cnode_new(t, RG_C_IF, 3), *b = otherwise;
        if (b->kind != RG_C_BLOCK) {
            b = rg_cnode_new(t, RG_C_BLOCK, 1);
            b->kid[0] = otherwise;
            b->line = body->line;
        }
        x->kid[0] = rg__c_binary(t, RG_COP_EQ, value(t, c, body), rg__c_int(t, k));
        x->kid[1] = arm(t, c, body, k);
        x->kid[2] = b;
        x->line = body->line;
        otherwise = rg__moves_twins(x);
    }
    rg__kids_add(&with, otherwise);
    rg__block_splice(t, root, first, root->n - first, &with);
    return true;
}

void rg__canon_current(struct rg_ctree *t, const struct rg_problem *p)
{
    if (p->may_alias) return;
    int n_arrays = t->n_arrays, n_vars = t->n_vars;
    for (int a = 0; a < n_arrays; a++) {
        const struct rg_carray *x = &t->arrays[a];
        struct current c = {a, -1};
        if (x->param >= 0 && x->n_dims == 1 && x->dims && is_number(x->dims[0], 1) && rg__scalar_is_int(x->elem) &&
            rg_scalar_bytes(x->elem) >= 4 && rewrite(t, &c))
            return;
    }
    for (int v = 0; v < n_vars; v++) {
        struct current c = {-1, v};
        if (t->vars[v].kind == RG_CVAR_PARAM && !t->vars[v].assigned && rg__scalar_is_int(t->vars[v].type) &&
            rewrite(t, &c))
            return;
    }
}
