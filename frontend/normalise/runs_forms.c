/* Loops from run to run of like elements in other forms than runs.c takes (runs.h has that one):
 *     while (i < n) { c = key[i]; do { ..; i++; } while (i < n && key[i] == c); .. }
 *     while (i < n) { c = key[i]; len = 1; while (i + len < n && key[i + len] == c) len++; ..; i += len; }
 *     for (i = 0; i < n; i = j) { for (j = i; j < n; j++) { if (key[j] != key[i]) break; .. } .. } */
#include "frontend/normalise/runs.h"
#include "frontend/normalise/canon.h"
#include <stdlib.h>

struct form {
    struct rg_ctree *t;
    struct rg_cnode *loop, *body; /* copies */
    const struct rg_cnode *end;   /* of all elements */
    int i, walker;                /* variables; -1: the loop along the run is not known yet */
    int in;                       /* the loop along the run is body->kid[in] */
    bool once;                    /* its first element is not asked */
};

static int int_var(const struct rg_cnode *e)
{
    e = rg__runs_widened(e);
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer && rg__scalar_is_int(e->type) ? e->var : -1;
}

/* What is asked first. */
static const struct rg_cnode *bound_of(const struct rg_cnode *c)
{
    while (c && c->op == RG_COP_AND) c = c->kid[0];
    return c && (c->op == RG_COP_LT || c->op == RG_COP_NE) ? c : NULL;
}

static void insert(struct form *f, int at, struct rg_cnode *s)
{
    struct rg__kids one = {0};
    rg__kids_add(&one, s);
    rg__block_splice(f->t, f->body, at, 0, &one);
}

static struct rg_cnode *given(struct form *f, int var, struct rg_cnode *value, bool declared)
{
    struct rg_ctree *t = f->t;
    struct rg_cnode *s;
    if (declared) {
        s = rg_cnode_new(t, RG_C_DECL, 1);
        s->var = var;
        s->type = t->vars[var].type;
        s->kid[0] = value;
    } else {
        s = rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_var(t, var), value));
    }
    s->line = f->loop->line;
    return s;
}

/* if (c) break; : c. */
static const struct rg_cnode *breaks_where(const struct rg_cnode *s)
{
    if (s->kind != RG_C_IF || s->n > 2) return NULL;
    const struct rg_cnode *then = s->kid[1];
    if (then->kind == RG_C_BLOCK && then->n == 1) then = then->kid[0];
    return then->kind == RG_C_BREAK ? s->kid[0] : NULL;
}

static struct rg_cnode *without(struct rg_ctree *t, struct rg_cnode *block, int at)
{
    struct rg__kids none = {0};
    rg__block_splice(t, block, at, 1, &none);
    return block;
}

/* The step of the walker, behind which the body does not name it, goes out of the body; false: there is none. */
static bool takes_step(struct rg_ctree *t, struct rg_cnode *body, int walker)
{
    for (int k = body->n - 1; k >= 0; k--) {
        if (rg__runs_counts(body->kid[k], walker)) return without(t, body, k), true;
        if (rg__c_mentions_var(body->kid[k], walker)) return false;
    }
    return false;
}

/* Does the variable stand where the run begins, when the loop along it does? */
static bool begins_there(const struct form *f, int var)
{
    int last = -1, which;
    int64_t ahead;
    if (var == f->i) return rg__runs_writers(f->body->kid, f->in, var) == 0;
    for (int k = 0; k < f->in; k++)
        if (rg__c_writes_var(f->body->kid[k], var)) last = k;
    const struct rg_cnode *v = last < 0 ? NULL : rg__runs_assigned(f->body->kid[last], &which);
    return v && which == var && rg__runs_offset(v, f->i, &ahead) && ahead == 0;
}

/* The loop along the run as for (; c; walker++), with no exit but that: whatever form it has. */
static bool as_for(struct form *f)
{
    struct rg_ctree *t = f->t;
    struct rg_cnode *x = f->body->kid[f->in], *c = NULL, *inc = NULL, *body = NULL;
    bool behind = x->kind == RG_C_DO; /* the test */
    if (x->kind == RG_C_FOR) {
        if (x->kid[0]) {
            if (x->kid[0]->kind != RG_C_DECL && x->kid[0]->kind != RG_C_STMT) return false;
            insert(f, f->in++, x->kid[0]);
        }
        c = x->kid[1];
        inc = x->kid[2];
        body = x->kid[3];
    } else if (x->kind == RG_C_WHILE || behind) {
        c = x->kid[behind];
        body = x->kid[!behind];
    }
    if (!body || body->kind != RG_C_BLOCK || rg__continues_loop(body)) return false;
    int64_t always;
    if (c && !behind && rg__c_number(c, &always) && always) c = NULL;
    const struct rg_cnode *leaves = body->n ? breaks_where(body->kid[body->n - 1]) : NULL;
    if (!c && !inc && leaves && body->n > 1) { /* for (;;) { ..; if (..) break; } */
        behind = true;
        c = rg__negated(t, rg__c_copy(t, leaves));
        without(t, body, body->n - 1);
    }
    while (!behind && body->n && (leaves = breaks_where(body->kid[0]))) {
        struct rg_cnode *stays = rg__negated(t, rg__c_copy(t, leaves));
        c = c ? rg__c_binary(t, RG_COP_AND, c, stays) : stays;
        without(t, body, 0);
    }
    if (c) c = rg__runs_limits_last(t, rg__c_copy(t, c), f->end);
    const struct rg_cnode *bound = bound_of(c);
    if (!bound || rg__leaves_early(body) || rg__leaves_loop(body)) return false;
    f->walker = int_var(bound->kid[0]);
    if (inc && f->walker < 0) { /* i + length */
        const struct rg_cnode *e = inc->kind == RG_C_STMT ? inc->kid[0] : inc;
        f->walker = e->n ? int_var(e->kid[0]) : -1;
    }
    if (f->walker < 0 || rg__c_writes_var(c, f->walker)) return false;
    if (inc ? !rg__runs_counts(inc, f->walker) : !takes_step(t, body, f->walker)) return false;
    if (rg__c_writes_var(body, f->walker)) return false;
    if (behind && (!rg__c_same(bound->kid[1], f->end, RG__C_UNCAST) || !begins_there(f, f->walker))) return false;
    f->once = behind;
    struct rg_cnode *made = rg_cnode_new(t, RG_C_FOR, 4);
    made->kid[1] = c;
    made->kid[2] = rg__c_assign(t, RG_COP_ADD_SET, rg__c_var(t, f->walker), rg__c_int(t, 1));
    made->kid[3] = body;
    made->line = x->line;
    made->column = x->column;
    f->body->kid[f->in] = made;
    return true;
}

static bool asks_reals(const struct rg_cnode *e)
{
    if (e->op == RG_COP_EQ && (rg_scalar_is_real(e->kid[0]->type) || rg_scalar_is_real(e->kid[1]->type))) return true;
    for (int k = 0; k < e->n; k++)
        if (asks_reals(e->kid[k])) return true;
    return false;
}

/* c, of which the first element is not asked: its equalities say that it is like itself, unless it is no number.
 *     j < n && a && b: j < n && (j == i || a && b) */
static struct rg_cnode *unless_first(struct form *f, struct rg_cnode *c)
{
    struct rg_ctree *t = f->t;
    struct rg_cnode *rest = NULL;
    while (c->op == RG_COP_AND) {
        rest = rest ? rg__c_binary(t, RG_COP_AND, c->kid[1], rest) : c->kid[1];
        c = c->kid[0];
    }
    if (!rest) return c;
    struct rg_cnode *first = rg__c_binary(t, RG_COP_EQ, rg__c_var(t, f->walker), rg__c_var(t, f->i));
    return rg__c_binary(t, RG_COP_AND, c, rg__c_binary(t, RG_COP_OR, first, rest));
}

static void from_here(struct form *f, int at, int var, struct rg_cnode *by)
{
    for (int k = at; k < f->body->n; k++) f->body->kid[k] = rg__c_replace_var(f->t, f->body->kid[k], var, by);
}

/* It counts i itself: another variable walks, and i stays where the run begins. */
static bool by_itself(struct form *f)
{
    struct rg_ctree *t = f->t;
    if (rg__runs_writers(f->body->kid, f->body->n, f->i) != 1) return false;
    const int j = rg__c_add_var(t, "stop", RG_CVAR_LOCAL, t->vars[f->i].type);
    from_here(f, f->in, f->i, rg__c_var(t, j));
    insert(f, f->in++, given(f, j, rg__c_var(t, f->i), true));
    insert(f, f->body->n, given(f, f->i, rg__c_var(t, j), false));
    f->walker = j;
    return true;
}

/* ---- what counts how long the run is ---- */

struct length {
    int var, base, stop; /* base + var is the place, which becomes `stop` */
};

static bool is_place(const struct rg_cnode *e, const struct length *l)
{
    e = rg__runs_widened(e);
    if (e->op != RG_COP_ADD) return false;
    return (rg__runs_is_var(e->kid[0], l->base) && rg__runs_is_var(e->kid[1], l->var)) ||
           (rg__runs_is_var(e->kid[1], l->base) && rg__runs_is_var(e->kid[0], l->var));
}

/* base + var is `stop`, var alone the way from i to there. */
static struct rg_cnode *by_place(const struct form *f, const struct rg_cnode *e, const struct length *l)
{
    struct rg_ctree *t = f->t;
    if (!e) return NULL;
    if (rg__c_is_expr(e) && is_place(e, l)) return rg__c_var(t, l->stop);
    if (e->kind == RG_C_VAR && e->array < 0 && e->var == l->var)
        return rg__c_cast(t, rg__c_binary(t, RG_COP_SUB, rg__c_var(t, l->stop), rg__c_var(t, f->i)),
                          t->vars[l->var].type);
    if (e->kind == RG_C_VAR && e->array < 0 && e->var == l->base) return rg__c_var(t, f->i);
    struct rg_cnode *c = rg__c_copy(t, e);
    for (int k = 0; k < e->n; k++) c->kid[k] = by_place(f, e->kid[k], l);
    return c;
}

/* to += by; to = to + by; */
static bool adds(const struct rg_cnode *s, int to, int by)
{
    const struct rg_cnode *e = s->kind == RG_C_STMT ? s->kid[0] : s;
    if (e->kind != RG_C_ASSIGN || !rg__runs_is_var(e->kid[0], to)) return false;
    const struct length l = {.var = by, .base = to};
    return e->op == RG_COP_ADD_SET ? rg__runs_is_var(e->kid[1], by) : e->op == RG_COP_SET && is_place(e->kid[1], &l);
}

/* Its first value is the number *first, from where the loop along the run alone counts it: the statement that sets it.
 */
static int starts_at(const struct form *f, int var, int64_t *first)
{
    int at = -1, which;
    for (int k = 0; k < f->in; k++)
        if (rg__c_writes_var(f->body->kid[k], var)) at = k;
    const struct rg_cnode *v = at < 0 ? NULL : rg__runs_assigned(f->body->kid[at], &which);
    if (!v || which != var || !rg__c_number(v, first) || (*first != 0 && *first != 1)) return -1;
    return rg__runs_writers(f->body->kid, f->body->n, var) == 2 ? at : -1;
}

/* Nothing outside of the loop names it; f->loop is a copy that stands nowhere. */
static bool own(const struct form *f, const struct rg_cnode *loop, int var)
{
    return rg__c_count_var(f->t->root, var) == rg__c_count_var(loop, var);
}

static bool by_length(struct form *f, const struct rg_cnode *loop)
{
    struct rg_ctree *t = f->t;
    struct rg_cnode *x = f->body->kid[f->in];
    const struct rg_cnode *place = rg__runs_widened(bound_of(x->kid[1])->kid[0]), *v;
    if (place->op != RG_COP_ADD) return false;
    struct length l = {.var = f->walker};
    const int a = int_var(place->kid[0]), b = int_var(place->kid[1]);
    l.base = a == l.var ? b : a;
    if (l.base < 0 || l.base == l.var || (a != l.var && b != l.var)) return false;
    /* the place is what i is: a length that wraps around earlier would be another */
    const enum rg_scalar type = t->vars[f->i].type, counts = t->vars[l.var].type;
    if (counts != type && rg_scalar_bytes(counts) >= rg_scalar_bytes(type)) return false;
    if (rg_scalar_bytes(counts) < 4 || t->vars[l.base].type != type || !own(f, loop, l.var)) return false;
    int64_t first;
    const int set = starts_at(f, l.var, &first), n = f->body->n;
    int alias = -1, which;
    if (set < 0 || !begins_there(f, l.base)) return false;
    for (int k = 0; k < f->in && l.base != f->i; k++)
        if (rg__c_writes_var(f->body->kid[k], l.base)) alias = k;
    if (l.base != f->i && (!own(f, loop, l.base) || rg__runs_writers(f->body->kid, f->in, l.base) != 1)) return false;
    struct rg__kids made = {0};
    bool moved = false, stepped = false, ok = true;
    l.stop = rg__c_add_var(t, "stop", RG_CVAR_LOCAL, type);
    for (int k = 0; k < n && ok; k++) {
        struct rg_cnode *s = f->body->kid[k];
        if (k == set || k == alias) continue;
        ok = !stepped;
        if (k < f->in) {
            ok = !rg__c_mentions_var(s, l.var);
            rg__kids_add(&made, by_place(f, s, &l));
        } else if (k == f->in) {
            struct rg_cnode *at = rg__c_var(t, f->i);
            if (first) at = rg__c_binary(t, RG_COP_ADD, at, rg__c_int(t, first));
            rg__kids_add(&made, given(f, l.stop, at, true));
            ok = ok && !rg__c_writes_var(s, l.base);
            x->kid[1] = by_place(f, x->kid[1], &l);
            x->kid[3] = by_place(f, x->kid[3], &l);
            x->kid[2] = rg__c_assign(t, RG_COP_ADD_SET, rg__c_var(t, l.stop), rg__c_int(t, 1));
            rg__kids_add(&made, x);
            f->in = made.n - 1;
        } else if (!moved && adds(s, l.base, l.var)) {
            moved = true; /* the base is where the run stops from here on */
        } else if (l.base != f->i && rg__c_writes_var(s, f->i)) {
            v = rg__runs_assigned(s, &which);
            const bool there = v && which == f->i && (moved ? rg__runs_is_var(v, l.base) : is_place(v, &l));
            ok = ok && (there || adds(s, f->i, l.var));
            stepped = true;
        } else {
            ok = ok && !rg__c_writes_var(s, l.base) && !rg__c_writes_var(s, f->i);
            if (moved) s = rg__c_replace_var(t, s, l.base, rg__c_var(t, l.stop));
            rg__kids_add(&made, by_place(f, s, &l));
        }
    }
    rg__kids_add(&made, given(f, f->i, rg__c_var(t, l.stop), false));
    f->body = f->loop->kid[f->loop->kind == RG_C_FOR ? 3 : 1] = rg__kids_node(t, RG_C_BLOCK, &made);
    f->walker = l.stop;
    return ok && (l.base == f->i ? moved : stepped);
}

/* Is the variable that is declared without a value given one before any statement of the block asks for it? */
static bool set_first(const struct rg_cnode *block, const struct rg_cnode *declared)
{
    if (declared->array >= 0) return false;
    for (int k = 0; k < block->n; k++) {
        const struct rg_cnode *s =
            block->kid[k]->kind == RG_C_FOR && block->kid[k]->kid[0] ? block->kid[k]->kid[0] : block->kid[k];
        int which;
        const struct rg_cnode *v = rg__runs_assigned(s, &which);
        if (v && which == declared->var && !rg__c_mentions_var(v, which)) return true;
        if (rg__c_mentions_var(block->kid[k], declared->var)) return false;
    }
    return false;
}

struct rg_cnode *rg__runs_form(struct rg_ctree *t, const struct rg_cnode *loop, int in)
{
    struct form f = {.t = t, .loop = rg__c_copy(t, loop), .walker = -1, .in = in};
    const bool is_for = loop->kind == RG_C_FOR;
    const struct rg_cnode *c = f.loop->kid[is_for ? 1 : 0];
    f.body = f.loop->kid[is_for ? 3 : 1];
    if (!c || c->op != RG_COP_LT || !f.body || f.body->kind != RG_C_BLOCK || in >= f.body->n) return NULL;
    if (!rg__c_is_loop(f.body->kid[in]) || rg__leaves_early(f.body)) return NULL;
    f.i = int_var(c->kid[0]);
    f.end = c->kid[1];
    if (f.i < 0) return NULL;
    if (is_for && f.loop->kid[0] && f.loop->kid[0]->kind == RG_C_DECL && !f.loop->kid[0]->n) { /* for (int j; ..) */
        if (!set_first(f.body, f.loop->kid[0])) return NULL;
        insert(&f, 0, f.loop->kid[0]);
        f.loop->kid[0] = NULL;
        f.in++;
    }
    if (is_for && f.loop->kid[2]) { /* for (..; ..; i = j) */
        struct rg_cnode *step = f.loop->kid[2];
        if (rg__runs_counts(step, f.i)) return NULL;
        if (step->kind != RG_C_STMT) step = rg__c_stmt(t, step);
        step->line = loop->line;
        insert(&f, f.body->n, step);
        f.loop->kid[2] = NULL;
    }
    if (!as_for(&f)) return NULL;
    struct rg_cnode *x = f.body->kid[f.in];
    const bool place = bound_of(x->kid[1])->kid[0] && int_var(bound_of(x->kid[1])->kid[0]) < 0;
    if (f.walker == f.i ? !by_itself(&f) : place && !by_length(&f, loop)) return NULL;
    x = f.body->kid[f.in];
    if (f.once && asks_reals(x->kid[1])) x->kid[1] = unless_first(&f, x->kid[1]);
    return f.loop;
}
