/* Counters that begin again when they have reached a number, and what counts how often they do:
 *     for i: { ..;  c += a;  ..  if (c == m) { c = 0;  r += d;  .. } .. }      or the test first, the step last
 * (columns and rows beside a counter over all pixels, breaks after so many characters, every tenth sample). They go
 * through p = ceil(m / a) values again and again, so that an iteration knows where it stands:
 *     for i: { k = i - lo;  c' = k % p * a;  r' = r + k / p * d;  ..;  c' += a;  if (c' == m) { c' = 0;  r' += d;  .. }
 * } That holds from c = 0 on, where m is at least 1 and, for ==, a multiple of a; by a step other than 1 only where
 * both are numbers. The loop is written twice, and asks. A counter whose rest is kept (c -= m) is in
 * wrapped_counters.c. */
#include "frontend/normalise/canon.h"
#include "frontend/normalise/doubling.h"
#include "frontend/normalise/pointer_rotation.h"
#include <string.h>

enum { MOST_ROUNDS = 4, MOST_COUNTERS = 3 /* of a loop */ };

struct cyclic {
    struct rg_ctree *t;
    struct rg_cnode *loop;
    int var; /* c */
    int64_t step;
    const struct rg_cnode *most;
    bool number; /* most is one: period says how many values there are */
    int64_t period;
    bool test_first;
    int n; /* counters of how often */
    int rounds[MOST_ROUNDS];
    const struct rg_cnode *each[MOST_ROUNDS];
};

static bool is_var(const struct rg_cnode *e, int var)
{
    e = rg__c_uncast(e, RG__C_WIDE_CASTS);
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer && e->var == var;
}

/* An integer that the loop leaves alone. */
static bool stays(const struct cyclic *y, const struct rg_cnode *e)
{
    if (!rg__c_pure(y->t, e) || e->pointer || !rg__scalar_is_int(e->type) || rg__mentions_kind(e, RG_C_INDEX) ||
        rg__mentions_kind(e, RG_C_CALL) || rg__mentions_kind(e, RG_C_MEMBER))
        return false;
    for (int v = 0; v < y->t->n_vars; v++)
        if (rg__c_mentions_var(e, v) && (v == y->loop->var || rg__c_writes_var(y->loop, v) ||
                                         rg__c_declares(y->loop, v) || rg__c_binds(y->loop, v)))
            return false;
    return true;
}

static bool local_count(const struct rg_ctree *t, int var)
{
    const enum rg_scalar type = t->vars[var].type;
    return t->vars[var].kind == RG_CVAR_LOCAL && rg__scalar_is_int(type) && type != RG_BOOL &&
           rg_scalar_bytes(type) >= 4;
}

/* v += e, ++v: e; NULL. */
static const struct rg_cnode *step(const struct cyclic *y, const struct rg_cnode *s, int *var)
{
    const struct rg_cnode *e = s->kind == RG_C_STMT ? s->kid[0] : NULL;
    const bool add = e && e->kind == RG_C_ASSIGN && e->op == RG_COP_ADD_SET,
               one = e && e->kind == RG_C_INCDEC && rg_c_increments(e->op);
    if ((!add && !one) || e->kid[0]->kind != RG_C_VAR || e->kid[0]->array >= 0 || e->kid[0]->pointer) return NULL;
    *var = e->kid[0]->var;
    return one ? rg__c_int(y->t, 1) : e->kid[1];
}

static bool sets_zero(const struct rg_cnode *s, int var)
{
    const struct rg_cnode *e = s->kind == RG_C_STMT ? s->kid[0] : NULL;
    int64_t zero;
    return e && e->kind == RG_C_ASSIGN && e->op == RG_COP_SET && is_var(e->kid[0], var) &&
           rg__c_number(e->kid[1], &zero) && zero == 0;
}

/* How many values there are, of numbers; of others p = m, by a step of 1. */
static bool has_period(struct cyclic *y, enum rg_c_op op)
{
    const enum rg_scalar own = y->t->vars[y->var].type, most = rg__c_uncast(y->most, RG__C_WIDE_CASTS)->type;
    int64_t m;
    y->number = rg__c_number(rg__c_uncast(y->most, RG__C_WIDE_CASTS), &m);
    if (!y->number) /* an unsigned counter must get there before it comes round */
        return y->step == 1 && (rg_scalar_is_signed(own) || rg_scalar_bytes(most) <= rg_scalar_bytes(own));
    if (m < 1 || m > INT32_MAX - y->step || (op == RG_COP_EQ && m % y->step)) return false;
    y->period = (m + y->step - 1) / y->step;
    return true;
}

/* if (v == m) { .. v = 0; r += d; .. } */
static bool begins_again(struct cyclic *y, const struct rg_cnode *s)
{
    const struct rg_cnode *test = s->kind == RG_C_IF ? s->kid[0] : NULL, *body = test ? s->kid[1] : NULL;
    int back = 0, var;
    if (!test || test->kind != RG_C_BINARY || (test->op != RG_COP_EQ && test->op != RG_COP_GE) ||
        !is_var(test->kid[0], y->var) || !stays(y, test->kid[1]) ||
        rg_scalar_bytes(test->kid[0]->type) < rg_scalar_bytes(y->t->vars[y->var].type))
        return false;
    y->most = test->kid[1];
    y->n = 0;
    if (body->kind != RG_C_BLOCK) return sets_zero(body, y->var) && has_period(y, test->op);
    for (int i = 0; i < body->n; i++) {
        back += sets_zero(body->kid[i], y->var);
        const struct rg_cnode *by = step(y, body->kid[i], &var);
        if (!by || var == y->var || y->n == MOST_ROUNDS || !local_count(y->t, var) || !stays(y, by) ||
            rg_scalar_bytes(rg__c_uncast(by, RG__C_WIDE_CASTS)->type) > 4 || rg__doubling_writes(y->loop, var) != 1)
            continue;
        y->rounds[y->n] = var;
        y->each[y->n++] = by;
    }
    return back == 1 && has_period(y, test->op);
}

static bool recognise(struct cyclic *y)
{
    const struct rg_cnode *body = y->loop->kid[2];
    if (y->loop->n != 3 || y->loop->step < 1 || body->kind != RG_C_BLOCK || rg__leaves_early(body) ||
        rg__moves_gets_memory(y->t, body) || !stays(y, y->loop->kid[0]) || !stays(y, y->loop->kid[1]))
        return false;
    for (int i = 0; i < body->n; i++) {
        const struct rg_cnode *by = step(y, body->kid[i], &y->var);
        if (!by || !rg__c_number(by, &y->step) || y->step < 1 || y->step > INT16_MAX || !local_count(y->t, y->var) ||
            rg__c_declares(y->loop, y->var) || rg__doubling_writes(y->loop, y->var) != 2)
            continue;
        for (int k = 0; k < body->n; k++)
            if (k != i && begins_again(y, body->kid[k])) {
                y->test_first = k < i;
                return true;
            }
    }
    return false;
}

/* ---- where an iteration stands ---- */

static struct rg_cnode *whole(struct rg_ctree *t, int64_t v)
{
    return rg__c_cast(t, rg__c_int(t, v), RG_LLONG);
}

static struct rg_cnode *wide(struct rg_ctree *t, const struct rg_cnode *e)
{
    return rg__c_cast(t, rg__c_copy(t, e), RG_LLONG);
}

static struct rg_cnode *period(const struct cyclic *y)
{
    return y->number ? whole(y->t, y->period) : wide(y->t, y->most);
}

/* if there was any step before: yes, else no */
static struct rg_cnode *after_one(const struct cyclic *y, int done, struct rg_cnode *yes, struct rg_cnode *no)
{
    struct rg_cnode *c = rg_cnode_new(y->t, RG_C_COND, 3);
    c->type = RG_LLONG;
    c->kid[0] = rg__c_binary(y->t, RG_COP_GT, rg__c_var(y->t, done), whole(y->t, 0));
    c->kid[1] = yes;
    c->kid[2] = no;
    return c;
}

/* Iterations that the period is counted in: where the test comes first, the one before has not asked yet. */
static struct rg_cnode *counted(const struct cyclic *y, int done)
{
    struct rg_ctree *t = y->t;
    struct rg_cnode *k = rg__c_var(t, done);
    if (!y->test_first) return k;
    return after_one(y, done, rg__c_binary(t, RG_COP_SUB, k, whole(t, 1)), whole(t, 0));
}

static struct rg_cnode *place(const struct cyclic *y, int done)
{
    struct rg_ctree *t = y->t;
    struct rg_cnode *e = rg__c_binary(t, RG_COP_REM, counted(y, done), period(y));
    if (y->step != 1) e = rg__c_binary(t, RG_COP_MUL, e, whole(t, y->step));
    if (y->test_first) e = rg__c_binary(t, RG_COP_ADD, e, after_one(y, done, whole(t, y->step), whole(t, 0)));
    return rg__c_cast(t, e, t->vars[y->var].type);
}

/* In the counter's own type where that has no sign: it may come round. */
static struct rg_cnode *rounds(const struct cyclic *y, int k, int done)
{
    struct rg_ctree *t = y->t;
    const enum rg_scalar own = t->vars[y->rounds[k]].type, in = rg_scalar_is_signed(own) ? RG_LLONG : own;
    struct rg_cnode *n = rg__c_cast(t, rg__c_binary(t, RG_COP_DIV, counted(y, done), period(y)), in),
                    *by = rg__c_cast(t, rg__c_copy(t, y->each[k]), in),
                    *from = rg__c_cast(t, rg__c_var(t, y->rounds[k]), in);
    return rg__c_cast(t, rg__c_binary(t, RG_COP_ADD, from, rg__c_binary(t, RG_COP_MUL, n, by)), own);
}

static struct rg_cnode *set(struct rg_ctree *t, int var, struct rg_cnode *value, const struct rg_cnode *at)
{
    struct rg_cnode *s = rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_var(t, var), value));
    s->line = at->line;
    return s;
}

/* From where the loop begins to `to`, rounded up by `more`. */
static struct rg_cnode *iterations(const struct cyclic *y, const struct rg_cnode *l, const struct rg_cnode *to,
                                   int64_t more)
{
    struct rg_ctree *t = y->t;
    struct rg_cnode *n = rg__c_binary(t, RG_COP_SUB, wide(t, to), wide(t, l->kid[0]));
    if (l->step == 1) return n;
    if (more) n = rg__c_binary(t, RG_COP_ADD, n, whole(t, more));
    return rg__c_binary(t, RG_COP_DIV, n, whole(t, l->step));
}

/* The loop whose iterations have counters of their own, and what these are behind it. */
static struct rg_cnode *by_iteration(const struct cyclic *y)
{
    struct rg_ctree *t = y->t;
    struct rg_cnode *l = rg__c_copy(t, y->loop), *some = rg_cnode_new(t, RG_C_IF, 2);
    struct rg__kids in = {0}, out = {0}, last = {0};
    rg__moves_fresh(t, l, l);
    rg__moves_fresh_arrays(t, l, l);
    struct rg_cnode *body = l->kid[2];
    const int done = rg__c_add_var(t, "done", RG_CVAR_LOCAL, RG_LLONG),
              all = rg__c_add_var(t, "done", RG_CVAR_LOCAL, RG_LLONG);
    rg__kids_add(&in, rg__doubling_declaration(t, done, iterations(y, l, rg__c_var(t, l->var), 0), y->loop));
    rg__kids_add(&last, rg__doubling_declaration(t, all, iterations(y, l, l->kid[1], l->step - 1), y->loop));
    for (int k = -1; k < y->n; k++) {
        const int var = k < 0 ? y->var : y->rounds[k],
                  now = rg__c_add_var(t, t->vars[var].name, RG_CVAR_LOCAL, t->vars[var].type);
        rg__kids_add(&in, rg__doubling_declaration(t, now, k < 0 ? place(y, done) : rounds(y, k, done), y->loop));
        for (int i = 0; i < body->n; i++) body->kid[i] = rg__c_replace_var(t, body->kid[i], var, rg__c_var(t, now));
        rg__kids_add(&last, set(t, var, k < 0 ? place(y, all) : rounds(y, k, all), y->loop));
    }
    for (int i = 0; i < body->n; i++) rg__kids_add(&in, body->kid[i]);
    l->kid[2] = rg__kids_node(t, RG_C_BLOCK, &in);
    l->kid[2]->line = body->line;
    some->kid[0] = rg__c_binary(t, RG_COP_LT, rg__c_copy(t, l->kid[0]), rg__c_copy(t, l->kid[1]));
    some->kid[1] = rg__kids_node(t, RG_C_BLOCK, &last);
    some->line = some->kid[1]->line = y->loop->line;
    rg__kids_add(&out, l);
    rg__kids_add(&out, some);
    return rg__kids_node(t, RG_C_BLOCK, &out);
}

static struct rg_cnode *asked(const struct cyclic *y)
{
    struct rg_ctree *t = y->t;
    struct rg_cnode *c = rg__c_binary(t, RG_COP_EQ, rg__c_var(t, y->var), rg__c_int(t, 0));
    if (y->number) return c;
    return rg__c_binary(t, RG_COP_AND, c, rg__c_binary(t, RG_COP_GE, wide(t, y->most), whole(t, 1)));
}

/* The block's statement, where it is such a loop; then the same loop for the next of its counters. */
static void twice(struct rg_ctree *t, struct rg_cnode *block, int at, int counters)
{
    struct cyclic y = {.t = t, .loop = block->kid[at]};
    if (y.loop->kind != RG_C_LOOP || counters == MOST_COUNTERS || !recognise(&y)) return;
    struct rg_cnode *either = rg_cnode_new(t, RG_C_IF, 3);
    struct rg__kids as_it_stands = {0};
    either->kid[0] = asked(&y);
    either->kid[1] = by_iteration(&y);
    rg__kids_add(&as_it_stands, y.loop);
    either->kid[2] = rg__kids_node(t, RG_C_BLOCK, &as_it_stands);
    either->line = either->kid[1]->line = either->kid[2]->line = y.loop->line;
    block->kid[at] = either;
    twice(t, either->kid[1], 0, counters + 1);
}

static void walk(struct rg_ctree *t, struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n)) return;
    for (int i = 0; i < n->n; i++) walk(t, n->kid[i]);
    for (int i = 0; i < n->n && n->kind == RG_C_BLOCK; i++) twice(t, n, i, 0);
}

void rg__canon_cyclic(struct rg_ctree *t)
{
    walk(t, t->root);
}
