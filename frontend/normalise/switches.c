/* switch becomes an if / else if chain: what falls through goes on with a copy of what it falls into, and what follows
 * a break in a condition stands in the condition's other arm. do { } while (0) its body; do { } while (i < n) with a
 * counter a loop that runs at least once. */
#include "frontend/infer/infer.h"
#include "frontend/load.h"
#include "frontend/normalise/doubling.h"
#include "frontend/normalise/pointer_rotation.h"
#include <stdlib.h>
#include <string.h>

struct group { /* case A: case B: statements; break; */
    struct rg__kids labels, stmts;
    bool is_default, open; /* open: not ended by a jump yet */
    bool falls;            /* into the next one */
};

struct groups {
    int n, cap;
    struct group *items;
    bool bad;
};

static void add_items(struct groups *g, struct rg_cnode *n)
{
    if (g->bad || !n) return;
    if (n->kind == RG_C_BLOCK) {
        for (int i = 0; i < n->n; i++) add_items(g, n->kid[i]);
        return;
    }
    struct group *last = g->n ? &g->items[g->n - 1] : NULL;
    if (n->kind == RG_C_CASE) {
        if (last && last->open && last->stmts.n) {
            last->falls = true;
            last->open = false;
        }
        if (!last || !last->open) {
            RG_GROW(g->items, g->n, g->cap);
            last = &g->items[g->n++];
            *last = (struct group){.open = true};
        }
        if (n->kid[0])
            rg__kids_add(&last->labels, n->kid[0]);
        else
            last->is_default = true;
        add_items(g, n->kid[1]);
        return;
    }
    if (!last) { /* declarations in front of the first label */
        g->bad = true;
        return;
    }
    if (!last->open) return; /* behind a jump: never runs */
    if (n->kind != RG_C_BREAK) rg__kids_add(&last->stmts, n);
    if (n->kind == RG_C_BREAK || n->kind == RG_C_RETURN || n->kind == RG_C_CONTINUE) last->open = false;
}

/* A break in the middle leaves the switch. */
static bool breaks(const struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n)) return false;
    if (n->kind == RG_C_BREAK) return true;
    if (n->kind == RG_C_FOR || n->kind == RG_C_WHILE || n->kind == RG_C_DO || n->kind == RG_C_SWITCH) return false;
    for (int i = 0; i < n->n; i++)
        if (breaks(n->kid[i])) return true;
    return false;
}

enum { MOST_COPIED = 96 }; /* nodes of what is written twice */

/* Statements without the breaks that leave the switch; `copies`: of what may stand twice. False: too much would. */
static bool lowered(struct rg_ctree *t, struct rg_cnode *const *items, int n, struct rg__kids *out, bool *left)
{
    *left = false;
    for (int i = 0; i < n; i++) {
        struct rg_cnode *x = items[i];
        if (x->kind == RG_C_BREAK) return *left = true;
        if (!breaks(x)) {
            rg__kids_add(out, x);
            *left = x->kind == RG_C_RETURN || x->kind == RG_C_CONTINUE;
            if (*left) return true;
            continue;
        }
        struct rg__kids arm[2] = {{0}, {0}};
        int size = 0;
        if (x->kind == RG_C_BLOCK) {
            for (int k = 0; k < x->n; k++) rg__kids_add(&arm[0], x->kid[k]);
            for (int k = i + 1; k < n; k++) rg__kids_add(&arm[0], items[k]);
            bool ok = lowered(t, arm[0].items, arm[0].n, out, left);
            free(arm[0].items);
            return ok;
        }
        if (x->kind != RG_C_IF) return false;
        for (int k = i + 1; k < n; k++) size += rg__c_size(items[k]);
        struct rg_cnode *y = rg__c_stands(rg_cnode_new(t, RG_C_IF, 3), x), *none = rg_cnode_new(t, RG_C_BLOCK, 0);
        y->kid[0] = x->kid[0];
        bool ok = true, both = true;
        for (int k = 0, goes_on = 0; k < 2; k++) {
            struct rg_cnode *kid = k + 1 < x->n ? x->kid[k + 1] : none;
            struct rg__kids way = {0};
            bool gone = false;
            rg__kids_add(&way, kid);
            const bool ends =
                breaks(kid) && kid->kind == RG_C_BLOCK && kid->n && kid->kid[kid->n - 1]->kind == RG_C_BREAK;
            if (!ends && goes_on++ && size > MOST_COPIED) ok = false;
            for (int r = i + 1; r < n && !ends; r++)
                rg__kids_add(&way, goes_on > 1 ? rg__c_copy(t, items[r]) : items[r]);
            ok = ok && lowered(t, way.items, way.n, &arm[k], &gone);
            free(way.items);
            both = both && gone;
            y->kid[k + 1] = rg__kids_node(t, RG_C_BLOCK, &arm[k]);
            if (goes_on > 1 && !ends) rg__moves_fresh(t, y->kid[k + 1], y->kid[k + 1]);
        }
        *left = both;
        rg__kids_add(out, y);
        return ok;
    }
    return true;
}

/* Breaks go; what falls through goes on with what is next. */
static bool settled(struct rg_ctree *t, struct groups *g)
{
    for (int i = g->n - 1; i >= 0; i--) {
        struct group *x = &g->items[i];
        struct rg__kids all = {0}, with = {0};
        int size = 0;
        bool left;
        for (int k = 0; k < x->stmts.n; k++) rg__kids_add(&all, x->stmts.items[k]);
        if (x->falls) {
            struct rg_cnode *next = rg_cnode_new(t, RG_C_BLOCK, g->items[i + 1].stmts.n);
            for (int k = 0; k < next->n; k++) {
                next->kid[k] = rg__c_copy(t, g->items[i + 1].stmts.items[k]);
                size += rg__c_size(next->kid[k]);
            }
            rg__moves_fresh(t, next, next);
            for (int k = 0; k < next->n; k++) rg__kids_add(&all, next->kid[k]);
        }
        bool ok = size <= 2 * MOST_COPIED && lowered(t, all.items, all.n, &with, &left);
        free(all.items);
        free(x->stmts.items);
        x->stmts = with;
        if (!ok) return false;
    }
    return true;
}

static bool shares_declarations(const struct groups *g)
{
    for (int i = 0; i < g->n; i++)
        for (int k = 0; k < g->items[i].stmts.n; k++) {
            const struct rg_cnode *d = g->items[i].stmts.items[k];
            if (d->kind != RG_C_DECL) continue;
            for (int j = 0; j < g->n; j++)
                for (int m = 0; j != i && m < g->items[j].stmts.n; m++) {
                    const struct rg_cnode *s = g->items[j].stmts.items[m];
                    if (d->array >= 0 ? rg__c_mentions_array(s, d->array) : rg__c_mentions_var(s, d->var)) return true;
                }
        }
    return false;
}

static void release(struct groups *g)
{
    for (int i = 0; i < g->n; i++) {
        free(g->items[i].labels.items);
        free(g->items[i].stmts.items);
    }
    free(g->items);
}

static bool convert_switch(struct rg_ctree *t, const struct rg_cnode *s, struct rg__kids *out)
{
    struct groups g = {0};
    add_items(&g, s->kid[1]);
    struct rg_cnode *e = s->kid[0];
    if (g.bad || !g.n || shares_declarations(&g) || !settled(t, &g) || !rg__c_pure(t, e) ||
        !rg__scalar_is_int(e->type)) {
        release(&g);
        return false;
    }
    if (rg__c_size(e) > 3) { /* asked once */
        int v = rg__c_add_var(t, "choice", RG_CVAR_LOCAL, e->type);
        struct rg_cnode *d = rg_cnode_new(t, RG_C_DECL, 1);
        d->var = v;
        d->type = e->type;
        d->kid[0] = e;
        d->line = s->line;
        d->column = s->column;
        rg__kids_add(out, d);
        e = rg__c_var(t, v);
    }
    struct rg_cnode *chain = NULL;
    for (int i = 0; i < g.n; i++)
        if (g.items[i].is_default) chain = rg__kids_node(t, RG_C_BLOCK, &g.items[i].stmts);
    for (int i = g.n - 1; i >= 0; i--) {
        if (g.items[i].is_default) continue;
        struct rg_cnode *c = NULL;
        for (int k = 0; k < g.items[i].labels.n; k++) {
            struct rg_cnode *is = rg__c_binary(t, RG_COP_EQ, rg__c_copy(t, e), g.items[i].labels.items[k]);
            c = c ? rg__c_binary(t, RG_COP_OR, c, is) : is;
        }
        struct rg_cnode *x = rg_cnode_new(t, RG_C_IF, chain ? 3 : 2);
        x->kid[0] = c;
        x->kid[1] = rg__kids_node(t, RG_C_BLOCK, &g.items[i].stmts);
        if (chain) x->kid[2] = chain;
        x->line = s->line;
        x->column = s->column;
        chain = rg_cnode_new(t, RG_C_BLOCK, 1);
        chain->kid[0] = x;
    }
    for (int i = 0; chain && i < chain->n; i++) rg__kids_add(out, chain->kid[i]);
    release(&g);
    return true;
}

/* What the variable holds in front of block->kid[at]: a constant or a parameter; NULL when that cannot be said. */
static struct rg_cnode *value_before(struct rg_ctree *t, const struct rg_cnode *block, int at, int var)
{
    for (int i = at - 1; i >= 0; i--) {
        const struct rg_cnode *s = block->kid[i], *v = NULL;
        if (!rg__c_writes_var(s, var)) continue;
        if (s->kind == RG_C_DECL && s->n) v = s->kid[0];
        if (s->kind == RG_C_STMT && s->kid[0]->op == RG_COP_SET) v = s->kid[0]->kid[1];
        return v && v->kind == RG_C_INT ? rg__c_copy(t, v) : NULL;
    }
    return NULL;
}

/* do { ... } while (++i < n) has its step at the end of the body: a `continue` of its own would be the only difference.
 */
static void step_into_body(struct rg_ctree *t, struct rg_cnode *body, struct rg_cnode *c)
{
    struct rg_cnode *x = c->kid[0];
    if (x->op != RG_COP_PRE_INC || x->kid[0]->kind != RG_C_VAR || x->kid[0]->array >= 0) return;
    struct rg_cnode *stmt = rg__c_stmt(t, rg__c_assign(t, RG_COP_ADD_SET, rg__c_copy(t, x->kid[0]), rg__c_int(t, 1)));
    struct rg__kids with = {0};
    rg__kids_add(&with, stmt);
    rg__block_splice(t, body, body->n, 0, &with);
    c->kid[0] = x->kid[0];
}

/* do { ...; i++; } while (i < n);  runs to max(n, first i + 1). */
static bool counted_do(struct rg_ctree *t, struct rg_cnode *block, int at)
{
    struct rg_cnode *d = block->kid[at], *body = d->kid[0], *c = d->kid[1];
    if (body->kind != RG_C_BLOCK || !body->n || c->kind != RG_C_BINARY || rg__continues_loop(body)) return false;
    step_into_body(t, body, c);
    bool less = c->op == RG_COP_LT || c->op == RG_COP_LE;
    const struct rg_cnode *l = rg__c_uncast(c->kid[0], RG__C_WIDE_CASTS), *last = body->kid[body->n - 1];
    int var = rg__counter_step(last);
    if (!less || var < 0 || l->kind != RG_C_VAR || l->array >= 0 || l->var != var) return false;
    for (int k = 0; k + 1 < body->n; k++)
        if (rg__c_writes_var(body->kid[k], var)) return false;
    struct rg_cnode *first = value_before(t, block, at, var);
    if (!first) return false;
    if (c->op == RG_COP_LT) first = rg__c_int(t, first->ivalue + 1);
    struct rg_cnode *m = rg_cnode_new(t, RG_C_COND, 3);
    m->kid[0] = rg__c_binary(t, RG_COP_GT, rg__c_copy(t, c->kid[1]), first);
    m->kid[1] = c->kid[1];
    m->kid[2] = rg__c_copy(t, first);
    m->type = rg__scalar_common(c->kid[1]->type, first->type);
    struct rg_cnode *f = rg_cnode_new(t, RG_C_FOR, 4);
    f->line = d->line;
    f->column = d->column;
    f->kid[1] = rg__c_binary(t, c->op, c->kid[0], m);
    f->kid[2] = last->kid[0];
    body->n--;
    f->kid[3] = body;
    block->kid[at] = f;
    return true;
}

/* Is e a number, or made of scalars that the loop leaves alone? */
static bool fixed_bound(const struct rg_ctree *t, const struct rg_cnode *e, const struct rg_cnode *body)
{
    if (e->kind == RG_C_VAR)
        return e->array < 0 && !e->pointer && e->var >= 0 && !rg__c_writes_var(body, e->var) &&
               !rg__c_declares(body, e->var);
    if (e->kind != RG_C_INT && e->kind != RG_C_CAST && e->kind != RG_C_BINARY) return false;
    for (int i = 0; i < e->n; i++)
        if (!fixed_bound(t, e->kid[i], body)) return false;
    return rg__c_pure(t, e);
}

enum { MOST_STEP = 1 << 20 };

/* How far the body steps the variable, one way, in statements of its own alone; 0: otherwise. */
static int64_t steps_by(const struct rg_cnode *body, int var)
{
    int64_t way = 0;
    for (int i = 0; i < body->n; i++) {
        const struct rg_cnode *s = body->kid[i];
        if (rg__counter_step(s) == var) {
            const int64_t by = rg__counter_amount(s);
            if (!by || by > MOST_STEP || by < -MOST_STEP || (way && (way > 0) != (by > 0))) return 0;
            way += by;
        } else if (rg__c_writes_var(s, var) || rg__c_declares(s, var))
            return 0;
    }
    return way;
}

/* Is it at least that, of 0 and 1, wherever the kernels are for: a parameter must be. */
static bool at_least(struct rg__load *l, const struct rg_cnode *e, int64_t least)
{
    const struct rg_expr *must;
    struct rg_ctree *t = l->t;
    e = rg__c_uncast(e, RG__C_WIDE_CASTS);
    if (e->kind == RG_C_INT) return e->ivalue >= least;
    if (least > 1) return false;
    if (e->op == RG_COP_SHL) return e->kid[0]->kind == RG_C_INT && e->kid[0]->ivalue == 1;
    if (e->kind != RG_C_VAR || e->array >= 0 || e->pointer) return false;
    const struct rg_cnode *value = rg__doubling_value(t, e->var);
    if (value) return at_least(l, value, least);
    if (t->vars[e->var].kind != RG_CVAR_PARAM || t->vars[e->var].param < 0 || rg__c_writes_var(t->root, e->var))
        return false;
    const char *text = rg_arena_printf(&l->p->arena, "%s >= %lld", t->vars[e->var].name, (long long)least);
    if (rg_expr_parse_all(&l->p->arena, text, &must, NULL) != RG_OK || !rg__may_hold(l, must)) return false;
    rg__add_require(l->p, must);
    return true;
}

static void as_while(struct rg_ctree *t, struct rg_cnode *block, int at)
{
    struct rg_cnode *d = block->kid[at], *w = rg_cnode_new(t, RG_C_WHILE, 2);
    w->kid[0] = d->kid[1];
    w->kid[1] = d->kid[0];
    w->line = d->line;
    w->column = d->column;
    block->kid[at] = w;
}

/* do { --i; .. } while (i > 0) or != 0, from a parameter that is at least 1: the same as a while. */
static bool down_to_zero(struct rg__load *l, const struct rg_cnode *block, int at, int var, const struct rg_cnode *c,
                         const struct rg_cnode *bound)
{
    if ((c->op != RG_COP_GT && c->op != RG_COP_NE) || bound->kind != RG_C_INT || bound->ivalue) return false;
    for (int i = at - 1; i >= 0; i--) {
        if (!rg__c_writes_var(block->kid[i], var)) continue;
        const struct rg_cnode *v = rg__doubling_set(block->kid[i], var);
        return v && at_least(l, v, 1);
    }
    return false;
}

/* do { ..; p++; .. } while (p < end), from anywhere: the condition of a while that holds where it begins, as the bound
 * is at least one further on, and does behind each iteration where the one written does. */
static void entered_do(struct rg__load *l, struct rg_cnode *block, int at)
{
    struct rg_ctree *t = l->t;
    struct rg_cnode *d = block->kid[at], *body = d->kid[0], *c = d->kid[1];
    if (body->kind != RG_C_BLOCK || c->kind != RG_C_BINARY || !rg_c_relation(c->op) || c->op == RG_COP_EQ ||
        rg__continues_loop(body))
        return;
    for (int turned = 0; turned < 2; turned++) {
        const struct rg_cnode *v = rg__c_uncast(c->kid[turned], RG__C_WIDE_CASTS);
        if (v->kind != RG_C_VAR || v->array >= 0 || v->pointer || t->vars[v->var].kind != RG_CVAR_LOCAL ||
            !rg__scalar_is_int(v->type) || rg_scalar_bytes(v->type) < 4 || !fixed_bound(t, c->kid[1 - turned], body))
            continue;
        if (rg__c_writes_var(body, v->var) && !steps_by(body, v->var)) rg__lift_steps(t, body); /* x = *--p */
        const int64_t way = steps_by(body, v->var);
        const bool below = (c->op == RG_COP_LT || c->op == RG_COP_LE) != turned,
                   strict = c->op == RG_COP_LT || c->op == RG_COP_GT;
        struct rg_cnode *bound = c->kid[1 - turned];
        struct rg_cnode *first = value_before(t, block, at, v->var);
        if (way == -1 && !turned && down_to_zero(l, block, at, v->var, c, rg__c_uncast(bound, RG__C_WIDE_CASTS))) {
            as_while(t, block, at);
            return;
        }
        const bool has_sign = rg_scalar_is_signed(bound->type) && rg_scalar_is_signed(v->type);
        if (!way || c->op == RG_COP_NE || (way > 0) != below || (!has_sign && (!first || way != 1))) continue;
        if (!first) {
            struct rg_cnode *was = rg_cnode_new(t, RG_C_DECL, 1);
            was->var = rg__c_add_var(t, "first", RG_CVAR_LOCAL, v->type);
            was->type = v->type;
            was->line = d->line;
            was->column = d->column;
            was->kid[0] = rg__c_var(t, v->var);
            struct rg__kids with = {0};
            rg__kids_add(&with, was);
            rg__block_splice(t, block, at++, 0, &with);
            first = rg__c_var(t, was->var);
        }
        as_while(t, block, at);
        if (below && first->kind == RG_C_INT && at_least(l, bound, first->ivalue + strict)) return;
        first = rg__c_cast(t, first, rg__scalar_common(bound->type, v->type));
        if (strict) first = rg__c_binary(t, below ? RG_COP_ADD : RG_COP_SUB, first, rg__c_int(t, 1));
        struct rg_cnode *m = rg_cnode_new(t, RG_C_COND, 3);
        m->kid[0] = rg__c_binary(t, below ? RG_COP_GE : RG_COP_LE, rg__c_copy(t, bound), first);
        m->kid[1] = bound;
        m->kid[2] = rg__c_copy(t, first);
        m->type = rg__scalar_common(bound->type, first->type);
        c->kid[1 - turned] = m;
        return;
    }
}

static void walk(struct rg__load *l, struct rg_cnode *n)
{
    struct rg_ctree *t = l->t;
    if (!n || rg__c_is_expr(n)) return;
    for (int i = 0; i < n->n; i++) walk(l, n->kid[i]);
    if (n->kind != RG_C_BLOCK) return;
    for (int i = 0; i < n->n; i++) {
        struct rg_cnode *s = n->kid[i];
        struct rg__kids with = {0};
        bool done = false;
        if (s->kind == RG_C_SWITCH) done = convert_switch(t, s, &with);
        if (s->kind == RG_C_DO && s->kid[1]->kind == RG_C_INT && !s->kid[1]->ivalue && !rg__leaves_loop(s->kid[0])) {
            for (int k = 0; k < s->kid[0]->n; k++) rg__kids_add(&with, s->kid[0]->kid[k]);
            done = true;
        } else if (s->kind == RG_C_DO && !counted_do(t, n, i)) {
            entered_do(l, n, i);
        }
        if (!done) {
            free(with.items);
            continue;
        }
        int added = with.n;
        rg__block_splice(t, n, i, 1, &with);
        i += added - 1;
    }
}

void rg__canon_switches(struct rg__load *l)
{
    walk(l, l->t->root);
}
