/* Values that toggle: what is 0 or 1 and is negated is an exclusive or, f = !f; f = 1 - f; f = f != x to f ^= 1, f ^=
 * x, whose order is free. What every iteration toggles, a sign too, is a closed form of the iteration's number. */
#include "frontend/normalise/pointer_rotation.h"
#include <stdlib.h>

static bool scalar(const struct rg_cnode *e)
{
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer;
}

static bool is_int(const struct rg_cnode *e, int64_t v)
{
    e = rg__c_uncast(e, RG__C_CASTS);
    return e->kind == RG_C_INT && e->ivalue == v;
}

static bool is_var(const struct rg_cnode *e, int var)
{
    e = rg__c_uncast(e, RG__C_CASTS);
    return scalar(e) && e->var == var;
}

/* ---- which variables are 0 or 1 ---- */

static bool binary(const struct rg_ctree *t, const struct rg_cnode *e, const bool *is)
{
    if (e->kind == RG_C_CAST && e->type == RG_BOOL) return true;
    if (e->type == RG_BOOL && e->kind != RG_C_VAR && !e->pointer) return true;
    e = rg__c_uncast(e, RG__C_CASTS);
    if (e->type == RG_BOOL && !e->pointer) return true;
    switch (e->kind) {
    case RG_C_INT:
        return e->ivalue == 0 || e->ivalue == 1;
    case RG_C_VAR:
        return scalar(e) && is[e->var];
    case RG_C_UNARY:
        return e->op == RG_COP_NOT;
    case RG_C_COND:
        return binary(t, e->kid[1], is) && binary(t, e->kid[2], is);
    case RG_C_BINARY:
        if (rg_c_logic(e->op)) return true;
        if (e->op == RG_COP_BAND) return binary(t, e->kid[0], is) || binary(t, e->kid[1], is);
        if (e->op == RG_COP_REM)
            return is_int(e->kid[1], 2) && e->kid[0]->op == RG_COP_ADD && binary(t, e->kid[0]->kid[0], is) &&
                   binary(t, e->kid[0]->kid[1], is);
        if (e->op == RG_COP_SUB) return is_int(e->kid[0], 1) && binary(t, e->kid[1], is);
        return (e->op == RG_COP_XOR || e->op == RG_COP_BOR || e->op == RG_COP_MUL) && binary(t, e->kid[0], is) &&
               binary(t, e->kid[1], is);
    default:
        return false;
    }
}

/* Takes from the list what is given something else. */
static bool rule_out(const struct rg_ctree *t, const struct rg_cnode *n, bool *is)
{
    bool more = false;
    if (!n) return false;
    int v = -1;
    const struct rg_cnode *value = NULL;
    if (n->kind == RG_C_DECL && n->array < 0 && n->var >= 0 && n->n) v = n->var, value = n->kid[0];
    if ((n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC || n->op == RG_COP_ADDRESS) && scalar(n->kid[0])) {
        v = n->kid[0]->var;
        bool keeps =
            n->op == RG_COP_SET || n->op == RG_COP_XOR_SET || n->op == RG_COP_BOR_SET || n->op == RG_COP_MUL_SET;
        value = n->kind == RG_C_ASSIGN && keeps ? n->kid[1] : NULL;
        if (n->op == RG_COP_BAND_SET) value = n->kid[0]; /* never more than it was */
    }
    if (n->kind == RG_C_LOOP) v = n->var;
    if (v >= 0 && is[v] && t->vars[v].type != RG_BOOL && !(value && binary(t, value, is))) is[v] = false, more = true;
    for (int i = 0; i < n->n; i++) more |= rule_out(t, n->kid[i], is);
    return more;
}

static bool *binaries(const struct rg_ctree *t)
{
    bool *is = rg_xcalloc((size_t)t->n_vars + 1, sizeof *is);
    for (int v = 0; v < t->n_vars; v++) {
        const struct rg_cvar *x = &t->vars[v];
        is[v] = x->type == RG_BOOL ||
                (x->kind == RG_CVAR_LOCAL && rg__scalar_is_int(x->type) && !rg__mentions_kind(t->root, RG_C_VERBATIM));
    }
    while (rule_out(t, t->root, is)) {
    }
    return is;
}

/* ---- spellings ---- */

/* What the value is f exclusive-or'ed with; NULL: it is no toggle of f. */
static struct rg_cnode *toggled_by(struct rg_ctree *t, struct rg_cnode *e, int f, const bool *is)
{
    struct rg_cnode *u = (struct rg_cnode *)rg__c_uncast(e, RG__C_CASTS);
    if (u->op == RG_COP_NOT && is_var(u->kid[0], f)) return rg__c_int(t, 1);
    if (u->op == RG_COP_NOT) {
        struct rg_cnode *by = toggled_by(t, u->kid[0], f, is);
        return by ? rg__c_unary(t, RG_COP_NOT, by) : NULL;
    }
    if (u->kind == RG_C_COND && is_var(u->kid[0], f) && is_int(u->kid[1], 0) && is_int(u->kid[2], 1))
        return rg__c_int(t, 1);
    if (u->kind != RG_C_BINARY) return NULL;
    if (u->op == RG_COP_SUB && is_int(u->kid[0], 1) && is_var(u->kid[1], f)) return rg__c_int(t, 1);
    const struct rg_cnode *sum = rg__c_uncast(u->kid[0], RG__C_CASTS);
    bool halves = (u->op == RG_COP_REM && is_int(u->kid[1], 2)) || (u->op == RG_COP_BAND && is_int(u->kid[1], 1));
    if (halves && sum->op == RG_COP_ADD)
        for (int k = 0; k < 2; k++)
            if (is_var(sum->kid[k], f) && is_int(sum->kid[1 - k], 1)) return rg__c_int(t, 1);
    if (u->op != RG_COP_NE && u->op != RG_COP_EQ) return NULL;
    for (int k = 0; k < 2; k++) {
        struct rg_cnode *x = u->kid[1 - k];
        if (!is_var(u->kid[k], f) || rg__c_mentions_var(x, f) || !binary(t, x, is) || !rg__c_pure(t, x)) continue;
        x = rg__c_cast(t, rg__c_copy(t, x), RG_I32);
        return u->op == RG_COP_NE ? x : rg__c_unary(t, RG_COP_NOT, x);
    }
    return NULL;
}

static void spell(struct rg_ctree *t, struct rg_cnode *n, const bool *is)
{
    if (!n || rg__c_is_expr(n)) return;
    for (int i = 0; i < n->n; i++) spell(t, n->kid[i], is);
    if (n->kind != RG_C_STMT || n->kid[0]->op != RG_COP_SET || !scalar(n->kid[0]->kid[0])) return;
    int f = n->kid[0]->kid[0]->var;
    struct rg_cnode *by = is[f] && t->vars[f].kind == RG_CVAR_LOCAL ? toggled_by(t, n->kid[0]->kid[1], f, is) : NULL;
    if (by) n->kid[0] = rg__c_assign(t, RG_COP_XOR_SET, n->kid[0]->kid[0], rg__c_cast(t, by, t->vars[f].type));
}

/* ---- what every iteration toggles ---- */

/* f ^= 1 (bit) or f = -f, as a statement of its own: the variable, else -1. */
static int toggle(const struct rg_cnode *s, const bool *is, bool *bit)
{
    if (s->kind != RG_C_STMT || s->kid[0]->kind != RG_C_ASSIGN || !scalar(s->kid[0]->kid[0])) return -1;
    const struct rg_cnode *e = s->kid[0], *v = rg__c_uncast(e->kid[1], RG__C_CASTS);
    int f = e->kid[0]->var;
    *bit = e->op == RG_COP_XOR_SET && is[f] && is_int(v, 1);
    bool sign = (e->op == RG_COP_SET && v->op == RG_COP_NEG && is_var(v->kid[0], f)) ||
                (e->op == RG_COP_MUL_SET && ((v->op == RG_COP_NEG && is_int(v->kid[0], 1)) || is_int(v, -1)));
    return *bit || sign ? f : -1;
}

static int writes(const struct rg_cnode *n, int var)
{
    if (!n) return 0;
    bool here = (n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC || n->op == RG_COP_ADDRESS) && is_var(n->kid[0], var);
    int c = here || (n->kind == RG_C_DECL && n->array < 0 && n->var == var) || n->kind == RG_C_VERBATIM;
    for (int i = 0; i < n->n; i++) c += writes(n->kid[i], var);
    return c;
}

/* The value after `times` toggles. */
static struct rg_cnode *after(struct rg_ctree *t, int f, bool bit, struct rg_cnode *times)
{
    struct rg_cnode *v = rg__c_var(t, f), *x;
    if (bit) {
        x = rg__c_binary(t, RG_COP_REM, rg__c_binary(t, RG_COP_ADD, v, times), rg__c_int(t, 2));
        return rg__c_cast(t, x, t->vars[f].type);
    }
    x = rg_cnode_new(t, RG_C_COND, 3);
    x->kid[0] = rg__c_binary(t, RG_COP_EQ, rg__c_binary(t, RG_COP_REM, times, rg__c_int(t, 2)), rg__c_int(t, 0));
    x->kid[1] = v;
    x->kid[2] = rg__c_unary(t, RG_COP_NEG, rg__c_var(t, f));
    x->type = t->vars[f].type;
    return x;
}

static void replace_reads(struct rg_ctree *t, struct rg_cnode *n, int f, bool bit, const struct rg_cnode *times)
{
    for (int i = 0; n && i < n->n; i++) {
        if (n->kid[i] && scalar(n->kid[i]) && n->kid[i]->var == f)
            n->kid[i] = after(t, f, bit, rg__c_copy(t, times));
        else
            replace_reads(t, n->kid[i], f, bit, times);
    }
}

/* Iterations before the one of this counter. */
static struct rg_cnode *gone(struct rg_ctree *t, const struct rg_cnode *l, struct rg_cnode *counter)
{
    int64_t s = l->step > 0 ? l->step : -l->step;
    struct rg_cnode *lo = rg__c_copy(t, l->kid[0]);
    struct rg_cnode *d = l->step > 0 && is_int(lo, 0) ? counter
                         : l->step > 0                ? rg__c_binary(t, RG_COP_SUB, counter, lo)
                                                      : rg__c_binary(t, RG_COP_SUB, lo, counter);
    return s == 1 ? d : rg__c_binary(t, RG_COP_DIV, d, rg__c_int(t, s));
}

/* Read in a subscript or beside a pointer: it may choose between arrays, which has its own pass. */
static bool chooses(const struct rg_cnode *n, int f, bool place)
{
    if (!n) return false;
    if (place && scalar(n) && n->var == f) return true;
    bool inside = place || n->kind == RG_C_INDEX || n->pointer;
    for (int i = 0; i < n->n; i++)
        if (chooses(n->kid[i], f, inside)) return true;
    return n->kind == RG_C_IF && rg__c_mentions_var(n->kid[0], f) && rg__moves_any(n);
}

static bool close(struct rg_ctree *t, struct rg_cnode *block, int at, const bool *is, bool all)
{
    struct rg_cnode *l = block->kid[at], *body = l->kid[2];
    if (l->n != 3 || rg__leaves_loop(body) || rg__mentions_kind(body, RG_C_RETURN)) return false;
    for (int i = 0; i < body->n; i++) {
        bool bit;
        int f = toggle(body->kid[i], is, &bit);
        if (f < 0 || writes(body, f) != 1 || t->vars[f].kind != RG_CVAR_LOCAL || (!all && chooses(body, f, false)))
            continue;
        struct rg_cnode *before = gone(t, l, rg__c_var(t, l->var)),
                        *behind = rg__c_binary(t, RG_COP_ADD, rg__c_copy(t, before), rg__c_int(t, 1));
        for (int k = 0; k < body->n; k++)
            if (k != i) replace_reads(t, body->kid[k], f, bit, k < i ? before : behind);
        struct rg__kids none = {0}, with = {0};
        rg__block_splice(t, body, i, 1, &none);
        /* what the loop leaves: as many toggles as it has iterations */
        int64_t s = l->step > 0 ? l->step : -l->step;
        struct rg_cnode *lo = rg__c_copy(t, l->kid[0]), *up = rg__c_copy(t, l->kid[1]);
        struct rg_cnode *span = l->step < 0     ? rg__c_binary(t, RG_COP_SUB, lo, up)
                                : is_int(lo, 0) ? up
                                                : rg__c_binary(t, RG_COP_SUB, up, lo);
        struct rg_cnode *trips =
            s == 1
                ? span
                : rg__c_binary(t, RG_COP_DIV, rg__c_binary(t, RG_COP_ADD, span, rg__c_int(t, s - 1)), rg__c_int(t, s));
        struct rg_cnode *some = rg_cnode_new(t, RG_C_COND, 3);
        some->kid[0] =
            rg__c_binary(t, l->step > 0 ? RG_COP_LT : RG_COP_GT, rg__c_copy(t, l->kid[0]), rg__c_copy(t, l->kid[1]));
        some->kid[1] = trips;
        some->kid[2] = rg__c_int(t, 0);
        some->type = trips->type;
        struct rg_cnode *x = rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_var(t, f), after(t, f, bit, some)));
        x->line = l->line;
        x->column = l->column;
        rg__kids_add(&with, x);
        rg__block_splice(t, block, at + 1, 0, &with);
        return true;
    }
    return false;
}

static void walk(struct rg_ctree *t, struct rg_cnode *n, const bool *is, bool all)
{
    if (!n || rg__c_is_expr(n)) return;
    for (int i = 0; i < n->n; i++) walk(t, n->kid[i], is, all);
    for (int i = 0; n->kind == RG_C_BLOCK && i < n->n; i++)
        while (n->kid[i]->kind == RG_C_LOOP && close(t, n, i, is, all)) {
        }
}

void rg__canon_toggles(struct rg_ctree *t)
{
    bool *is = binaries(t);
    spell(t, t->root, is);
    walk(t, t->root, is, false);
    free(is);
}

void rg__canon_toggles_left(struct rg_ctree *t)
{
    bool *is = binaries(t);
    walk(t, t->root, is, true);
    free(is);
}
