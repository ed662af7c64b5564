/* Scalar replacement along a counter: sums of the runs of one key.
 *     sum[0] = v[0];
 *     for i: if (key[i] != key[i - 1]) { m++; sum[m] = v[i]; } else sum[m] += v[i];
 * The loop is at one element at a time, which gets its first value where the counter has moved on and is left for good
 * where it moves on again. So the element is a scalar, stored when it is left:
 *     s = sum[0];
 *     for i: if (key[i] != key[i - 1]) { sum[m] = s; m++; s = v[i]; } else s += v[i];
 *     sum[m] = s;
 * What is left are a counter and a sum that begins anew on conditions: a scan. So it is with extremes (`if (v[i] >
 * most[m]) most[m] = v[i];`) and whatever else reads the element and sets it. */
#include "frontend/normalise/canon.h"
#include "frontend/normalise/update_rounds.h"
#include <stdlib.h>

struct counted {
    struct rg_ctree *t;
    struct rg_cnode *block, *loop;
    int at, array, var;        /* the loop in the block; the counter */
    struct rg_cnode *moves_in; /* the block in which the counter moves on */
    int moves_at;
    double first; /* what it is in front of the loop */
    int n_sums;
    bool failed;
};

static bool is_var(const struct rg_cnode *e, int var)
{
    e = rg__c_uncast(e, RG__C_INT_CASTS);
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer && e->var == var;
}

static bool steps(const struct rg_cnode *s, int var)
{
    const struct rg_cnode *e = s->kind == RG_C_STMT ? s->kid[0] : NULL;
    if (!e || !e->n || !is_var(e->kid[0], var)) return false;
    if (e->kind == RG_C_INCDEC) return rg_c_increments(e->op);
    return e->op == RG_COP_ADD_SET && e->kid[1]->kind == RG_C_INT && e->kid[1]->ivalue == 1;
}

/* sum[m] op= value, or with `set` sum[m] = value, where a local is the only subscript: the local; -1. */
static int sum_at(const struct rg_cnode *e, bool set)
{
    bool update = e->kind == RG_C_INCDEC || (e->kind == RG_C_ASSIGN && (set || e->op != RG_COP_SET));
    const struct rg_cnode *to = update ? e->kid[0] : NULL;
    if (!to || to->kind != RG_C_INDEX || to->n != 1 || to->pointer || to->type == RG_STRUCT) return -1;
    const struct rg_cnode *at = rg__c_uncast(to->kid[0], RG__C_INT_CASTS);
    return at->kind == RG_C_VAR && at->array < 0 && !at->pointer ? at->var : -1;
}

/* Is an element of the array asked for, not only set? */
static bool reads(const struct rg_cnode *n, int array)
{
    if (!n) return false;
    if (n->kind == RG_C_INDEX && n->array == array) return true;
    const bool set = n->kind == RG_C_ASSIGN && n->op == RG_COP_SET && n->kid[0]->kind == RG_C_INDEX;
    for (int i = 0; i < n->n; i++)
        if (set && i == 0 ? reads(n->kid[0]->kid[0], array) : reads(n->kid[i], array)) return true;
    return false;
}

static bool find_sum(const struct rg_cnode *n, int array, bool set, int *var)
{
    if (!n) return false;
    if (rg__c_is_expr(n) && n->n && sum_at(n, set) >= 0 && n->kid[0]->array == array)
        return *var = sum_at(n, set), true;
    for (int i = 0; i < n->n; i++)
        if (find_sum(n->kid[i], array, set, var)) return true;
    return false;
}

static void look(struct counted *c, struct rg_cnode *n)
{
    if (!n || c->failed) return;
    if (n->kind == RG_C_VERBATIM || n->kind == RG_C_OPAQUE || n->kind == RG_C_RETURN || n->kind == RG_C_BREAK ||
        (n->kind == RG_C_DECL && n->array == c->array) || (n->kind == RG_C_VAR && n->array == c->array) ||
        (n->op == RG_COP_ADDRESS && rg__c_mentions_array(n, c->array)))
        c->failed = true;
    if (n->kind == RG_C_INDEX && n->array == c->array && (n->n != 1 || n->pointer || !is_var(n->kid[0], c->var)))
        c->failed = true;
    if (rg__c_is_expr(n) && n->n && sum_at(n, true) == c->var && n->kid[0]->array == c->array) c->n_sums++;
    for (int i = 0; i < n->n; i++) {
        if (n->kind != RG_C_BLOCK || !rg__c_writes_var(n->kid[i], c->var)) {
            if (n->kind == RG_C_LOOP && n->n == 4 && rg__c_mentions_array(n, c->array)) c->failed = true;
            if (rg__c_is_expr(n) && (n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC) && is_var(n->kid[0], c->var))
                c->failed = true;
            look(c, n->kid[i]);
        } else if (steps(n->kid[i], c->var)) {
            c->failed |= c->moves_in != NULL;
            c->moves_in = n;
            c->moves_at = i;
        } else {
            look(c, n->kid[i]);
        }
    }
}

/* Behind the step the element gets its value before anybody asks for it. */
static bool begins_anew(const struct counted *c)
{
    for (int i = c->moves_at + 1; i < c->moves_in->n; i++) {
        const struct rg_cnode *k = c->moves_in->kid[i], *e = k->kind == RG_C_STMT ? k->kid[0] : NULL;
        if (!rg__c_mentions_array(k, c->array)) continue;
        return e && e->op == RG_COP_SET && e->kid[0]->kind == RG_C_INDEX && e->kid[0]->array == c->array &&
               !rg__c_mentions_array(e->kid[1], c->array);
    }
    return false;
}

/* What the counter is in front of the loop; and that the element has a value there. */
static bool begun(struct counted *c)
{
    bool known = false, stored = false, numbered = false;
    double number = 0; /* of the last element that a number names */
    for (int i = 0; i < c->at; i++) {
        const struct rg_cnode *k = c->block->kid[i], *e = k->kind == RG_C_STMT ? k->kid[0] : NULL;
        if (k->kind == RG_C_DECL && k->array < 0 && k->var == c->var && k->n) {
            known = rg__round_number(k->kid[0], &c->first);
            stored = false;
        } else if (e && e->op == RG_COP_SET && is_var(e->kid[0], c->var)) {
            known = rg__round_number(e->kid[1], &c->first);
            stored = false;
        } else if (rg__c_writes_var(k, c->var)) {
            known = false;
        } else if (e && e->op == RG_COP_SET && e->kid[0]->kind == RG_C_INDEX && e->kid[0]->array == c->array &&
                   e->kid[0]->n == 1) {
            double at;
            stored = stored || is_var(e->kid[0]->kid[0], c->var);
            if (rg__round_number(e->kid[0]->kid[0], &at)) numbered = true, number = at;
        }
    }
    return known && (c->first < 0 || stored || (numbered && number == c->first));
}

static void replace(struct rg_ctree *t, struct rg_cnode *n, int array, int var)
{
    for (int i = 0; n && i < n->n; i++) {
        if (n->kid[i] && n->kid[i]->kind == RG_C_INDEX && n->kid[i]->array == array)
            n->kid[i] = rg__c_var(t, var);
        else
            replace(t, n->kid[i], array, var);
    }
}

/* What a condition's name stands for, declared in front of statement `at`, where nothing lies between. */
static struct rg_cnode *named(struct rg_ctree *t, const struct rg_cnode *block, int at, struct rg_cnode *cond)
{
    const struct rg_cnode *v = rg__c_uncast(cond, RG__C_INT_CASTS), *d = at > 0 ? block->kid[at - 1] : NULL;
    const bool own = d && v->kind == RG_C_VAR && v->array < 0 && d->kind == RG_C_DECL && d->array < 0 && d->n &&
                     d->var == v->var && rg__c_pure(t, d->kid[0]);
    return own ? rg__c_copy(t, d->kid[0]) : cond;
}

/* if (v > s) s = v; of the scalar: s = v > s ? v : s; */
static void as_values(struct rg_ctree *t, struct rg_cnode *n, int var)
{
    if (!n || rg__c_is_expr(n)) return;
    for (int i = 0; i < n->n; i++) {
        struct rg_cnode *k = n->kid[i], *arm = k && k->kind == RG_C_IF && k->n == 2 ? k->kid[1] : NULL,
                        *set = arm && arm->kind == RG_C_BLOCK && arm->n == 1 ? arm->kid[0] : NULL,
                        *e = set && set->kind == RG_C_STMT ? set->kid[0] : NULL;
        if (n->kind != RG_C_BLOCK || !e || e->op != RG_COP_SET || !is_var(e->kid[0], var) ||
            !rg__c_pure(t, e->kid[1])) {
            as_values(t, k, var);
            continue;
        }
        struct rg_cnode *c = rg_cnode_new(t, RG_C_COND, 3);
        c->type = t->vars[var].type;
        c->kid[0] = named(t, n, i, k->kid[0]);
        c->kid[1] = rg__c_cast(t, e->kid[1], c->type);
        c->kid[2] = rg__c_var(t, var);
        e->kid[1] = c;
        n->kid[i] = set;
    }
}

static const struct rg_cnode *if_of(const struct rg_cnode *n, const struct rg_cnode *arm)
{
    if (!n || rg__c_is_expr(n)) return NULL;
    if (n->kind == RG_C_IF && n->kid[1] == arm) return n;
    for (int i = 0; i < n->n; i++) {
        const struct rg_cnode *x = if_of(n->kid[i], arm);
        if (x) return x;
    }
    return NULL;
}

static bool in_first(const struct rg_cnode *e, const struct rg_cnode *loop)
{
    e = rg__c_uncast(e, RG__C_CASTS);
    if (e->op == RG_COP_OR) return in_first(e->kid[0], loop) || in_first(e->kid[1], loop);
    return e->op == RG_COP_EQ && is_var(e->kid[0], loop->var) && rg__c_same(e->kid[1], loop->kid[0], RG__C_UNCAST);
}

/* A counter that begins below 0 moves on in the first iteration for sure: `if (i == 0 || ..)`. */
static bool first_moves(const struct counted *c)
{
    const struct rg_cnode *x = if_of(c->loop->kid[2], c->moves_in);
    bool own = false; /* in every iteration that asks */
    for (int i = 0; x && i < c->loop->kid[2]->n; i++) own = own || c->loop->kid[2]->kid[i] == x;
    return own && c->first == -1 && in_first(x->kid[0], c->loop);
}

/* sum[m] = s; with a counter that begins below 0, where there is an element. */
static struct rg_cnode *leave(const struct counted *c, int s, bool behind)
{
    struct rg_ctree *t = c->t;
    struct rg_cnode *m = rg__c_var(t, c->var);
    struct rg_cnode *k = rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_index(t, c->array, 1, &m), rg__c_var(t, s)));
    k->line = c->loop->line;
    k->column = c->loop->column;
    if (c->first >= 0) return k;
    struct rg_cnode *x = rg_cnode_new(t, RG_C_IF, 2), *b = rg_cnode_new(t, RG_C_BLOCK, 1);
    struct rg_cnode *low = rg__c_copy(t, c->loop->kid[0]);
    x->kid[0] = behind ? rg__c_binary(t, c->loop->step > 0 ? RG_COP_LT : RG_COP_GT, low, rg__c_copy(t, c->loop->kid[1]))
                       : rg__c_binary(t, RG_COP_NE, rg__c_var(t, c->loop->var), low);
    x->kid[1] = b;
    b->kid[0] = k;
    x->line = b->line = c->loop->line;
    return x;
}

static bool take(struct rg_ctree *t, const struct rg_problem *p, struct rg_cnode *block, int *at, int array)
{
    const struct rg_carray *a = &t->arrays[array];
    struct counted c = {.t = t, .block = block, .loop = block->kid[*at], .at = *at, .array = array};
    if (a->view || a->is_const || a->constant_table || (a->param >= 0 && p->may_alias) || a->elem == RG_STRUCT ||
        (!find_sum(c.loop->kid[2], array, false, &c.var) &&
         !(reads(c.loop->kid[2], array) && find_sum(c.loop->kid[2], array, true, &c.var))) ||
        t->vars[c.var].kind != RG_CVAR_LOCAL || !rg__scalar_is_int(t->vars[c.var].type) || c.var == c.loop->var)
        return false;
    look(&c, c.loop->kid[2]);
    if (c.failed || !c.n_sums || !c.moves_in || c.moves_in == c.loop->kid[2] || !begins_anew(&c) || !begun(&c) ||
        (c.first < 0 && !first_moves(&c)))
        return false;
    int s = rg__c_add_var(t, a->name, RG_CVAR_LOCAL, a->elem);
    struct rg_cnode *d = rg_cnode_new(t, RG_C_DECL, 1), *m = rg__c_var(t, c.var);
    d->var = s;
    d->type = a->elem;
    d->kid[0] = c.first >= 0 ? rg__c_index(t, array, 1, &m) : rg__c_cast(t, rg__c_int(t, 0), a->elem);
    d->line = c.loop->line;
    d->column = c.loop->column;
    replace(t, c.loop, array, s);
    as_values(t, c.loop->kid[2], s);
    struct rg__kids left = {0}, front = {0}, behind = {0};
    rg__kids_add(&left, leave(&c, s, false));
    rg__block_splice(t, c.moves_in, c.moves_at, 0, &left);
    rg__kids_add(&behind, leave(&c, s, true));
    rg__block_splice(t, block, *at + 1, 0, &behind);
    rg__kids_add(&front, d);
    rg__block_splice(t, block, *at, 0, &front);
    *at += 1;
    return true;
}

void rg__canon_counted_elements(struct rg_ctree *t, const struct rg_problem *p)
{
    struct rg_cnode *stack[64];
    int top = 0;
    stack[top++] = t->root;
    while (top) {
        struct rg_cnode *n = stack[--top];
        for (int i = 0; i < n->n; i++) {
            struct rg_cnode *k = n->kid[i];
            if (!k || rg__c_is_expr(k)) continue;
            for (int a = 0;
                 n->kind == RG_C_BLOCK && n->kid[i]->kind == RG_C_LOOP && n->kid[i]->n == 3 && a < t->n_arrays; a++)
                take(t, p, n, &i, a);
            if (top < 64 && (k->kind == RG_C_BLOCK || k->kind == RG_C_IF || k->kind == RG_C_LOOP)) stack[top++] = k;
        }
    }
}
