/* Counters that are taken back to below a number whenever they reach it, and count how often:
 *     for i: { .. phase .. pos ..;  phase += a;  while (phase >= m) { phase -= m; pos++; } }
 * (resampling by a ratio, clocks, lines by whole numbers). After so many iterations they are remainder and quotient:
 *     for i: { turns = phase + (i - lo) * a;  phase' = turns % m;  pos' = pos + turns / m;  .. phase' .. pos' .. }
 * That holds where the counter begins below m and a is not negative, and by `if` for `while` where a is at most m: the
 * loop is written twice, and asks. A loop that goes on by a flag, set last from such counters and others that step by
 * a number (while (n < room && pos < length)), ends with the first iteration that leaves it so: a minimum over all
 * that its counter allows, by which each iteration is asked for. */
#include "frontend/normalise/canon.h"
#include "frontend/normalise/doubling.h"
#include "frontend/normalise/pointer_rotation.h"
#include <string.h>

enum { MOST_TURNED = 4 };

struct wrapped {
    struct rg_ctree *t;
    struct rg_cnode *loop;
    int add, wrap; /* statements of the body */
    int var;       /* phase */
    bool once;     /* by `if` */
    const struct rg_cnode *by, *most;
    int n; /* counters of how often */
    int turned[MOST_TURNED];
    const struct rg_cnode *each[MOST_TURNED];
    int ends; /* the statement that sets the flag; -1: there is none */
    int n_steps;
    struct {
        int var, at; /* at: its statement */
        const struct rg_cnode *by;
    } steps[MOST_TURNED]; /* what the flag is made of besides */
};

static bool is_var(const struct rg_cnode *e, int var)
{
    e = rg__c_uncast(e, RG__C_WIDE_CASTS);
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer && e->var == var;
}

/* A number of 32 bits that the loop leaves alone. */
static bool stays(const struct wrapped *w, const struct rg_cnode *e)
{
    const struct rg_cnode *plain = rg__c_uncast(e, RG__C_WIDE_CASTS);
    if (!rg__c_pure(w->t, e) || e->pointer || rg__mentions_kind(e, RG_C_INDEX) || rg__mentions_kind(e, RG_C_CALL) ||
        rg__mentions_kind(e, RG_C_MEMBER) || plain->type != RG_I32)
        return false;
    for (int v = 0; v < w->t->n_vars; v++)
        if (rg__c_mentions_var(e, v) && (v == w->loop->var || rg__c_writes_var(w->loop, v) ||
                                         rg__c_declares(w->loop, v) || rg__c_binds(w->loop, v)))
            return false;
    return true;
}

/* v += e, v++ (v -= e with `minus`): e; NULL. */
static const struct rg_cnode *step(const struct wrapped *w, const struct rg_cnode *s, bool minus, int *var)
{
    const struct rg_cnode *e = s->kind == RG_C_STMT ? s->kid[0] : NULL;
    bool set = e && e->kind == RG_C_ASSIGN && e->op == (minus ? RG_COP_SUB_SET : RG_COP_ADD_SET),
         one = e && !minus && e->kind == RG_C_INCDEC && rg_c_increments(e->op);
    if ((!set && !one) || e->kid[0]->kind != RG_C_VAR || e->kid[0]->array >= 0 || e->kid[0]->pointer) return NULL;
    *var = e->kid[0]->var;
    return one ? rg__c_int(w->t, 1) : e->kid[1];
}

static bool local_count(const struct rg_ctree *t, int var)
{
    enum rg_scalar type = t->vars[var].type;
    return t->vars[var].kind == RG_CVAR_LOCAL && (type == RG_I32 || type == RG_LONG || type == RG_LLONG);
}

/* while (v >= m) { v -= m; turns++; } */
static bool wraps(struct wrapped *w, const struct rg_cnode *s)
{
    const struct rg_cnode *body = s->kind == RG_C_WHILE || (s->kind == RG_C_IF && s->n == 2) ? s->kid[1] : NULL;
    int back = 0, var;
    if (!body || body->kind != RG_C_BLOCK || s->kid[0]->op != RG_COP_GE || !is_var(s->kid[0]->kid[0], w->var))
        return false;
    w->most = s->kid[0]->kid[1];
    w->once = s->kind == RG_C_IF;
    w->n = 0;
    for (int i = 0; i < body->n; i++) {
        const struct rg_cnode *m = step(w, body->kid[i], true, &var);
        if (m && var == w->var) {
            if (back++ || !rg__c_equal(rg__c_uncast(m, RG__C_WIDE_CASTS), rg__c_uncast(w->most, RG__C_WIDE_CASTS)))
                return false;
            continue;
        }
        const struct rg_cnode *by = step(w, body->kid[i], false, &var);
        if (!by || var == w->var || w->n == MOST_TURNED || !local_count(w->t, var) || !stays(w, by) ||
            rg__doubling_writes(w->loop, var) != 1)
            return false;
        for (int k = 0; k < w->n; k++)
            if (w->turned[k] == var) return false;
        w->turned[w->n] = var;
        w->each[w->n++] = by;
    }
    return back == 1;
}

static bool mentions_any(const struct wrapped *w, const struct rg_cnode *n)
{
    bool any = rg__c_mentions_var(n, w->var);
    for (int k = 0; k < w->n; k++) any = any || rg__c_mentions_var(n, w->turned[k]);
    return any;
}

/* ---- loops that go on by a flag ---- */

/* The value that the last statement sets the flag to; NULL. */
static const struct rg_cnode *flag_set_last(const struct wrapped *w)
{
    const struct rg_cnode *flag = w->loop->kid[3], *body = w->loop->kid[2];
    const struct rg_cnode *e =
        body->n && body->kid[body->n - 1]->kind == RG_C_STMT ? body->kid[body->n - 1]->kid[0] : NULL;
    if (flag->kind != RG_C_VAR || flag->array >= 0 || w->t->vars[flag->var].kind != RG_CVAR_LOCAL) return NULL;
    if (!e || e->op != RG_COP_SET || !is_var(e->kid[0], flag->var)) return NULL;
    for (int i = 0; i + 1 < body->n; i++)
        if (rg__c_mentions_var(body->kid[i], flag->var)) return NULL;
    return e->kid[1];
}

/* v += number, once in each iteration, and nothing behind it asks for v but the flag. */
static bool takes_steps(struct wrapped *w, int var)
{
    const struct rg_cnode *body = w->loop->kid[2];
    const enum rg_scalar type = w->t->vars[var].type;
    int found = -1, v;
    if (w->t->vars[var].kind != RG_CVAR_LOCAL || rg_scalar_is_real(type) || type == RG_BOOL || type == RG_STRUCT ||
        rg_scalar_bytes(type) < 4 || w->n_steps == MOST_TURNED || rg__doubling_writes(w->loop, var) != 1)
        return false;
    for (int i = 0; i < body->n - 1; i++) {
        const struct rg_cnode *by = step(w, body->kid[i], false, &v);
        if (by && v == var && stays(w, by)) {
            w->steps[w->n_steps].by = by;
            found = i;
        } else if (found >= 0 && rg__c_mentions_var(body->kid[i], var)) {
            return false;
        }
    }
    w->steps[w->n_steps].var = var;
    w->steps[w->n_steps].at = found;
    w->n_steps += found >= 0;
    return found >= 0;
}

static bool is_turned(const struct wrapped *w, int var)
{
    for (int k = 0; k < w->n; k++)
        if (w->turned[k] == var) return true;
    return var == w->var;
}

/* Is the flag made of counters, and of what the loop leaves alone? */
static bool ends_by_counters(struct wrapped *w)
{
    const struct rg_cnode *e = w->loop->n == 4 ? flag_set_last(w) : NULL;
    int64_t number;
    w->n_steps = 0;
    w->ends = w->loop->kid[2]->n - 1;
    if (!e || !rg__c_pure(w->t, e) || rg__mentions_kind(e, RG_C_INDEX) || rg__mentions_kind(e, RG_C_CALL) ||
        rg__mentions_kind(e, RG_C_MEMBER) || rg__c_mentions_var(e, w->loop->var) ||
        rg__c_number(rg__c_uncast(w->loop->kid[1], RG__C_WIDE_CASTS), &number)) /* as many as there may ever be */
        return false;
    for (int v = 0; v < w->t->n_vars; v++) {
        if (!rg__c_mentions_var(e, v) || is_turned(w, v)) continue;
        if (rg__c_declares(w->loop, v) || rg__c_binds(w->loop, v)) return false;
        if (rg__c_writes_var(w->loop, v) && !takes_steps(w, v)) return false;
    }
    for (int k = 0; k < w->n_steps; k++)
        if (rg__c_mentions_var(w->loop->kid[0], w->steps[k].var) ||
            rg__c_mentions_var(w->loop->kid[1], w->steps[k].var))
            return false;
    return true;
}

static bool recognise(struct wrapped *w)
{
    const struct rg_cnode *body = w->loop->kid[2];
    w->ends = -1;
    if (w->loop->n > 4 || w->loop->step != 1 || body->kind != RG_C_BLOCK || rg__leaves_early(body) ||
        rg__moves_gets_memory(w->t, body))
        return false;
    for (w->add = 0; w->add < body->n; w->add++) {
        w->by = step(w, body->kid[w->add], false, &w->var);
        if (!w->by || !local_count(w->t, w->var) || w->t->vars[w->var].type != RG_I32 ||
            rg__doubling_writes(w->loop, w->var) != 2 || !stays(w, w->by))
            continue;
        for (w->wrap = w->add + 1; w->wrap < body->n && !rg__c_mentions_var(body->kid[w->wrap], w->var);) w->wrap++;
        if (w->wrap == body->n || !wraps(w, body->kid[w->wrap]) || !stays(w, w->most)) continue;
        bool behind = mentions_any(w, w->loop->kid[0]) || mentions_any(w, w->loop->kid[1]);
        const int end = w->loop->n == 4 ? body->n - 1 : body->n;
        for (int i = w->add + 1; i < end; i++) behind = behind || (i != w->wrap && mentions_any(w, body->kid[i]));
        if (!behind && (w->loop->n == 3 || ends_by_counters(w))) return true;
    }
    return false;
}

/* ---- as remainder and quotient ---- */

static struct rg_cnode *wide(struct rg_ctree *t, const struct rg_cnode *e)
{
    return rg__c_cast(t, rg__c_copy(t, e), RG_LLONG);
}

static struct rg_cnode *turns(const struct wrapped *w, struct rg_cnode *done)
{
    struct rg_ctree *t = w->t;
    return rg__c_binary(t, RG_COP_ADD, wide(t, rg__c_var(t, w->var)),
                        rg__c_binary(t, RG_COP_MUL, done, wide(t, w->by)));
}

static struct rg_cnode *quotient(const struct wrapped *w, int k, int all)
{
    struct rg_ctree *t = w->t;
    struct rg_cnode *q = rg__c_binary(t, RG_COP_DIV, rg__c_var(t, all), wide(t, w->most)),
                    *n = rg__c_binary(t, RG_COP_MUL, q, wide(t, w->each[k]));
    return rg__c_cast(t, rg__c_binary(t, RG_COP_ADD, wide(t, rg__c_var(t, w->turned[k])), n),
                      t->vars[w->turned[k]].type);
}

static struct rg_cnode *remainder_of(const struct wrapped *w, int all)
{
    struct rg_ctree *t = w->t;
    return rg__c_cast(t, rg__c_binary(t, RG_COP_REM, rg__c_var(t, all), wide(t, w->most)), t->vars[w->var].type);
}

static struct rg_cnode *stepped(const struct wrapped *w, int k, struct rg_cnode *done)
{
    struct rg_ctree *t = w->t;
    const int var = w->steps[k].var;
    struct rg_cnode *by = rg__c_binary(t, RG_COP_MUL, done, wide(t, w->steps[k].by));
    return rg__c_cast(t, rg__c_binary(t, RG_COP_ADD, wide(t, rg__c_var(t, var)), by), t->vars[var].type);
}

static struct rg_cnode *set(struct rg_ctree *t, int var, struct rg_cnode *value, const struct rg_cnode *at)
{
    struct rg_cnode *s = rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_var(t, var), value));
    s->line = at->line;
    return s;
}

static struct rg_cnode *own(struct rg_ctree *t, int var, struct rg_cnode *value, const struct rg_cnode *at, int *now)
{
    *now = rg__c_add_var(t, t->vars[var].name, RG_CVAR_LOCAL, t->vars[var].type);
    return rg__doubling_declaration(t, *now, value, at);
}

/* Declares what the counters are after `done` iterations, and lets n ask for those. */
static void as_counted(const struct wrapped *w, struct rg_cnode *done, struct rg__kids *in, struct rg_cnode **nodes,
                       int n_nodes)
{
    struct rg_ctree *t = w->t;
    int all = rg__c_add_var(t, "turns", RG_CVAR_LOCAL, RG_LLONG), now;
    rg__kids_add(in, rg__doubling_declaration(t, all, turns(w, rg__c_copy(t, done)), w->loop));
    for (int k = -1; k < w->n + w->n_steps; k++) {
        const int var = k < 0 ? w->var : k < w->n ? w->turned[k] : w->steps[k - w->n].var;
        struct rg_cnode *value = k < 0 ? remainder_of(w, all) : k < w->n ? quotient(w, k, all) : NULL;
        if (!value) value = stepped(w, k - w->n, rg__c_copy(t, done));
        rg__kids_add(in, own(t, var, value, w->loop, &now));
        for (int i = 0; i < n_nodes; i++) nodes[i] = rg__c_replace_var(t, nodes[i], var, rg__c_var(t, now));
    }
}

/* The number of iterations that run, or so: first = the least i + 1 of those that leave the flag unset, else hi. */
static struct rg_cnode *first_end(const struct wrapped *w, int first)
{
    struct rg_ctree *t = w->t;
    struct rg_cnode *l = rg__c_copy(t, w->loop), *body = l->kid[2], *set_flag = body->kid[w->ends];
    struct rg__kids in = {0};
    l->n = 3;
    for (int i = 0; i < body->n; i++)
        if (i != w->ends) body->kid[i] = rg__c_stmt(t, rg__c_int(t, 0)); /* its variables are not declared again */
    rg__moves_fresh(t, l, l);
    struct rg_cnode *one = rg__c_cast(t, rg__c_int(t, 1), RG_LLONG), *e = set_flag->kid[0]->kid[1],
                    *next = rg__c_binary(t, RG_COP_ADD, wide(t, rg__c_var(t, l->var)), one),
                    *done = rg__c_binary(t, RG_COP_SUB, rg__c_copy(t, next), wide(t, l->kid[0]));
    as_counted(w, done, &in, &e, 1);
    struct rg_cnode *better = rg_cnode_new(t, RG_C_COND, 3), *ends = rg_cnode_new(t, RG_C_COND, 3);
    better->kid[0] = rg__c_binary(t, RG_COP_LT, rg__c_copy(t, next), rg__c_var(t, first));
    better->kid[1] = next;
    better->kid[2] = rg__c_var(t, first);
    ends->kid[0] = rg__c_binary(t, RG_COP_EQ, e, rg__c_cast(t, rg__c_int(t, 0), e->type));
    ends->kid[1] = better;
    ends->kid[2] = rg__c_var(t, first);
    better->type = ends->type = RG_LLONG;
    rg__kids_add(&in, set(t, first, ends, set_flag));
    l->kid[2] = rg__kids_node(t, RG_C_BLOCK, &in);
    l->kid[2]->line = body->line;
    return l;
}

static bool is_step(const struct wrapped *w, int at)
{
    for (int k = 0; k < w->n_steps; k++)
        if (w->steps[k].at == at) return true;
    return at == w->add || at == w->wrap || at == w->ends;
}

static struct rg_cnode *without_wrapping(const struct wrapped *w)
{
    struct rg_ctree *t = w->t;
    struct rg_cnode *l = rg__c_copy(t, w->loop), *body = l->kid[2], *hi = l->kid[1];
    struct rg__kids in = {0}, out = {0}, last = {0};
    const bool flagged = w->ends >= 0;
    const int first = flagged ? rg__c_add_var(t, "first", RG_CVAR_LOCAL, RG_LLONG) : -1;
    if (flagged) {
        rg__kids_add(&out, rg__doubling_declaration(t, first, wide(t, hi), w->loop));
        rg__kids_add(&out, first_end(w, first));
        hi = rg__c_var(t, first);
    }
    l->n = 3;
    rg__moves_fresh(t, l, l);
    rg__moves_fresh_arrays(t, l, l);
    struct rg_cnode *done = rg__c_binary(t, RG_COP_SUB, wide(t, rg__c_var(t, l->var)), wide(t, l->kid[0]));
    as_counted(w, done, &in, body->kid, body->n);
    for (int i = 0; i < body->n; i++)
        if (!is_step(w, i)) rg__kids_add(&in, body->kid[i]);
    l->kid[2] = rg__kids_node(t, RG_C_BLOCK, &in);
    l->kid[2]->line = body->line;
    if (flagged) {
        struct rg_cnode *runs = rg_cnode_new(t, RG_C_IF, 2), *block = rg_cnode_new(t, RG_C_BLOCK, 1);
        runs->kid[0] = rg__c_binary(t, RG_COP_LT, wide(t, rg__c_var(t, l->var)), rg__c_var(t, first));
        runs->kid[1] = l->kid[2];
        block->kid[0] = runs;
        runs->line = block->line = body->line;
        l->kid[2] = block;
    }
    int behind = rg__c_add_var(t, "turns", RG_CVAR_LOCAL, RG_LLONG);
    struct rg_cnode *some = rg_cnode_new(t, RG_C_IF, 2),
                    *whole = rg__c_binary(t, RG_COP_SUB, wide(t, hi), wide(t, l->kid[0]));
    rg__kids_add(&last, rg__doubling_declaration(t, behind, turns(w, rg__c_copy(t, whole)), w->loop));
    for (int k = 0; k < w->n; k++) rg__kids_add(&last, set(t, w->turned[k], quotient(w, k, behind), w->loop));
    rg__kids_add(&last, set(t, w->var, remainder_of(w, behind), w->loop));
    for (int k = 0; k < w->n_steps; k++)
        rg__kids_add(&last, set(t, w->steps[k].var, stepped(w, k, rg__c_copy(t, whole)), w->loop));
    if (flagged) rg__kids_add(&last, rg__c_copy(t, w->loop->kid[2]->kid[w->ends]));
    some->kid[0] = rg__c_binary(t, RG_COP_LT, rg__c_copy(t, l->kid[0]), rg__c_copy(t, hi));
    some->kid[1] = rg__kids_node(t, RG_C_BLOCK, &last);
    some->line = some->kid[1]->line = w->loop->line;
    rg__kids_add(&out, l);
    rg__kids_add(&out, some);
    return rg__kids_node(t, RG_C_BLOCK, &out);
}

static struct rg_cnode *asked(const struct wrapped *w)
{
    struct rg_ctree *t = w->t;
    struct rg_cnode *zero = rg__c_int(t, 0), *c, *x = rg__c_var(t, w->var);
    c = rg__c_binary(t, RG_COP_AND, rg__c_binary(t, RG_COP_GE, rg__c_copy(t, w->by), zero),
                     rg__c_binary(t, RG_COP_GE, x, rg__c_copy(t, zero)));
    c = rg__c_binary(t, RG_COP_AND, c, rg__c_binary(t, RG_COP_LT, rg__c_copy(t, x), rg__c_copy(t, w->most)));
    if (w->ends >= 0) { /* and as many iterations as a number has room for */
        c = rg__c_binary(t, RG_COP_AND, c, rg__c_copy(t, w->loop->kid[3]));
        c = rg__c_binary(t, RG_COP_AND, c, rg__c_binary(t, RG_COP_GE, wide(t, w->loop->kid[1]), rg__c_copy(t, zero)));
    }
    if (!w->once) return c;
    return rg__c_binary(t, RG_COP_AND, c, rg__c_binary(t, RG_COP_LE, rg__c_copy(t, w->by), rg__c_copy(t, w->most)));
}

static void walk(struct rg_ctree *t, struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n)) return;
    for (int i = 0; i < n->n; i++) walk(t, n->kid[i]);
    for (int i = 0; i < n->n && n->kind == RG_C_BLOCK; i++) {
        struct wrapped w = {.t = t, .loop = n->kid[i]};
        if (w.loop->kind != RG_C_LOOP || !recognise(&w)) continue;
        struct rg_cnode *either = rg_cnode_new(t, RG_C_IF, 3);
        struct rg__kids as_it_stands = {0};
        either->kid[0] = asked(&w);
        either->kid[1] = without_wrapping(&w);
        rg__kids_add(&as_it_stands, w.loop);
        either->kid[2] = rg__kids_node(t, RG_C_BLOCK, &as_it_stands);
        either->line = either->kid[1]->line = either->kid[2]->line = w.loop->line;
        n->kid[i] = either;
    }
}

void rg__canon_wrapped(struct rg_ctree *t)
{
    walk(t, t->root);
}
