/* Lists of iterations: `n = 0; for (v = 0; v < count; v++) if (..) list[n++] = v;`. The counters of a loop are all
 * different, so the elements below n are, until the list is made anew; where everybody who goes through it stays below
 * n, for (k = 0; k < n; k++) { v = list[k];  x[v] = f(x[v]); } no two iterations have one element: rg_carray.distinct
 * tells the dependence analysis. The tree stays as it is. */
#include "frontend/normalise/canon.h"
#include <stdlib.h>

enum { MAX_GUARDS = 32 };

struct list {
    struct rg_ctree *t;
    int array, counter; /* -1: no store has been seen yet */
    int n_fills;
    bool bad;
};

/* Without casts that keep all bits. */
static const struct rg_cnode *kept(const struct rg_cnode *e)
{
    while (e->kind == RG_C_CAST && !e->pointer && rg__scalar_is_int(e->type) && rg__scalar_is_int(e->kid[0]->type) &&
           rg_scalar_bytes(e->type) >= rg_scalar_bytes(e->kid[0]->type))
        e = e->kid[0];
    return e;
}

static int scalar(const struct rg_cnode *e)
{
    e = kept(e);
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer ? e->var : -1;
}

static bool is_var(const struct rg_cnode *e, int var)
{
    return scalar(e) == var && var >= 0;
}

static int mentions(const struct rg_cnode *n, int array)
{
    int c = 0;
    if (!n) return 0;
    if (n->array == array && n->kind != RG_C_DECL) c = 1;
    for (int i = 0; i < n->n; i++) c += mentions(n->kid[i], array);
    return c;
}

static bool is_zero(const struct rg_cnode *e)
{
    e = rg__c_uncast(e, RG__C_INT_CASTS);
    return e->kind == RG_C_INT && e->ivalue == 0;
}

/* var = 0; its declaration, too. */
static bool zeroes(const struct rg_cnode *s, int var)
{
    if (s->kind == RG_C_DECL) return s->array < 0 && s->var == var && s->n == 1 && s->kid[0] && is_zero(s->kid[0]);
    const struct rg_cnode *e = s->kind == RG_C_STMT ? s->kid[0] : NULL;
    return e && e->kind == RG_C_ASSIGN && e->op == RG_COP_SET && is_var(e->kid[0], var) && is_zero(e->kid[1]);
}

static bool counts_one(const struct rg_cnode *s, int var)
{
    const struct rg_cnode *e = s->kind == RG_C_STMT ? s->kid[0] : NULL;
    if (!e || (e->kind != RG_C_INCDEC && e->kind != RG_C_ASSIGN) || !is_var(e->kid[0], var)) return false;
    if (e->kind == RG_C_INCDEC) return rg_c_increments(e->op);
    const struct rg_cnode *by = rg__c_uncast(e->kid[1], RG__C_INT_CASTS);
    return e->op == RG_COP_ADD_SET && by->kind == RG_C_INT && by->ivalue == 1;
}

/* ---- the loops that fill it ---- */

/* list[n] = v; with v the loop's variable, as it is. */
static bool stores(struct list *x, const struct rg_cnode *s, int v)
{
    const struct rg_cnode *e = s->kind == RG_C_STMT ? s->kid[0] : NULL;
    if (!e || e->kind != RG_C_ASSIGN || e->op != RG_COP_SET || e->kid[0]->kind != RG_C_INDEX ||
        e->kid[0]->array != x->array || e->kid[0]->n != 1 || e->kid[0]->pointer || !is_var(e->kid[1], v))
        return false;
    const int at = scalar(e->kid[0]->kid[0]);
    if (at < 0 || x->t->vars[at].kind != RG_CVAR_LOCAL || (x->counter >= 0 && x->counter != at)) return false;
    x->counter = at;
    return rg_scalar_bytes(x->t->arrays[x->array].elem) >= rg_scalar_bytes(x->t->vars[v].type);
}

/* Stores in the loop's body, each with the step of the counter right behind it. */
static int fills_in(struct list *x, const struct rg_cnode *n, int v)
{
    int c = 0;
    if (n->kind == RG_C_OPAQUE && n->n == 1) return fills_in(x, n->kid[0], v);
    if (n->kind != RG_C_BLOCK && n->kind != RG_C_IF) return 0;
    for (int i = n->kind == RG_C_IF; i < n->n; i++) {
        if (!n->kid[i]) continue;
        if (n->kind == RG_C_BLOCK && i + 1 < n->n && stores(x, n->kid[i], v) && counts_one(n->kid[i + 1], x->counter))
            c++;
        else
            c += fills_in(x, n->kid[i], v);
    }
    return c;
}

static int writes(const struct rg_cnode *n, int var)
{
    int c = 0;
    if (!n) return 0;
    if (n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC || n->op == RG_COP_ADDRESS) c = scalar(n->kid[0]) == var;
    for (int i = 0; i < n->n; i++) c += writes(n->kid[i], var);
    return c + ((n->kind == RG_C_DECL || n->kind == RG_C_LOOP) && n->array < 0 && n->var == var);
}

/* Is the loop one that fills the list from its begin? */
static bool fills(struct list *x, const struct rg_cnode *block, int at)
{
    const struct rg_cnode *l = block->kid[at];
    if (l->kind == RG_C_OPAQUE && l->n == 1) l = l->kid[0];
    if (l->kind != RG_C_LOOP || !l->step || !mentions(l, x->array)) return false;
    if (fills_in(x, l->kid[2], l->var) != 1 || mentions(l, x->array) != 1 || writes(l, x->counter) != 1) return false;
    for (int i = at - 1; i >= 0; i--) {
        if (zeroes(block->kid[i], x->counter)) return true;
        if (mentions(block->kid[i], x->array) || rg__c_writes_var(block->kid[i], x->counter)) return false;
    }
    return false;
}

static void look_for_fills(struct list *x, const struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n)) return;
    for (int i = 0; i < n->n; i++) {
        if (n->kind == RG_C_BLOCK && fills(x, n, i))
            x->n_fills++;
        else
            look_for_fills(x, n->kid[i]);
    }
}

/* ---- everybody else ---- */

struct reads {
    struct list *x;
    int n, n_declared;
    const struct rg_cnode *guard[MAX_GUARDS];    /* conditions that hold */
    const struct rg_cnode *declared[MAX_GUARDS]; /* locals that hold conditions */
    int n_loops;
    const struct rg_cnode *loop[MAX_GUARDS];
};

static bool says_below(const struct reads *r, const struct rg_cnode *c, int k, int depth)
{
    c = rg__c_uncast(c, RG__C_INT_CASTS);
    if (c->op == RG_COP_AND) return says_below(r, c->kid[0], k, depth) || says_below(r, c->kid[1], k, depth);
    if (c->op == RG_COP_LT) return is_var(c->kid[0], k) && is_var(c->kid[1], r->x->counter);
    if (c->op == RG_COP_GT) return is_var(c->kid[1], k) && is_var(c->kid[0], r->x->counter);
    for (int i = 0; c->kind == RG_C_VAR && c->array < 0 && !depth && i < r->n_declared; i++)
        if (r->declared[i]->var == c->var && writes(r->x->t->root, c->var) == 1)
            return says_below(r, r->declared[i]->kid[0], k, 1);
    return false;
}

/* list[k], k a loop's variable below the counter, which the loop leaves alone. */
static bool stays_below(const struct reads *r, const struct rg_cnode *e)
{
    const int k = e->kind == RG_C_INDEX && e->n == 1 && !e->pointer ? scalar(e->kid[0]) : -1;
    const struct rg_cnode *l = NULL;
    for (int i = 0; i < r->n_loops && k >= 0; i++)
        if (r->loop[i]->var == k) l = r->loop[i];
    if (!l || rg__c_writes_var(l->kid[2], r->x->counter) || rg__writes_array(l->kid[2], r->x->array)) return false;
    if (l->step > 0 && is_var(l->kid[1], r->x->counter)) return true;
    for (int i = 0; i < r->n; i++)
        if (says_below(r, r->guard[i], k, 0)) return true;
    return false;
}

static void others(struct reads *r, const struct rg_cnode *n)
{
    struct list *x = r->x;
    if (!n || x->bad) return;
    const struct reads before = *r;
    if (n->array == x->array && n->kind != RG_C_DECL && !stays_below(r, n)) x->bad = true;
    if (n->kind == RG_C_LOOP && r->n_loops < MAX_GUARDS) r->loop[r->n_loops++] = n;
    for (int i = 0; i < n->n && !x->bad; i++) {
        const struct rg_cnode *k = n->kid[i];
        if (!k || (n->kind == RG_C_BLOCK && fills(x, n, i))) continue;
        const struct rg_cnode *e = k->kind == RG_C_STMT ? k->kid[0] : NULL;
        if (zeroes(k, x->counter)) continue; /* no element is below it */
        if ((k->kind == RG_C_ASSIGN || k->kind == RG_C_INCDEC || k->op == RG_COP_ADDRESS || k->kind == RG_C_DECL) &&
            writes(k, x->counter) && (k->kind != RG_C_DECL || k->n || k->var != x->counter))
            x->bad = true;
        if (k->kind == RG_C_VERBATIM || (e && e->kind == RG_C_VERBATIM)) x->bad = true;
        const int guards = r->n;
        if (n->kind == RG_C_IF && i == 1 && r->n < MAX_GUARDS) r->guard[r->n++] = n->kid[0];
        others(r, k);
        r->n = guards;
        if (n->kind == RG_C_BLOCK && k->kind == RG_C_DECL && k->array < 0 && k->n && r->n_declared < MAX_GUARDS)
            r->declared[r->n_declared++] = k;
    }
    r->n_loops = before.n_loops;
    r->n_declared = before.n_declared;
}

/* Pointers that no pass has followed may lead anywhere. */
static bool led_anywhere(const struct rg_ctree *t)
{
    for (int a = 0; a < t->n_arrays; a++)
        if (t->arrays[a].view && mentions(t->root, a)) return true;
    return false;
}

static bool one_name(const struct rg_ctree *t, int array)
{
    for (int a = 0; a < t->n_arrays && t->arrays[array].param >= 0; a++)
        if (a != array && t->arrays[a].param == t->arrays[array].param) return false;
    return true;
}

void rg__canon_distinct_lists(struct rg_ctree *t, const struct rg_problem *p)
{
    for (int a = 0, n = led_anywhere(t) ? 0 : t->n_arrays; a < n; a++) {
        const struct rg_carray *c = &t->arrays[a];
        struct list x = {.t = t, .array = a, .counter = -1};
        if (c->distinct || c->constant_table || c->is_const || c->view || c->n_dims != 1 ||
            !rg__scalar_is_int(c->elem) || rg_scalar_bytes(c->elem) < 4 ||
            (c->param >= 0 && (p->may_alias || !one_name(t, a))))
            continue;
        look_for_fills(&x, t->root);
        if (!x.n_fills) continue;
        struct reads *r = rg_xcalloc(1, sizeof *r);
        r->x = &x;
        others(r, t->root);
        free(r);
        t->arrays[a].distinct = !x.bad;
    }
}
