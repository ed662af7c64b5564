/* Where a loop's code leads by the numbers that were set on the way: which of its branches end in an error. */
#include "frontend/normalise/error_exits.h"
#include "frontend/normalise/search_loops.h"
#include <string.h>

bool rg__way_push(struct rg__way *w, const struct rg_cnode *block, int at, bool loop)
{
    if (w->n == RG__ERRORS_FRAMES) return false;
    w->f[w->n++] = (struct rg__frame){block, at, loop};
    return true;
}

/* ---- where a break leads, by the numbers that were set on the way ---- */

static void forget(struct rg__known *k, int var)
{
    for (int i = 0; i < k->n; i++)
        if (k->var[i] == var) {
            k->var[i] = k->var[--k->n];
            k->value[i] = k->value[k->n];
            return;
        }
}

void rg__known_learn(struct rg__known *k, int var, int64_t value)
{
    forget(k, var);
    if (k->n == RG__ERRORS_KNOWN) return;
    k->var[k->n] = var;
    k->value[k->n++] = value;
}

bool rg__known_number(const struct rg__known *k, const struct rg_cnode *e, int64_t *out)
{
    int64_t a, b;
    e = rg__c_uncast(e, RG__C_INT_CASTS);
    if (e->kind == RG_C_INT) return *out = e->ivalue, true;
    if (e->kind == RG_C_VAR && e->array < 0 && !e->pointer) {
        for (int i = 0; i < k->n; i++)
            if (k->var[i] == e->var) return *out = k->value[i], true;
        return false;
    }
    if (e->op == RG_COP_NOT && rg__known_number(k, e->kid[0], &a)) return *out = !a, true;
    if (e->op == RG_COP_NEG && rg__known_number(k, e->kid[0], &a)) return *out = -a, true;
    if (e->kind != RG_C_BINARY || !(rg_c_relation(e->op) || rg_c_logic(e->op))) return false;
    bool x = rg__known_number(k, e->kid[0], &a), y = rg__known_number(k, e->kid[1], &b);
    if (e->op == RG_COP_AND && ((x && !a) || (y && !b))) return *out = 0, true;
    if (e->op == RG_COP_OR && ((x && a) || (y && b))) return *out = 1, true;
    if (!x || !y) return false;
    *out = e->op == RG_COP_AND || e->op == RG_COP_OR ? a && b : rg__relation_holds(e->op, (double)a, (double)b);
    return true;
}

/* What a statement without branches sets. */
static void note(struct rg__known *k, const struct rg_cnode *s, int n_vars)
{
    int64_t value;
    int v = s->kind == RG_C_DECL && s->array < 0 ? s->var : s->kind == RG_C_STMT ? rg__search_sets(s) : -1;
    const struct rg_cnode *e = v < 0                         ? NULL
                               : s->kind == RG_C_DECL        ? (s->n ? s->kid[0] : NULL)
                               : s->kid[0]->op == RG_COP_SET ? s->kid[0]->kid[1]
                                                             : NULL;
    if (e && rg__known_number(k, e, &value)) {
        rg__known_learn(k, v, value);
        return;
    }
    if (v >= 0) forget(k, v);
    for (int i = 0; i < n_vars; i++)
        if (i != v && rg__c_writes_var(s, i)) forget(k, i);
}

static void watch(struct rg__errors *e, const struct rg_cnode *n)
{
    bool frees = n->kind == RG_C_STMT && n->kid[0]->kind == RG_C_CALL && !strcmp(n->kid[0]->text, "free");
    for (int a = 0; e->watched && a < e->n_arrays && !frees; a++)
        e->touched = e->touched || (e->watched[a] && rg__c_mentions_array(n, a));
}

enum rg__leads rg__way_leads(struct rg__errors *e, struct rg__way *w, struct rg__known *k, const struct rg_cnode **back)
{
    while (w->n) {
        struct rg__frame *f = &w->f[w->n - 1];
        if (++f->at >= f->block->n) {
            if (f->loop) return RG__LEADS_NOWHERE;
            w->n--;
            continue;
        }
        const struct rg_cnode *s = f->block->kid[f->at];
        if (s->kind != RG_C_IF && s->kind != RG_C_BLOCK) watch(e, s);
        if (s->kind == RG_C_RETURN) return *back = s, RG__LEADS_BACK;
        if (s->kind == RG_C_BREAK) {
            while (w->n && !w->f[w->n - 1].loop) w->n--;
            if (w->n) w->n--;
            continue;
        }
        if (s->kind == RG_C_BLOCK) {
            if (!rg__way_push(w, s, -1, false)) return RG__LEADS_NOWHERE;
            continue;
        }
        int64_t c;
        if (s->kind == RG_C_IF && rg__known_number(k, s->kid[0], &c)) {
            watch(e, s->kid[0]);
            const struct rg_cnode *arm = c ? s->kid[1] : s->n > 2 ? s->kid[2] : NULL;
            if (arm && (arm->kind != RG_C_BLOCK || !rg__way_push(w, arm, -1, false))) return RG__LEADS_NOWHERE;
            continue;
        }
        if (rg__leaves_early(s) || s->kind == RG_C_GOTO || s->kind == RG_C_LABEL || s->kind == RG_C_VERBATIM)
            return RG__LEADS_NOWHERE;
        if (s->kind == RG_C_IF) watch(e, s);
        note(k, s, e->n_vars);
    }
    return RG__LEADS_OUT;
}

/* Behind an arm's last statement, a break: does it leave the loop for good? Of the body's frames. */
static enum rg__leads break_leads(struct rg__errors *e, const struct rg__way *in, const struct rg_cnode *arm,
                                  struct rg__known *k, const struct rg_cnode **back)
{
    struct rg__way w = *in;
    for (int i = 0; i + 1 < arm->n; i++) note(k, arm->kid[i], e->n_vars);
    while (w.n && !w.f[w.n - 1].loop) w.n--;
    if (w.n) w.n--;
    return w.n ? rg__way_leads(e, &w, k, back) : RG__LEADS_OUT;
}

/* Only what both say. */
static void agree(struct rg__known *k, const struct rg__known *other)
{
    int64_t v;
    for (int i = k->n - 1; i >= 0; i--) {
        struct rg_cnode x = {.kind = RG_C_VAR, .array = -1, .var = k->var[i]};
        if (!rg__known_number(other, &x, &v) || v != k->value[i]) forget(k, k->var[i]);
    }
}

bool rg__errors_codes(const struct rg_cnode *arm)
{
    struct rg__known none = {0};
    int64_t v;
    bool all = arm && arm->kind == RG_C_BLOCK && arm->n > 0;
    for (int i = 0; all && i < arm->n; i++) {
        const struct rg_cnode *s = arm->kid[i];
        all = s->kind == RG_C_STMT && s->kid[0]->op == RG_COP_SET && rg__search_sets(s) >= 0 &&
              rg__known_number(&none, s->kid[0]->kid[1], &v);
    }
    return all;
}

/* Does the function return 0 at its end? */
static bool ends_in_zero(const struct rg_ctree *t)
{
    const struct rg_cnode *last = t->root->n ? t->root->kid[t->root->n - 1] : NULL;
    const struct rg_cnode *e = last && last->kind == RG_C_RETURN && last->n ? last->kid[0] : NULL;
    return e && rg__c_uncast(e, RG__C_INT_CASTS)->kind == RG_C_INT && !rg__c_uncast(e, RG__C_INT_CASTS)->ivalue;
}

/* A number other than 0; or the place of what is wrong, by counters: 0 where it may be, too, but what does not fail
 * gives 0, so that nobody could tell. */
static bool error_code(const struct rg_cnode *e)
{
    struct rg__known none = {0};
    int64_t v;
    if (rg__known_number(&none, e, &v)) return v != 0;
    e = rg__c_uncast(e, RG__C_INT_CASTS);
    if (e->kind == RG_C_VAR) return e->array < 0 && !e->pointer && rg__scalar_is_int(e->type);
    if (e->op != RG_COP_ADD && e->op != RG_COP_SUB && e->op != RG_COP_NEG) return false;
    for (int i = 0; i < e->n; i++)
        if (rg__c_uncast(e->kid[i], RG__C_INT_CASTS)->kind != RG_C_INT && !error_code(e->kid[i])) return false;
    return true;
}

/* *info = i; */
static bool stores_code(const struct rg_cnode *arm)
{
    for (int i = 0; i + 1 < arm->n; i++) {
        const struct rg_cnode *a = arm->kid[i]->kind == RG_C_STMT ? arm->kid[i]->kid[0] : NULL;
        if (a && a->op == RG_COP_SET && a->kid[0]->kind == RG_C_INDEX && rg__scalar_is_int(a->kid[0]->type) &&
            a->kid[0]->n == 1 && a->kid[0]->kid[0]->kind == RG_C_INT && error_code(a->kid[1]))
            return true;
    }
    return false;
}

bool rg__errors_fails(struct rg__errors *e, const struct rg__way *in, const struct rg_cnode *arm)
{
    const struct rg_cnode *back = NULL;
    struct rg__known k = {0};
    int loops = 0;
    enum rg__leads to = RG__LEADS_BACK;
    for (int i = 0; i < in->n; i++) loops += in->f[i].loop;
    bool breaks = rg__c_ends_in(arm, RG_C_BREAK), codes = rg__errors_codes(arm);
    if (!rg__c_ends_in(arm, RG_C_RETURN) && !breaks && !codes) return false;
    for (int i = 0; i + 1 < arm->n; i++)
        if (rg__leaves_early(arm->kid[i])) return false;
    if (breaks) {
        to = break_leads(e, in, arm, &k, &back);
    } else if (codes) {
        struct rg__way w = *in;
        for (int i = 0; i < arm->n; i++) note(&k, arm->kid[i], e->n_vars);
        to = rg__way_leads(e, &w, &k, &back);
    } else {
        back = arm->kid[arm->n - 1];
    }
    if (to == RG__LEADS_NOWHERE) return false;
    if (to == RG__LEADS_OUT) { /* what follows the loop knows by a number that it was left */
        if (e->breaks) agree(&k, &e->at_break);
        if (!k.n) return false;
        e->at_break = k;
        e->breaks = true;
    } else {
        int64_t code;
        /* the number of an iteration, behind all else that it does, says how many it took */
        bool number = back->n && rg__known_number(&k, back->kid[0], &code),
             ends = loops == 1 && in->f[0].at + 1 >= in->f[0].block->n;
        e->returns = true;
        if (number) {
            e->numbers = e->numbers && code;
        } else if (back->n) {
            e->numbers = e->numbers && !ends && ends_in_zero(e->t) && error_code(back->kid[0]);
            e->places = true;
        } else {
            e->numbers = e->numbers && !ends && stores_code(arm);
        }
    }
    e->nested |= loops > 1;
    return true;
}
