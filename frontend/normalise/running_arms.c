/* Conditions of a body that carries values, opened: each statement in them asks for itself. And counters that count
 * from some event on, whose condition asks the counter: if (good) age = 0; else if (age >= 0) age++; Whether the event
 * has come is a flag that is set once, and the counter counts without a condition: what it is before the event is not
 * asked. */
#include "frontend/normalise/doubling.h"
#include "frontend/normalise/running_values.h"
#include <stdlib.h>
#include <string.h>

/* v = flag ? e : v;  and behind it  v = flag ? v : f;  of one flag: as v = flag ? e : f; */
static struct rg_cnode *both_arms(struct rg_ctree *t, const struct rg_cnode *b, int first, int second)
{
    const struct rg_cnode *a[2], *c[2];
    for (int k = 0; k < 2; k++) {
        const struct rg_cnode *s = b->kid[k ? second : first];
        a[k] = s->kind == RG_C_STMT && s->kid[0]->kind == RG_C_ASSIGN && s->kid[0]->op == RG_COP_SET ? s->kid[0] : NULL;
        if (!a[k] || a[k]->kid[0]->kind != RG_C_VAR || a[k]->kid[0]->array >= 0) return NULL;
        c[k] = rg__c_uncast(a[k]->kid[1], RG__C_CASTS);
        if (c[k]->kind != RG_C_COND || c[k]->n != 3 || !rg__c_equal(c[k]->kid[2 - k], a[k]->kid[0])) return NULL;
    }
    int v = a[0]->kid[0]->var;
    const struct rg_cnode *flag = c[0]->kid[0], *e = c[0]->kid[1];
    if (a[1]->kid[0]->var != v || flag->kind != RG_C_VAR || flag->array >= 0 || !rg__c_equal(flag, c[1]->kid[0]) ||
        !rg__c_pure(t, e))
        return NULL;
    for (int i = first + 1; i < second; i++) {
        if (rg__c_mentions_var(b->kid[i], v) || rg__c_writes_var(b->kid[i], flag->var)) return NULL;
        for (int x = 0; x < t->n_vars; x++)
            if (rg__c_mentions_var(e, x) && rg__c_writes_var(b->kid[i], x)) return NULL;
        for (int x = 0; x < t->n_arrays; x++)
            if (rg__c_mentions_array(e, x) && rg__writes_array(b->kid[i], x)) return NULL;
    }
    struct rg_cnode *s = rg__c_copy(t, b->kid[second]), *both = s->kid[0]->kid[1];
    while (both->kind == RG_C_CAST) both = both->kid[0];
    both->kid[1] = rg__c_copy(t, e);
    return s;
}

void rg__running_join_arms(struct rg_ctree *t, struct rg_cnode *b)
{
    for (int i = 0; i < b->n; i++)
        for (int k = i + 1; k < b->n; k++) {
            struct rg_cnode *s = both_arms(t, b, i, k);
            if (!s) continue;
            b->kid[k] = s;
            struct rg__kids none = {0};
            rg__block_splice(t, b, i, 1, &none);
            i--;
            break;
        }
}

/* Scalars that are set under one condition, in its arm 1 or 2, and what they are made of there: NULL: the arm does
 * more.
 */
static struct rg_cnode *under(struct rg_ctree *t, const struct rg_cnode *s, const struct rg_cnode *flag, int arm)
{
    struct rg_cnode *x = rg_cnode_new(t, RG_C_COND, 3), *out;
    x->kid[0] = rg__c_copy(t, flag);
    if (s->kind == RG_C_DECL && s->array < 0 && !s->pointer && s->n && t->vars[s->var].type != RG_STRUCT &&
        rg__c_pure(t, s->kid[0])) {
        out = rg__c_copy(t, s);
        x->kid[arm] = out->kid[0];
        x->kid[3 - arm] = rg__c_cast(t, rg__c_int(t, 0), t->vars[s->var].type);
        out->kid[0] = x;
        x->type = t->vars[s->var].type;
        return out;
    }
    const struct rg_cnode *a = s->kind == RG_C_STMT ? s->kid[0] : NULL;
    if (!a || a->kind != RG_C_ASSIGN || a->kid[0]->kind != RG_C_VAR || a->kid[0]->array >= 0 || a->kid[0]->pointer ||
        a->type == RG_STRUCT || !rg__c_pure(t, a->kid[1]))
        return NULL;
    x->kid[arm] = a->op == RG_COP_SET
                      ? rg__c_copy(t, a->kid[1])
                      : rg__c_binary(t, rg_c_applied(a->op), rg__c_copy(t, a->kid[0]), rg__c_copy(t, a->kid[1]));
    x->kid[3 - arm] = rg__c_copy(t, a->kid[0]);
    x->type = t->vars[a->kid[0]->var].type;
    x->kid[arm] = rg__c_cast(t, x->kid[arm], x->type);
    return rg__c_stands(rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_copy(t, a->kid[0]), x)), s);
}

static bool is_flag(const struct rg_cnode *e, const struct rg_cnode *s)
{
    return e->kind == RG_C_VAR && e->array < 0 && !rg__c_writes_var(s, e->var);
}

/* Whether arm 2 of the statement is taken, as a flag: conditions outside of opaque code ask nothing else. */
static struct rg_cnode *other_flag(struct rg_ctree *t, const struct rg_cnode *flag, const struct rg_cnode *s)
{
    struct rg_cnode *d = rg__c_stands(rg_cnode_new(t, RG_C_DECL, 1), s);
    d->var = rg__c_add_var(t, t->vars[flag->var].name, RG_CVAR_LOCAL, RG_I32);
    d->type = RG_I32;
    d->kid[0] = rg__c_binary(t, RG_COP_EQ, rg__c_copy(t, flag), rg__c_int(t, 0));
    return d;
}

static bool open_if(struct rg_ctree *t, const struct rg_cnode *s, bool wide, struct rg__kids *out);

/* An if of one arm, by a flag that is 0 where the arm is not taken: so is not its opposite, which the other arm of this
 * one goes by. */
static bool open_inner(struct rg_ctree *t, const struct rg_cnode *s, const struct rg_cnode *flag, int arm, bool wide,
                       struct rg__kids *out)
{
    if (s->n < 3 || !s->kid[2] || !s->kid[2]->n) return open_if(t, s, wide, out);
    struct rg_cnode *d = other_flag(t, s->kid[0], s), *x = rg_cnode_new(t, RG_C_COND, 3);
    x->type = RG_I32;
    x->kid[0] = rg__c_copy(t, flag);
    x->kid[arm] = d->kid[0];
    x->kid[3 - arm] = rg__c_int(t, 0);
    d->kid[0] = x;
    rg__kids_add(out, d);
    for (int k = 1; k < 3; k++) {
        struct rg_cnode *one = rg__c_stands(rg_cnode_new(t, RG_C_IF, 2), s);
        one->kid[0] = k == 1 ? s->kid[0] : rg__c_var(t, d->var);
        one->kid[1] = s->kid[k];
        if (!open_if(t, one, wide, out)) return false;
    }
    return true;
}

/* v = flag ? (c ? e : v) : v, of a c that is declared from `from` on, and 0 where the flag is: v = c ? e : v. So it is
 * of the other arm, v = flag ? v : (c ? e : v). */
static void drop_flag(const struct rg_ctree *t, struct rg_cnode *s, int arm, int from, const struct rg__kids *out)
{
    struct rg_cnode *a = s->kind == RG_C_STMT ? s->kid[0] : NULL, *outer = a ? a->kid[1] : NULL;
    const struct rg_cnode *inner = outer ? rg__c_uncast(outer->kid[arm], RG__C_CASTS) : NULL;
    if (!inner || inner->kind != RG_C_COND || inner->n != 3 || inner->type != outer->type) return;
    const struct rg_cnode *c = inner->kid[0];
    if (c->kind != RG_C_VAR || c->array >= 0 || c->pointer || !rg__c_equal(inner->kid[2], a->kid[0]) ||
        t->vars[a->kid[0]->var].type != inner->type)
        return;
    bool declared = false;
    for (int i = from; i < out->n; i++) {
        const struct rg_cnode *o = out->items[i];
        if (o->kind == RG_C_DECL && o->array < 0 && o->var == c->var)
            declared = true;
        else if (rg__c_writes_var(o, c->var))
            return;
    }
    if (declared) a->kid[1] = outer->kid[arm];
}

/* A statement of one arm. `from`: where the arm begins in the list: a flag that is declared from there on is 0 where
 * the arm is not taken. */
static bool open_statement(struct rg_ctree *t, const struct rg_cnode *s, const struct rg_cnode *flag, int arm,
                           bool wide, int from, struct rg__kids *out)
{
    struct rg_cnode *x = under(t, s, flag, arm);
    if (x) {
        drop_flag(t, x, arm, from, out);
        rg__kids_add(out, x);
        return true;
    }
    if (!wide) return false;
    if (s->kind == RG_C_IF && s->kid[0]->kind == RG_C_VAR)
        for (int i = from; i < out->n; i++)
            if (out->items[i]->kind == RG_C_DECL && out->items[i]->array < 0 && out->items[i]->var == s->kid[0]->var)
                return open_inner(t, s, flag, arm, wide, out);
    if (s->kind != RG_C_STMT || s->kid[0]->kind != RG_C_ASSIGN || s->kid[0]->kid[0]->kind != RG_C_INDEX) return false;
    struct rg_cnode *other = arm == 1 ? NULL : other_flag(t, flag, s);
    if (other) rg__kids_add(out, other);
    x = rg__c_stands(rg_cnode_new(t, RG_C_IF, 2), s);
    x->kid[0] = other ? rg__c_var(t, other->var) : rg__c_copy(t, flag);
    x->kid[1] = rg__c_stands(rg_cnode_new(t, RG_C_BLOCK, 1), s);
    x->kid[1]->kid[0] = rg__c_copy(t, s);
    rg__kids_add(out, x);
    return true;
}

static bool open_if(struct rg_ctree *t, const struct rg_cnode *s, bool wide, struct rg__kids *out)
{
    const struct rg_cnode *flag = s->kid[0];
    if (!is_flag(flag, s) || (!wide && s->n > 2 && s->kid[2] && s->kid[2]->n)) return false;
    for (int arm = 1; arm < s->n; arm++) {
        int from = out->n;
        if (!s->kid[arm]) continue;
        if (s->kid[arm]->kind != RG_C_BLOCK) return false;
        for (int k = 0; k < s->kid[arm]->n; k++)
            if (!open_statement(t, s->kid[arm]->kid[k], flag, arm, wide, from, out)) return false;
    }
    return true;
}

void rg__running_open_arms(struct rg_ctree *t, struct rg_cnode *b, bool wide)
{
    for (int i = 0; i < b->n; i++) {
        struct rg__kids with = {0};
        if (b->kid[i]->kind != RG_C_IF) continue;
        bool all = open_if(t, b->kid[i], wide, &with);
        int n = with.n;
        if (all)
            rg__block_splice(t, b, i, 1, &with);
        else
            free(with.items);
        i += all ? n - 1 : 0;
    }
}

/* v = c ? e : v, or c ? v : e, of a scalar that holds nothing yet: e for c, nothing otherwise; NULL: another statement.
 */
static struct rg_cnode *first_value(struct rg_ctree *t, const struct rg_cnode *s, int var)
{
    const struct rg_cnode *a = s->kind == RG_C_STMT ? s->kid[0] : NULL;
    if (!a || a->kind != RG_C_ASSIGN || a->op != RG_COP_SET || a->kid[0]->kind != RG_C_VAR || a->kid[0]->array >= 0 ||
        a->kid[0]->pointer || a->kid[0]->var != var)
        return NULL;
    struct rg_cnode *value = rg__c_copy(t, a->kid[1]), *c = value;
    while (c->kind == RG_C_CAST) c = c->kid[0];
    if (c->kind != RG_C_COND || c->n != 3) return NULL;
    int keep = rg__c_equal(c->kid[1], a->kid[0]) ? 1 : rg__c_equal(c->kid[2], a->kid[0]) ? 2 : 0;
    if (!keep || rg__c_mentions_var(c->kid[0], var) || rg__c_mentions_var(c->kid[3 - keep], var)) return NULL;
    c->kid[keep] = rg__c_cast(t, rg__c_int(t, 0), t->vars[var].type);
    return value;
}

void rg__running_declare(struct rg_ctree *t, struct rg_cnode *b)
{
    for (int i = 0; i < b->n; i++) {
        const struct rg_cnode *d = b->kid[i];
        int k = i + 1;
        if (d->kind != RG_C_DECL || d->n || d->array >= 0 || d->pointer || t->vars[d->var].type == RG_STRUCT) continue;
        while (k < b->n && !rg__c_mentions_var(b->kid[k], d->var)) k++;
        struct rg_cnode *value = k < b->n ? first_value(t, b->kid[k], d->var) : NULL;
        if (!value) continue;
        struct rg_cnode *full = rg__c_stands(rg_cnode_new(t, RG_C_DECL, 1), b->kid[k]);
        full->var = d->var;
        full->type = d->type;
        full->kid[0] = value;
        b->kid[k] = full;
        struct rg__kids none = {0};
        rg__block_splice(t, b, i--, 1, &none);
    }
}

/* ---- counters that count from an event on ---- */

struct gate {
    struct rg_ctree *t;
    struct rg_cnode *body;
    int var;                   /* the counter */
    int64_t low;               /* it counts where it is at least this */
    int count, was, seen;      /* what it has counted; what it was in front of the loop; has the event come? */
    int resets, steps, n_asks; /* statements */
};

static bool is_var(const struct rg_cnode *e, int var)
{
    e = rg__c_uncast(e, RG__C_INT_CASTS);
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer && e->var == var;
}

static const struct rg_cnode *declared(const struct rg_cnode *b, int var, int *at)
{
    const struct rg_cnode *value = NULL;
    for (int i = 0; i < b->n; i++) {
        const struct rg_cnode *s = b->kid[i];
        if (s->kind == RG_C_DECL && s->array < 0 && s->var == var && s->n)
            value = s->kid[0], *at = i;
        else if (rg__c_writes_var(s, var))
            return NULL;
    }
    return value;
}

/* v >= c, v > c */
static bool asks(const struct gate *g, const struct rg_cnode *e, int64_t *low)
{
    e = rg__c_uncast(e, RG__C_INT_CASTS);
    if (e->kind == RG_C_BINARY && e->op == RG_COP_NE && e->kid[1]->kind == RG_C_INT && !e->kid[1]->ivalue)
        e = rg__c_uncast(e->kid[0], RG__C_INT_CASTS);
    if (e->kind != RG_C_BINARY || (e->op != RG_COP_GE && e->op != RG_COP_GT) || !is_var(e->kid[0], g->var))
        return false;
    const struct rg_cnode *c = rg__c_uncast(e->kid[1], RG__C_INT_CASTS);
    bool minus = c->op == RG_COP_NEG;
    c = minus ? rg__c_uncast(c->kid[0], RG__C_INT_CASTS) : c;
    if (c->kind != RG_C_INT || c->ivalue > 1 << 30 || c->ivalue < -(1 << 30)) return false;
    *low = (minus ? -c->ivalue : c->ivalue) + (e->op == RG_COP_GT);
    return true;
}

/* The condition that declaration `at` asks the counter under: flag ? v >= c : 0; 1 and 2, the arm, 0: under none; -1:
 * it is no such declaration. */
static int asks_under(const struct gate *g, int at, int64_t *low)
{
    const struct rg_cnode *s = g->body->kid[at], *e = s->kind == RG_C_DECL && s->array < 0 && s->n ? s->kid[0] : NULL;
    if (!e || !rg__scalar_is_int(g->t->vars[s->var].type)) return -1;
    if (asks(g, e, low)) return 0;
    e = rg__c_uncast(e, RG__C_INT_CASTS);
    if (e->kind != RG_C_COND || e->kid[0]->kind != RG_C_VAR || rg__c_mentions_var(e->kid[0], g->var)) return -1;
    for (int arm = 1; arm < 3; arm++) {
        const struct rg_cnode *none = rg__c_uncast(e->kid[3 - arm], RG__C_INT_CASTS);
        if (none->kind == RG_C_INT && !none->ivalue && asks(g, e->kid[arm], low)) return arm;
    }
    return -1;
}

/* v = flag ? e : v, v = flag ? v : e: e and its arm; NULL. */
static const struct rg_cnode *chosen(const struct gate *g, const struct rg_cnode *s, int *arm)
{
    const struct rg_cnode *a = s->kind == RG_C_STMT ? s->kid[0] : NULL;
    if (!a || a->kind != RG_C_ASSIGN || a->op != RG_COP_SET || !is_var(a->kid[0], g->var)) return NULL;
    const struct rg_cnode *c = rg__c_uncast(a->kid[1], RG__C_INT_CASTS);
    if (c->kind != RG_C_COND || c->kid[0]->kind != RG_C_VAR || c->kid[0]->array >= 0) return NULL;
    *arm = is_var(c->kid[2], g->var) ? 1 : 2;
    return is_var(c->kid[3 - *arm], g->var) ? rg__c_uncast(c->kid[*arm], RG__C_INT_CASTS) : NULL;
}

static const struct rg_cnode *flag_of(const struct rg_cnode *s)
{
    return rg__c_uncast(s->kid[0]->kid[1], RG__C_INT_CASTS)->kid[0];
}

/* v + 1 under a flag that asked v, which has not changed since: the flag's declaration; -1. */
static int step_asked(const struct gate *g, int at, int64_t *low)
{
    int arm, from = -1;
    const struct rg_cnode *s = g->body->kid[at], *e = chosen(g, s, &arm);
    if (!e || arm != 1 || e->op != RG_COP_ADD || !is_var(e->kid[0], g->var)) return -1;
    const struct rg_cnode *one = rg__c_uncast(e->kid[1], RG__C_INT_CASTS);
    if (one->kind != RG_C_INT || one->ivalue != 1 || !declared(g->body, flag_of(s)->var, &from) || from >= at)
        return -1;
    if (asks_under(g, from, low) < 0) return -1;
    for (int i = from; i < at; i++)
        if (rg__c_writes_var(g->body->kid[i], g->var)) return -1;
    return from;
}

/* v set to a number that is large enough, under a flag that has nothing to do with v. */
static bool resets(const struct gate *g, int at)
{
    int arm, from = -1;
    const struct rg_cnode *s = g->body->kid[at], *e = chosen(g, s, &arm);
    if (!e || e->kind != RG_C_INT || e->ivalue < g->low || e->ivalue > 1 << 30) return false;
    const struct rg_cnode *flag = declared(g->body, flag_of(s)->var, &from);
    return flag && from < at && !rg__c_mentions_var(flag, g->var);
}

static bool is_gate(struct gate *g)
{
    const struct rg_cnode *b = g->body;
    enum rg_scalar type = g->t->vars[g->var].type;
    if (!rg__scalar_is_int(type) || !rg_scalar_is_signed(type) || rg_scalar_bytes(type) < 4) return false;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < b->n; i++) {
            int64_t low;
            if (!rg__c_writes_var(b->kid[i], g->var)) continue;
            int from = step_asked(g, i, &low);
            if (pass == 0 && from >= 0) {
                if (g->steps++ && low != g->low) return false;
                g->low = low;
                const struct rg_cnode *e = rg__c_uncast(b->kid[from]->kid[0], RG__C_INT_CASTS);
                int at; /* what the flag asked itself is still that where the counter steps */
                if (e->kind == RG_C_COND && (!declared(b, e->kid[0]->var, &at) || at >= from)) return false;
            }
            if (pass == 1 && from < 0) {
                if (!resets(g, i)) return false;
                g->resets++;
            }
        }
    return g->steps && g->resets;
}

static struct rg_cnode *has_come(const struct gate *g)
{
    return rg__c_binary(g->t, RG_COP_NE, rg__c_var(g->t, g->seen), rg__c_int(g->t, 0));
}

static struct rg_cnode *value(const struct gate *g)
{
    return rg__c_choice(g->t, has_come(g), rg__c_var(g->t, g->count), rg__c_var(g->t, g->was));
}

static struct rg_cnode *set(const struct gate *g, int var, struct rg_cnode *v, const struct rg_cnode *at)
{
    return rg__c_stands(rg__c_stmt(g->t, rg__c_assign(g->t, RG_COP_SET, rg__c_var(g->t, var), v)), at);
}

static struct rg_cnode *chooses(const struct gate *g, const struct rg_cnode *s, int arm, int var, struct rg_cnode *v)
{
    struct rg_cnode *flag = rg__c_copy(g->t, flag_of(s)), *was = rg__c_var(g->t, var);
    return set(g, var, arm == 1 ? rg__c_choice(g->t, flag, v, was) : rg__c_choice(g->t, flag, was, v), s);
}

static void rewrite(const struct gate *g)
{
    struct rg_ctree *t = g->t;
    const struct rg_cnode *b = g->body;
    enum rg_scalar type = t->vars[g->var].type;
    struct rg__kids all = {0};
    for (int i = 0; i < b->n; i++) {
        struct rg_cnode *s = b->kid[i];
        const struct rg_cnode *e;
        int64_t low;
        int arm, from, under = asks_under(g, i, &low);
        if (under >= 0 && low == g->low) { /* has the event come? */
            e = rg__c_uncast(s->kid[0], RG__C_INT_CASTS);
            struct rg_cnode *d = rg__c_copy(t, s), *none = rg__c_int(t, 0), *come = has_come(g);
            if (under)
                come = rg__c_choice(t, rg__c_copy(t, e->kid[0]), under == 1 ? come : none, under == 1 ? none : come);
            d->kid[0] = rg__c_cast(t, come, t->vars[s->var].type);
            rg__kids_add(&all, d);
        } else if ((from = step_asked(g, i, &low)) >= 0) {
            struct rg_cnode *more = rg__c_binary(t, RG_COP_ADD, rg__c_var(t, g->count),
                                                 rg__c_cast(t, rg__c_int(t, 1), type)),
                            *was = rg__c_var(t, g->count);
            under = asks_under(g, from, &low);
            e = rg__c_uncast(b->kid[from]->kid[0], RG__C_INT_CASTS);
            if (under) {
                struct rg_cnode *flag = rg__c_copy(t, e->kid[0]);
                more = under == 1 ? rg__c_choice(t, flag, more, was) : rg__c_choice(t, flag, was, more);
            }
            rg__kids_add(&all, set(g, g->count, more, s));
        } else if (rg__c_writes_var(s, g->var)) {
            const struct rg_cnode *to = chosen(g, s, &arm);
            rg__kids_add(&all, chooses(g, s, arm, g->count, rg__c_cast(t, rg__c_copy(t, to), type)));
            rg__kids_add(&all, chooses(g, s, arm, g->seen, rg__c_int(t, 1)));
        } else {
            rg__kids_add(&all, rg__c_replace_var(t, s, g->var, value(g)));
        }
    }
    rg__block_splice(t, g->body, 0, b->n, &all);
}

bool rg__running_gates(struct rg_ctree *t, struct rg_cnode *loop, struct rg__kids *front, struct rg__kids *behind)
{
    bool any = false;
    struct rg_cnode *b = loop->kid[2];
    for (int v = 0, n = t->n_vars; v < n; v++) {
        struct gate g = {.t = t, .body = b, .var = v};
        if (t->vars[v].kind != RG_CVAR_LOCAL || !rg__c_writes_var(b, v) || rg__c_declares(b, v) || !is_gate(&g))
            continue;
        enum rg_scalar type = t->vars[v].type;
        g.count = rg__c_add_var(t, t->vars[v].name, RG_CVAR_LOCAL, type);
        g.was = rg__c_add_var(t, rg_arena_printf(&t->arena, "%s_first", t->vars[v].name), RG_CVAR_LOCAL, type);
        g.seen = rg__c_add_var(t, rg_arena_printf(&t->arena, "%s_counts", t->vars[v].name), RG_CVAR_LOCAL, RG_I32);
        rewrite(&g);
        struct rg_cnode *from = rg__c_cast(t, rg__c_int(t, g.low), type);
        rg__kids_add(front, rg__doubling_declaration(t, g.was, rg__c_var(t, v), loop));
        rg__kids_add(front,
                     rg__doubling_declaration(t, g.seen, rg__c_binary(t, RG_COP_GE, rg__c_var(t, v), from), loop));
        rg__kids_add(front,
                     rg__doubling_declaration(
                         t, g.count,
                         rg__c_choice(t, has_come(&g), rg__c_var(t, v), rg__c_cast(t, rg__c_int(t, 0), type)), loop));
        if (rg__doubling_live(t, v, loop)) rg__kids_add(behind, set(&g, v, value(&g), loop));
        any = true;
    }
    return any;
}
