/* Flags that a loop leaves for its next iteration, where what an iteration leaves does not depend on what it found:
 *     if (space(c)) in = 0; else if (!in) { in = 1; words++; }
 * leaves 0 behind a space and else 1, whatever it was. Such a flag is set at the end of the body by one statement,
 *     if (!space(c)) if (!in) words++;   in = space(c) ? 0 : 1;
 * which the next iteration can compute again (previous_values.c). */
#include "frontend/normalise/canon.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_VALUES = 4, MOST_SIZE = 40 };

struct flag {
    struct rg_ctree *t;
    const struct rg_cnode *body;
    int var;
    int n;
    int64_t value[MOST_VALUES]; /* all that it ever is */
    bool other;                 /* or something else */
};

static bool is_flag(const struct flag *f, const struct rg_cnode *e)
{
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer && e->var == f->var;
}

static void note_value(struct flag *f, const struct rg_cnode *e)
{
    e = e ? rg__c_uncast(e, RG__C_INT_CASTS) : NULL;
    bool known = e && e->kind == RG_C_INT;
    for (int i = 0; i < f->n && known; i++)
        if (f->value[i] == e->ivalue) return;
    if (!known || f->n == MOST_VALUES)
        f->other = true;
    else
        f->value[f->n++] = e->ivalue;
}

static void note_values(struct flag *f, const struct rg_cnode *n)
{
    if (!n || f->other) return;
    if (n->kind == RG_C_VERBATIM || (n->kind == RG_C_LOOP && n->var == f->var)) f->other = true;
    if (n->kind == RG_C_DECL && n->array < 0 && n->var == f->var) note_value(f, n->n ? n->kid[0] : NULL);
    if (n->op == RG_COP_ADDRESS || n->kind == RG_C_INCDEC) f->other |= is_flag(f, n->kid[0]);
    if (n->kind == RG_C_ASSIGN && is_flag(f, n->kid[0])) note_value(f, n->op == RG_COP_SET ? n->kid[1] : NULL);
    for (int i = 0; i < n->n; i++) note_values(f, n->kid[i]);
}

static struct rg_cnode *truth(struct rg_ctree *t, bool v)
{
    return rg__c_int(t, v);
}

/* The condition where the flag has the value; a constant where that decides it. NULL: asked for in another way. */
static struct rg_cnode *condition_at(const struct flag *f, const struct rg_cnode *c, int64_t value)
{
    struct rg_ctree *t = f->t;
    const struct rg_cnode *e = rg__c_uncast(c, RG__C_INT_CASTS);
    if (!rg__c_mentions_var(e, f->var)) return rg__c_copy(t, c);
    if (is_flag(f, e)) return truth(t, value != 0);
    if (e->op == RG_COP_NOT) {
        struct rg_cnode *k = condition_at(f, e->kid[0], value);
        return !k ? NULL : k->kind == RG_C_INT ? truth(t, !k->ivalue) : rg__c_unary(t, RG_COP_NOT, k);
    }
    if (e->op == RG_COP_AND || e->op == RG_COP_OR) {
        struct rg_cnode *a = condition_at(f, e->kid[0], value), *b = condition_at(f, e->kid[1], value);
        bool and = e->op == RG_COP_AND;
        if (!a || !b) return NULL;
        if (a->kind == RG_C_INT) return (a->ivalue != 0) == and? b : truth(t, !and);
        if (b->kind == RG_C_INT) return (b->ivalue != 0) == and? a : truth(t, !and);
        return rg__c_binary(t, e->op, a, b);
    }
    if (!rg_c_relation(e->op)) return NULL;
    const struct rg_cnode *a = rg__c_uncast(e->kid[0], RG__C_INT_CASTS), *b = rg__c_uncast(e->kid[1], RG__C_INT_CASTS);
    if (!(is_flag(f, a) && b->kind == RG_C_INT) && !(is_flag(f, b) && a->kind == RG_C_INT)) return NULL;
    int64_t x = a->kind == RG_C_INT ? a->ivalue : value, y = b->kind == RG_C_INT ? b->ivalue : value;
    switch (e->op) {
    case RG_COP_EQ:
        return truth(t, x == y);
    case RG_COP_NE:
        return truth(t, x != y);
    case RG_COP_LT:
        return truth(t, x < y);
    case RG_COP_LE:
        return truth(t, x <= y);
    case RG_COP_GT:
        return truth(t, x > y);
    default:
        return truth(t, x >= y);
    }
}

/* Is the condition the same at the end of the body as where it stands? */
static bool lasts(const struct flag *f, const struct rg_cnode *e)
{
    const struct rg_ctree *t = f->t;
    if (e->pointer || e->op == RG_COP_DEREF || e->op == RG_COP_ADDRESS || e->kind == RG_C_VERBATIM) return false;
    if (e->kind == RG_C_CALL && !rg__c_pure(t, e)) return false;
    if (e->kind == RG_C_INDEX && rg__writes_array(f->body, e->array)) return false;
    if (e->kind == RG_C_VAR) {
        int writers = 0;
        bool nested = rg__c_declares(f->body, e->var) || rg__c_binds(f->body, e->var);
        for (int i = 0; i < f->body->n; i++) {
            const struct rg_cnode *s = f->body->kid[i];
            bool own = s->kind == RG_C_DECL && s->array < 0 && s->var == e->var;
            writers += own || rg__c_writes_var(s, e->var);
            if (own) nested = false;
        }
        if (nested || writers > 1 || (writers && !rg__c_declares(f->body, e->var))) return false;
    }
    for (int i = 0; i < e->n; i++)
        if (!lasts(f, e->kid[i])) return false;
    return true;
}

/* What the flag is behind the statement, where it was `was` in front of it; NULL: not known. */
static struct rg_cnode *behind(const struct flag *f, const struct rg_cnode *s, struct rg_cnode *was)
{
    struct rg_ctree *t = f->t;
    if (!s || !was || !rg__c_writes_var(s, f->var)) return was;
    if (s->kind == RG_C_BLOCK) {
        bool set = false;
        for (int i = 0; i < s->n && was; i++) {
            if (set && rg__c_mentions_var(s->kid[i], f->var)) return NULL; /* asked for behind it */
            set |= rg__c_writes_var(s->kid[i], f->var);
            was = behind(f, s->kid[i], was);
        }
        return was;
    }
    if (s->kind == RG_C_STMT && s->kid[0]->kind == RG_C_ASSIGN && is_flag(f, s->kid[0]->kid[0]))
        return rg__c_int(t, rg__c_uncast(s->kid[0]->kid[1], RG__C_INT_CASTS)->ivalue);
    if (s->kind != RG_C_IF || rg__c_writes_var(s->kid[0], f->var)) return NULL;
    struct rg_cnode *c = s->kid[0];
    if (rg__c_mentions_var(c, f->var)) c = was->kind == RG_C_INT ? condition_at(f, c, was->ivalue) : NULL;
    if (!c) return NULL;
    if (c->kind == RG_C_INT) return behind(f, c->ivalue ? s->kid[1] : s->n > 2 ? s->kid[2] : NULL, was);
    struct rg_cnode *yes = behind(f, s->kid[1], was), *no = behind(f, s->n > 2 ? s->kid[2] : NULL, was);
    if (!yes || !no || !lasts(f, c)) return NULL;
    if (rg__c_equal(yes, no)) return yes;
    struct rg_cnode *x = rg_cnode_new(t, RG_C_COND, 3);
    x->kid[0] = rg__c_copy(t, c);
    x->kid[1] = yes;
    x->kid[2] = no;
    x->type = RG_I32;
    return rg__c_size(x) <= MOST_SIZE ? x : NULL;
}

static void drop_settings(const struct flag *f, struct rg_cnode *n)
{
    for (int i = 0; i < n->n; i++) {
        struct rg_cnode *s = n->kid[i];
        if (!s || rg__c_is_expr(s)) continue;
        bool sets = s->kind == RG_C_STMT && s->kid[0]->kind == RG_C_ASSIGN && is_flag(f, s->kid[0]->kid[0]);
        struct rg__kids none = {0};
        if (sets && n->kind == RG_C_BLOCK)
            rg__block_splice(f->t, n, i--, 1, &none);
        else if (sets)
            n->kid[i] = rg_cnode_new(f->t, RG_C_BLOCK, 0);
        else
            drop_settings(f, s);
    }
}

/* Is the flag asked for where it is not set behind the same conditions alone? */
static bool asked(const struct flag *f, const struct rg_cnode *n)
{
    bool set = n->kind == RG_C_ASSIGN && n->op == RG_COP_SET && is_flag(f, n->kid[0]);
    if (is_flag(f, n)) return true;
    for (int i = set; i < n->n; i++)
        if (n->kid[i] && asked(f, n->kid[i])) return true;
    return false;
}

static void of_loop(struct rg_ctree *t, struct rg_cnode *l, int var)
{
    struct rg_cnode *body = l->kid[2];
    struct flag f = {.t = t, .body = body, .var = var};
    bool alone = false; /* the last statement does nothing else already */
    const struct rg_cnode *last = body->n ? body->kid[body->n - 1] : NULL;
    alone = last && last->kind == RG_C_STMT && rg__c_writes_var(last, var);
    if (alone || rg__c_declares(body, var) || !asked(&f, body)) return;
    note_values(&f, t->root);
    if (f.other || f.n < 2) return;
    struct rg_cnode *left = NULL;
    for (int i = 0; i < f.n; i++) {
        struct rg_cnode *e = behind(&f, body, rg__c_int(t, f.value[i]));
        if (!e || (i && !rg__c_equal(e, left))) return;
        left = e;
    }
    struct rg_cnode *s =
        rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_var(t, var), rg__c_cast(t, left, t->vars[var].type)));
    s->line = last->line;
    s->column = last->column;
    drop_settings(&f, body);
    struct rg__kids with = {0};
    rg__kids_add(&with, s);
    rg__block_splice(t, body, body->n, 0, &with);
}

static bool look(void *arg, struct rg_cnode *n)
{
    struct rg_ctree *t = arg;
    if (n->kind == RG_C_LOOP && n->n == 3 && n->kid[2]->kind == RG_C_BLOCK && !rg__leaves_early(n->kid[2]) &&
        !rg__mentions_kind(n->kid[2], RG_C_VERBATIM))
        for (int v = 0; v < t->n_vars; v++)
            if (t->vars[v].kind == RG_CVAR_LOCAL && rg__scalar_is_int(t->vars[v].type) &&
                rg__c_writes_var(n->kid[2], v))
                of_loop(t, n, v);
    return !rg__c_is_expr(n);
}

void rg__canon_last_flags(struct rg_ctree *t)
{
    rg__c_walk(t->root, look, t);
}
