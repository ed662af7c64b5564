/* Wrap-around variables: what an iteration reads of a scalar is what the one before it set the scalar to, and that
 * needs nothing of the loop but the iteration's number: `j` of `for (i = 0, j = n - 1; i < n; j = i++)`, `prev = x[i];`
 * at the end of the body. It is computed where it is read, and no iteration waits for another. */
#include "frontend/normalise/canon.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_NODES = 24, MOST_READS = 2 };

struct place { /* the loop, and what it sets the scalar to */
    struct rg_ctree *t;
    const struct rg_cnode *loop, *set;
    int var, at, reads;
};

/* Does the loop write memory that the array is of, by whatever name? */
static bool written(const struct place *p, int array)
{
    const struct rg_ctree *t = p->t;
    for (int a = 0; a < t->n_arrays; a++) {
        bool same = a == array || (t->arrays[array].param >= 0 && t->arrays[a].param == t->arrays[array].param);
        if (same && rg__writes_array(p->loop, a)) return true;
    }
    return false;
}

/* What a local is where the body declares it and sets it nowhere else. */
static const struct rg_cnode *declared_as(const struct place *p, int var)
{
    const struct rg_cnode *body = p->loop->kid[2], *is = NULL;
    for (int i = 0; i < body->n; i++) {
        const struct rg_cnode *s = body->kid[i];
        bool here = s->kind == RG_C_DECL && s->array < 0 && s->var == var;
        if (here && (is || !s->n || i > p->at)) return NULL;
        if (here) is = s->kid[0];
        if (!here && rg__c_writes_var(s, var)) return NULL;
    }
    return is;
}

/* As it is in the iteration before: of this loop's number, outer ones and what does not change. NULL: it needs more. */
static struct rg_cnode *one_before(struct place *p, const struct rg_cnode *e, int depth)
{
    struct rg_ctree *t = p->t;
    if (e->pointer || e->type == RG_STRUCT || depth > 4) return NULL;
    if (e->kind == RG_C_VAR) {
        if (e->array >= 0) return NULL;
        if (e->var == p->loop->var)
            return rg__c_binary(t, RG_COP_SUB, rg__c_var(t, e->var), rg__c_int(t, p->loop->step));
        const struct rg_cnode *is = declared_as(p, e->var);
        if (is) {
            struct rg_cnode *value = one_before(p, is, depth + 1);
            return value ? rg__c_cast(t, value, t->vars[e->var].type) : NULL;
        }
        return rg__c_writes_var(p->loop, e->var) || rg__c_declares(p->loop, e->var) || rg__c_binds(p->loop, e->var)
                   ? NULL
                   : rg__c_copy(t, e);
    }
    if (e->kind == RG_C_INDEX && (written(p, e->array) || ++p->reads > MOST_READS)) return NULL;
    bool known = e->kind == RG_C_INT || e->kind == RG_C_REAL || e->kind == RG_C_INDEX || e->kind == RG_C_UNARY ||
                 e->kind == RG_C_BINARY || e->kind == RG_C_COND || e->kind == RG_C_CAST;
    if (!known || e->op == RG_COP_DEREF || e->op == RG_COP_ADDRESS) return NULL;
    struct rg_cnode *out = rg__c_shallow(&t->arena, e);
    for (int i = 0; i < e->n; i++)
        if (!(out->kid[i] = one_before(p, e->kid[i], depth))) return NULL;
    return out;
}

/* The one statement of the body that sets the scalar; false: something else does as well. */
static bool find_set(struct place *p)
{
    const struct rg_cnode *body = p->loop->kid[2];
    p->set = NULL;
    for (int i = 0; i < body->n; i++) {
        const struct rg_cnode *s = body->kid[i], *a = s->kind == RG_C_STMT ? s->kid[0] : NULL;
        if (!rg__c_writes_var(s, p->var)) continue;
        bool plain = a && a->op == RG_COP_SET && a->kid[0]->kind == RG_C_VAR && a->kid[0]->array < 0 &&
                     a->kid[0]->var == p->var && !rg__c_mentions_var(a->kid[1], p->var);
        if (p->set || !plain) return false;
        p->set = a->kid[1];
        p->at = i;
    }
    return p->set != NULL;
}

static bool scalar(const struct rg_ctree *t, int var)
{
    return t->vars[var].kind == RG_CVAR_LOCAL && t->vars[var].type != RG_STRUCT && !strchr(t->vars[var].c_type, '*');
}

static struct rg_cnode *declare(struct rg_ctree *t, int var, struct rg_cnode *value, const struct rg_cnode *at)
{
    struct rg_cnode *d = rg__c_new(&t->arena, RG_C_DECL, RG_COP_NONE, t->vars[var].type, 1, at);
    d->var = var;
    d->array = -1;
    d->kid[0] = value;
    return d;
}

struct declared {
    struct rg_ctree *t;
    int var;
};

/* What nothing has set is 0, so that keeping it reads nothing that is undefined. */
static bool defined(void *arg, struct rg_cnode *n)
{
    struct declared *d = arg;
    if (n->kind != RG_C_DECL || n->array >= 0 || n->var != d->var || n->n) return true;
    n->n = 1;
    n->kid = rg_arena_alloc(&d->t->arena, sizeof *n->kid);
    n->kid[0] = rg__c_cast(d->t, rg__c_int(d->t, 0), d->t->vars[d->var].type);
    return true;
}

/* Before the loop its value is kept, in it the one that the iteration finds is declared. */
static bool unwrap(struct rg_ctree *t, struct rg_cnode *l, int var, struct rg__kids *before)
{
    struct place p = {t, l, NULL, var, 0, 0};
    struct rg_cnode *body = l->kid[2];
    if (rg__c_declares(l, var) || !find_set(&p)) return false;
    bool read = false;
    for (int i = 0; i < p.at; i++) read |= rg__c_mentions_var(body->kid[i], var);
    if (!read || rg__c_mentions_var(l->kid[0], var) || (l->n > 3 && rg__c_mentions_var(l->kid[3], var))) return false;
    struct rg_cnode *value = one_before(&p, p.set, 0);
    if (!value || rg__c_size(value) > MOST_NODES) return false;
    enum rg_scalar type = t->vars[var].type;
    int first = rg__c_add_var(t, t->vars[var].name, RG_CVAR_LOCAL, type);
    int found = rg__c_add_var(t, t->vars[var].name, RG_CVAR_LOCAL, type);
    struct declared undefined = {t, var};
    rg__c_walk(t->root, defined, &undefined);
    rg__kids_add(before, declare(t, first, rg__c_var(t, var), l));
    struct rg_cnode *c = rg__c_new(&t->arena, RG_C_COND, RG_COP_NONE, type, 3, l);
    c->kid[0] = rg__c_binary(t, RG_COP_EQ, rg__c_var(t, l->var), rg__c_copy(t, l->kid[0]));
    c->kid[1] = rg__c_var(t, first);
    c->kid[2] = rg__c_cast(t, value, type);
    for (int i = 0; i < p.at; i++) body->kid[i] = rg__c_replace_var(t, body->kid[i], var, rg__c_var(t, found));
    struct rg__kids with = {0};
    rg__kids_add(&with, declare(t, found, c, l));
    rg__block_splice(t, body, 0, 0, &with);
    return true;
}

static void walk(struct rg_ctree *t, struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n)) return;
    for (int i = 0; i < n->n; i++) walk(t, n->kid[i]);
    for (int i = 0; i < n->n && n->kind == RG_C_BLOCK; i++) {
        struct rg_cnode *l = n->kid[i];
        if (l->kind != RG_C_LOOP || l->kid[2]->kind != RG_C_BLOCK || rg__continues_loop(l->kid[2])) continue;
        struct rg__kids with = {0};
        if (!rg__c_pure(t, l->kid[0]) || rg__mentions_kind(l, RG_C_VERBATIM)) continue;
        for (bool more = true; more;) { /* before = prev; prev = x[i]; */
            more = false;
            for (int v = 0, n_vars = t->n_vars; v < n_vars; v++)
                if (scalar(t, v) && rg__c_writes_var(l->kid[2], v)) more |= unwrap(t, l, v, &with);
        }
        int added = with.n;
        rg__kids_add(&with, l);
        rg__block_splice(t, n, i, 1, &with);
        i += added;
    }
}

void rg__canon_wrapped_values(struct rg_ctree *t)
{
    walk(t, t->root);
}
