/* Counters that are one ahead of the element in hand:
 *     for i: if (i == 0 || key[i] != key[i - 1]) sum[m++] = v[i]; else sum[m - 1] += v[i];
 * go by the place of that element, which is m - 1 throughout:
 *     for i: if (i == 0 || key[i] != key[i - 1]) { k++; sum[k] = v[i]; } else sum[k] += v[i];
 *     m = k + 1;
 * which passes behind know (counted_elements.c). */
#include "frontend/normalise/doubling.h"
#include "frontend/normalise/update_rounds.h"
#include <stdlib.h>

struct ahead {
    struct rg_ctree *t;
    int var, place;            /* the counter; what goes in its stead */
    struct rg_cnode *moves_in; /* the block that steps it .. */
    int moves_at, begin;       /* .. there, behind stores to elements at it: those from `begin` on */
    bool behind;               /* an element at var - 1 is named */
    bool other;                /* elsewhere in such an array, or all of it */
};

static bool steps(const struct rg_cnode *s, int var)
{
    const struct rg_cnode *e = s->kind == RG_C_STMT ? s->kid[0] : NULL;
    if (!e || !e->n || !rg__doubling_var(e->kid[0], var)) return false;
    if (e->kind == RG_C_INCDEC) return rg_c_increments(e->op);
    return e->op == RG_COP_ADD_SET && rg__doubling_one(e->kid[1]);
}

/* The array whose element at the counter the statement sets; -1. */
static int stores_at(const struct rg_cnode *s, int var)
{
    const struct rg_cnode *e = s->kind == RG_C_STMT ? s->kid[0] : NULL;
    const bool set = e && e->op == RG_COP_SET && e->kid[0]->kind == RG_C_INDEX && e->kid[0]->n == 1;
    return set && !e->kid[0]->pointer && rg__doubling_var(e->kid[0]->kid[0], var) ? e->kid[0]->array : -1;
}

static bool one_behind(const struct rg_cnode *e, int var)
{
    e = rg__c_uncast(e, RG__C_INT_CASTS);
    if (e->kind != RG_C_BINARY || !rg__doubling_var(e->kid[0], var)) return false;
    const struct rg_cnode *by = rg__c_uncast(e->kid[1], RG__C_INT_CASTS);
    return by->kind == RG_C_INT &&
           ((e->op == RG_COP_SUB && by->ivalue == 1) || (e->op == RG_COP_ADD && by->ivalue == -1));
}

/* The only step, in a branch of the loop's body, behind a store. */
static void find_step(struct ahead *x, struct rg_cnode *n)
{
    for (int i = 0; i < n->n; i++) {
        struct rg_cnode *k = n->kid[i];
        if (!k || rg__c_is_expr(k) || k->kind == RG_C_LOOP) continue;
        if (n->kind == RG_C_BLOCK && steps(k, x->var)) {
            x->moves_in = n;
            x->moves_at = x->begin = i;
            while (x->begin > 0 && stores_at(n->kid[x->begin - 1], x->var) >= 0) x->begin--;
        }
        find_step(x, k);
    }
}

/* Is the array one of those that the step's stores set? */
static bool stored(const struct ahead *x, int array)
{
    for (int i = x->begin; i < x->moves_at; i++)
        if (stores_at(x->moves_in->kid[i], x->var) == array) return array >= 0;
    return false;
}

static void look(struct ahead *x, const struct rg_cnode *n)
{
    if (!n || x->other) return;
    if (n->kind == RG_C_VERBATIM || n->kind == RG_C_OPAQUE || (n->kind == RG_C_VAR && stored(x, n->array)))
        x->other = true;
    for (int i = 0; i < n->n && !x->other; i++) {
        const bool store = n == x->moves_in && i >= x->begin && i < x->moves_at;
        look(x, store ? n->kid[i]->kid[0]->kid[1] : n->kid[i]);
    }
    if (n->kind != RG_C_INDEX || !stored(x, n->array)) return;
    const bool own = n->n == 1 && !n->pointer && one_behind(n->kid[0], x->var);
    x->behind |= own;
    x->other |= !own;
}

/* Are those plain arrays that nobody knows by another name? */
static bool plain(const struct ahead *x, const struct rg_problem *p)
{
    for (int i = x->begin; i < x->moves_at; i++) {
        const struct rg_carray *a = &x->t->arrays[stores_at(x->moves_in->kid[i], x->var)];
        if (a->view || a->is_const || a->constant_table || (a->param >= 0 && p->may_alias) || a->elem == RG_STRUCT)
            return false;
    }
    return x->begin < x->moves_at;
}

/* The counter's number in front of block->kid[at]. */
static bool begins_as(const struct rg_cnode *block, int at, int var, double *first)
{
    for (int i = at - 1; i >= 0; i--) {
        const struct rg_cnode *v = rg__doubling_set(block->kid[i], var);
        if (v) return rg__round_number(v, first);
        if (rg__c_writes_var(block->kid[i], var)) return false;
    }
    return false;
}

/* e by the place: m - 1 is it, m the next one. */
static struct rg_cnode *by_place(const struct ahead *x, struct rg_cnode *e)
{
    struct rg_ctree *t = x->t;
    if (e->kind == RG_C_INDEX && e->n == 1 && !e->pointer && one_behind(e->kid[0], x->var)) {
        e->kid[0] = rg__c_var(t, x->place);
        return e;
    }
    for (int i = 0; i < e->n; i++)
        if (e->kid[i]) e->kid[i] = by_place(x, e->kid[i]);
    if (!rg__doubling_var(e, x->var) || e->kind != RG_C_VAR) return e;
    return rg__c_cast(t, rg__c_binary(t, RG_COP_ADD, rg__c_var(t, x->place), rg__c_int(t, 1)), t->vars[x->var].type);
}

static bool take(struct rg_ctree *t, const struct rg_problem *p, struct rg_cnode *block, int *at, int var)
{
    struct rg_cnode *loop = block->kid[*at];
    const enum rg_scalar type = t->vars[var].type;
    struct ahead x = {.t = t, .var = var};
    double first;
    if (t->vars[var].kind != RG_CVAR_LOCAL || !rg__scalar_is_int(type) || rg_scalar_bytes(type) < 4 ||
        var == loop->var || rg__doubling_writes(loop, var) != 1 || rg__c_declares(loop, var))
        return false;
    find_step(&x, loop->kid[2]);
    if (!x.moves_in || x.moves_in == loop->kid[2] || !plain(&x, p)) return false;
    look(&x, loop->kid[2]);
    if (x.other || !x.behind || !begins_as(block, *at, var, &first) || first < 0 || first > 1 << 20) return false;
    /* it may begin below 0 */
    x.place = rg__c_add_var(t, t->vars[var].name, RG_CVAR_LOCAL, type == RG_I32 ? RG_I32 : RG_LLONG);
    struct rg_cnode *step = x.moves_in->kid[x.moves_at];
    for (int i = x.moves_at; i > x.begin; i--) {
        /* what such a store asks the counter for is what it was: the place that it has by now */
        struct rg_cnode *e = x.moves_in->kid[i - 1]->kid[0];
        e->kid[0]->kid[0] = rg__c_var(t, x.place);
        e->kid[1] = rg__c_replace_var(t, e->kid[1], var, rg__c_cast(t, rg__c_var(t, x.place), type));
        x.moves_in->kid[i] = x.moves_in->kid[i - 1];
    }
    x.moves_in->kid[x.begin] = step;
    step->kid[0] = rg__c_assign(t, RG_COP_ADD_SET, rg__c_var(t, x.place), rg__c_int(t, 1));
    by_place(&x, loop->kid[2]);
    struct rg__kids front = {0}, behind = {0};
    rg__kids_add(&front, rg__c_declaration(
                             t, x.place, rg__c_cast(t, rg__c_int(t, (int64_t)first - 1), t->vars[x.place].type), loop));
    struct rg_cnode *next = rg__c_binary(t, RG_COP_ADD, rg__c_var(t, x.place), rg__c_int(t, 1)),
                    *s = rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_var(t, var), rg__c_cast(t, next, type)));
    s->line = loop->line;
    s->column = loop->column;
    rg__kids_add(&behind, s);
    rg__block_splice(t, block, *at + 1, 0, &behind);
    rg__block_splice(t, block, *at, 0, &front);
    *at += 1;
    return true;
}

static void walk(struct rg_ctree *t, const struct rg_problem *p, struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n)) return;
    for (int i = 0; i < n->n; i++) {
        walk(t, p, n->kid[i]);
        const int n_vars = t->n_vars;
        for (int v = 0; v < n_vars && n->kind == RG_C_BLOCK && n->kid[i]->kind == RG_C_LOOP && n->kid[i]->n == 3; v++)
            if (take(t, p, n, &i, v)) break;
    }
}

void rg__canon_counters_ahead(struct rg_ctree *t, const struct rg_problem *p)
{
    walk(t, p, t->root);
}
