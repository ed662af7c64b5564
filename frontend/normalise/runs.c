/* Run-length loops: an iteration goes along a run of elements that are alike, and the next one begins behind it.
 *     while (i < n) { j = i + 1; while (j < n && key[j] == key[i]) j++; ...; i = j; }
 *     for (i = 0; i < n; i++) { while (i + 1 < n && key[i] == key[i + 1]) i++; ... }
 * Where a run begins, neighbours differ, and nowhere else: equality is transitive (where a NaN is, no run goes on
 * either way). So each element asks by itself:
 *     for (h = 0; h < n; h++) if (h == 0 || !(key[h] == key[h - 1])) { j = h + 1; while (...) j++; ... } */
#include "frontend/normalise/canon.h"
#include "frontend/normalise/update_rounds.h"
#include <stdlib.h>

struct runs {
    struct rg_ctree *t;
    struct rg_cnode *loop, *body, *inner;
    int i, j;                           /* variables: where the run begins, how far it goes; form 2: the same */
    const struct rg_cnode *begin, *end; /* of all elements */
    struct rg_cnode *alike;             /* of element `i` and the one in front of it */
    int n_body;                         /* statements that count: without `i = j` */
};

static bool is_var(const struct rg_cnode *e, int var)
{
    e = rg__c_uncast(e, RG__C_INT_CASTS);
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer && e->var == var;
}

static const struct rg_cnode *assigned(const struct rg_cnode *k, int *var)
{
    *var = -1;
    if (k->kind == RG_C_DECL && k->array < 0 && k->n) return *var = k->var, k->kid[0];
    const struct rg_cnode *e = k->kind == RG_C_STMT ? k->kid[0] : NULL;
    if (!e || e->kind != RG_C_ASSIGN || e->op != RG_COP_SET || e->kid[0]->kind != RG_C_VAR || e->kid[0]->array >= 0)
        return NULL;
    return *var = e->kid[0]->var, e->kid[1];
}

/* var + k: k; false: it is none. */
static bool offset(const struct rg_cnode *e, int var, int64_t *k)
{
    e = rg__c_uncast(e, RG__C_INT_CASTS);
    *k = 0;
    if (is_var(e, var)) return true;
    if ((e->op != RG_COP_ADD && e->op != RG_COP_SUB) || e->kid[1]->kind != RG_C_INT || !is_var(e->kid[0], var))
        return false;
    *k = e->op == RG_COP_ADD ? e->kid[1]->ivalue : -e->kid[1]->ivalue;
    return true;
}

static bool counts_by_one(const struct rg_cnode *k, int var)
{
    const struct rg_cnode *e = k && k->kind == RG_C_STMT ? k->kid[0] : k;
    if (!e || !e->n || !is_var(e->kid[0], var)) return false;
    if (e->kind == RG_C_INCDEC) return rg_c_increments(e->op);
    return e->op == RG_COP_ADD_SET && e->kid[1]->kind == RG_C_INT && e->kid[1]->ivalue == 1;
}

static struct rg_cnode *shifted(struct rg_ctree *t, const struct rg_cnode *e, int var, int by, int64_t k)
{
    struct rg_cnode *at = rg__c_var(t, by);
    if (k) at = rg__c_binary(t, k > 0 ? RG_COP_ADD : RG_COP_SUB, at, rg__c_int(t, k > 0 ? k : -k));
    return rg__c_replace_var(t, rg__c_copy(t, e), var, at);
}

/* What a local stands for that the iteration declares in front of the loop along the run, and sets nowhere else. */
static const struct rg_cnode *resolved(const struct runs *r, const struct rg_cnode *e)
{
    const struct rg_cnode *v = rg__c_uncast(e, RG__C_INT_CASTS);
    int var, n = 0;
    if (v->kind != RG_C_VAR || v->array >= 0 || v->pointer || v->var == r->i || v->var == r->j) return e;
    const struct rg_cnode *is = NULL;
    for (int k = 0; k < r->body->n; k++) {
        n += rg__c_writes_var(r->body->kid[k], v->var);
        const struct rg_cnode *value = is ? NULL : assigned(r->body->kid[k], &var);
        if (value && var == v->var && r->body->kid[k]->kind == RG_C_DECL) is = value;
    }
    const bool kept = is && (is->type == v->type || (rg__scalar_is_int(is->type) && rg__scalar_is_int(v->type) &&
                                                     rg_scalar_bytes(v->type) >= 4 && rg_scalar_bytes(is->type) < 4));
    return kept && n == 1 ? is : e;
}

/* The condition, all of which is of equalities of elements j and i, as one of elements i and i - 1; NULL: it is of
 * another form. */
static struct rg_cnode *of_neighbours(const struct runs *r, const struct rg_cnode *c)
{
    struct rg_ctree *t = r->t;
    if (c->op == RG_COP_AND) {
        struct rg_cnode *a = of_neighbours(r, c->kid[0]), *b = a ? of_neighbours(r, c->kid[1]) : NULL;
        return b ? rg__c_binary(t, RG_COP_AND, a, b) : NULL;
    }
    if (c->op != RG_COP_EQ) return NULL;
    for (int side = 0; side < 2; side++) {
        const struct rg_cnode *now = c->kid[side], *first = resolved(r, c->kid[1 - side]);
        if (rg__c_mentions_var(now, r->i) || rg__c_mentions_var(first, r->j) || !rg__c_mentions_var(now, r->j))
            continue;
        if (!rg__c_same(shifted(t, rg__c_uncast(now, RG__C_INT_CASTS), r->j, r->i, 0),
                        rg__c_uncast(first, RG__C_INT_CASTS), RG__C_TYPED))
            continue;
        return rg__c_binary(t, RG_COP_EQ, shifted(t, now, r->j, r->i, 0), shifted(t, now, r->j, r->i, -1));
    }
    return NULL;
}

/* `at < end`, `at < end - 1` for k 1, `at + 1 < end`. */
static bool below(const struct rg_cnode *c, int var, const struct rg_cnode *end, int64_t k)
{
    int64_t plus, minus = 0;
    if (c->op != RG_COP_LT || !offset(c->kid[0], var, &plus)) return false;
    const struct rg_cnode *top = c->kid[1];
    if (!rg__c_same(top, end, RG__C_UNCAST)) {
        if (top->op != RG_COP_SUB || top->kid[1]->kind != RG_C_INT || !rg__c_same(top->kid[0], end, RG__C_UNCAST))
            return false;
        minus = top->kid[1]->ivalue;
    }
    return plus + minus == k;
}

/* The loop along the run. */
static bool along(struct runs *r, struct rg_cnode *in)
{
    const struct rg_cnode *c = in->kid[1];
    if (in->kind != RG_C_FOR || in->kid[0] || !c || !in->kid[2] || c->op != RG_COP_AND) return false;
    const struct rg_cnode *inc = in->kid[2]->kind == RG_C_STMT ? in->kid[2]->kid[0] : in->kid[2];
    if (!inc->n || inc->kid[0]->kind != RG_C_VAR || inc->kid[0]->array >= 0) return false;
    r->j = inc->kid[0]->var;
    if (!counts_by_one(in->kid[2], r->j) || rg__c_writes_var(in->kid[3], r->j)) return false;
    const struct rg_cnode *bound = c->kid[0];
    struct rg_cnode *rest = c->kid[1];
    while (bound->op == RG_COP_AND) { /* (j < n && a) && b */
        rest = rg__c_binary(r->t, RG_COP_AND, bound->kid[1], rest);
        bound = bound->kid[0];
    }
    r->inner = in;
    if (r->j == r->i) { /* asks for the next one: about it and the one in front of it, whatever is asked */
        if (!below(bound, r->i, r->end, 1)) return false;
        r->alike = shifted(r->t, rest, r->i, r->i, -1);
        return true;
    }
    if (!below(bound, r->j, r->end, 0)) return false;
    r->alike = of_neighbours(r, rest);
    return r->alike != NULL;
}

static bool reads_only_inputs(const struct rg_ctree *t, const struct rg_cnode *e, const struct rg_cnode *loop)
{
    if (e->kind == RG_C_INDEX && (e->pointer || rg__writes_array(loop, e->array))) return false;
    if (e->kind == RG_C_CALL || e->op == RG_COP_DEREF || e->op == RG_COP_ADDRESS) return false;
    if (e->kind == RG_C_VAR && (e->array >= 0 || e->pointer)) return false;
    for (int i = 0; i < e->n; i++)
        if (!reads_only_inputs(t, e->kid[i], loop)) return false;
    return true;
}

/* Scalars of e, other than the two, stay what they are in the loop. */
static bool invariant(const struct runs *r, const struct rg_cnode *e)
{
    if (e->kind == RG_C_VAR && e->array < 0 && e->var != r->i && e->var != r->j && rg__c_writes_var(r->loop, e->var))
        return false;
    for (int i = 0; i < e->n; i++)
        if (!invariant(r, e->kid[i])) return false;
    return true;
}

/* How often the scalar is written by statements of the list; those inside others count, too. */
static int writers(struct rg_cnode *const *k, int n, int var)
{
    int count = 0;
    for (int i = 0; i < n; i++) count += rg__c_writes_var(k[i], var);
    return count;
}

static bool shape_of(struct runs *r, const struct rg_cnode *block, int at)
{
    struct rg_cnode *l = block->kid[at];
    const bool is_for = l->kind == RG_C_FOR;
    const struct rg_cnode *c = is_for ? l->kid[1] : l->kid[0], *value;
    int var;
    r->loop = l;
    r->body = is_for ? l->kid[3] : l->kid[1];
    if (!c || c->op != RG_COP_LT || !r->body || r->body->kind != RG_C_BLOCK || r->body->n < 2) return false;
    const struct rg_cnode *i = rg__c_uncast(c->kid[0], RG__C_INT_CASTS);
    if (i->kind != RG_C_VAR || i->array >= 0 || i->pointer) return false;
    r->i = i->var;
    r->end = c->kid[1];
    const bool counted = is_for && l->kid[2];
    if (counted && !counts_by_one(l->kid[2], r->i)) return false;
    if (is_for && l->kid[0]) {
        r->begin = assigned(l->kid[0], &var);
        if (!r->begin || var != r->i) return false;
    } else { /* the last statement in front that sets it */
        for (int k = 0; k < at; k++) {
            value = assigned(block->kid[k], &var);
            if (value && var == r->i)
                r->begin = value;
            else if (rg__c_writes_var(block->kid[k], r->i))
                r->begin = NULL;
        }
        if (!r->begin) return false;
    }
    struct rg_cnode **k = r->body->kid;
    int in = -1;
    for (int n = 0; n < r->body->n && in < 0; n++)
        if (along(r, k[n])) in = n;
    if (in < 0 || (r->j == r->i) != counted) return false;
    r->n_body = r->body->n;
    if (!counted) { /* j = i, or i + 1; ...; i = j; */
        int64_t ahead;
        bool started = false;
        value = assigned(k[r->body->n - 1], &var);
        if (!value || var != r->i || !is_var(value, r->j)) return false;
        r->n_body--;
        for (int n = 0; n < in && !started; n++) {
            value = assigned(k[n], &var);
            started = value && var == r->j && offset(value, r->i, &ahead) && (ahead == 0 || ahead == 1);
            if (!started && rg__c_writes_var(k[n], r->j)) return false;
        }
        if (!started || writers(k, r->n_body, r->j) != 2 || writers(k, r->n_body, r->i)) return false;
    } else if (writers(k, r->n_body, r->i) != 1) {
        return false;
    }
    double from;
    return rg__round_number(r->begin, &from) && from == 0;
}

static bool take(struct rg_ctree *t, struct rg_cnode *block, int at)
{
    struct runs r = {.t = t};
    if (!shape_of(&r, block, at) || rg__leaves_early(r.body) || rg__mentions_kind(r.body, RG_C_VERBATIM) ||
        rg__mentions_kind(r.body, RG_C_LABEL))
        return false;
    if (!reads_only_inputs(t, r.alike, r.loop) || !rg__c_pure(t, r.alike) || !invariant(&r, r.alike) ||
        !reads_only_inputs(t, r.end, r.loop) || !invariant(&r, r.end) || rg__c_mentions_var(r.end, r.i))
        return false;
    /* where it ends is of no interest behind the loop */
    int all = rg__c_count_var(t->root, r.i), here = rg__c_count_var(r.loop, r.i), front = 0;
    for (int k = 0; k < at; k++) front += rg__c_count_var(block->kid[k], r.i);
    int behind = rg__c_count_var(t->root, r.j) - rg__c_count_var(r.loop, r.j);
    if (all != here + front || (r.j != r.i && behind > 0)) return false;
    int h = rg__c_add_var(t, t->vars[r.i].name, RG_CVAR_LOCAL, t->vars[r.i].type), own = -1;
    struct rg__kids body = {0};
    bool inside = false;
    if (r.j == r.i) { /* the run's last element is a local of its own */
        struct rg_cnode *d = rg_cnode_new(t, RG_C_DECL, 1);
        own = rg__c_add_var(t, "last", RG_CVAR_LOCAL, t->vars[r.i].type);
        d->var = own;
        d->type = t->vars[own].type;
        d->kid[0] = rg__c_var(t, h);
        d->line = r.loop->line;
        rg__kids_add(&body, d);
    }
    for (int k = 0; k < r.n_body; k++) {
        inside = inside || r.body->kid[k] == r.inner;
        rg__kids_add(&body, rg__c_replace_var(t, r.body->kid[k], r.i, rg__c_var(t, inside && own >= 0 ? own : h)));
    }
    struct rg_cnode *alike = rg__c_replace_var(t, r.alike, r.i, rg__c_var(t, h));
    struct rg_cnode *first = rg__c_binary(t, RG_COP_EQ, rg__c_var(t, h), rg__c_int(t, 0));
    struct rg_cnode *f = rg_cnode_new(t, RG_C_FOR, 4), *d = rg_cnode_new(t, RG_C_DECL, 1),
                    *x = rg_cnode_new(t, RG_C_IF, 2), *b = rg_cnode_new(t, RG_C_BLOCK, 1);
    d->var = h;
    d->type = t->vars[h].type;
    d->kid[0] = rg__c_cast(t, rg__c_int(t, 0), d->type);
    x->kid[0] = rg__c_binary(t, RG_COP_OR, first, rg__negated(t, alike));
    x->kid[1] = rg__kids_node(t, RG_C_BLOCK, &body);
    b->kid[0] = x;
    f->kid[0] = d;
    f->kid[1] = rg__c_binary(t, RG_COP_LT, rg__c_var(t, h), rg__c_copy(t, r.end));
    f->kid[2] = rg__c_assign(t, RG_COP_ADD_SET, rg__c_var(t, h), rg__c_int(t, 1));
    f->kid[3] = b;
    f->line = d->line = x->line = b->line = x->kid[1]->line = r.loop->line;
    f->column = x->column = r.loop->column;
    block->kid[at] = f;
    return true;
}

static void walk(struct rg_ctree *t, struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n)) return;
    for (int i = 0; i < n->n; i++) {
        struct rg_cnode *k = n->kid[i];
        if (!k) continue;
        if (n->kind == RG_C_BLOCK && (k->kind == RG_C_FOR || k->kind == RG_C_WHILE)) take(t, n, i);
        walk(t, n->kid[i]);
    }
}

void rg__canon_runs(struct rg_ctree *t)
{
    walk(t, t->root);
}
