/* Flags of rounds in other words than `changed = 1`: counts of changes that are only asked whether there were any,
 * `changed |= c`, `changed = changed || c`, and flags that are lowered, `stable = 0`. In place, and undone where no
 * rounds are found. */
#include "frontend/normalise/update_rounds.h"
#include <stdlib.h>

static bool is_var(const struct rg_cnode *e, int var)
{
    e = rg__c_uncast(e, RG__C_CASTS);
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer && e->var == var;
}

void rg__round_edit(struct rg__round_edits *e, struct rg_cnode **slot, struct rg_cnode *now)
{
    if (e->n == e->room) {
        e->room = e->room ? 2 * e->room : 16;
        e->items = rg_xrealloc(e->items, (size_t)e->room * sizeof *e->items);
    }
    e->items[e->n].slot = slot;
    e->items[e->n++].was = *slot;
    *slot = now;
}

void rg__round_undo(struct rg__round_edits *e, int to)
{
    while (e->n > to) {
        e->n--;
        *e->items[e->n].slot = e->items[e->n].was;
    }
}

static struct rg_cnode *number(struct rg_ctree *t, int var, int value)
{
    return rg__c_cast(t, rg__c_int(t, value), t->vars[var].type);
}

static struct rg_cnode *set(struct rg_ctree *t, int var, struct rg_cnode *value, const struct rg_cnode *at)
{
    struct rg_cnode *e = rg__c_assign(t, RG_COP_SET, rg__c_var(t, var), value);
    e->line = at->line;
    e->column = at->column;
    return e;
}

/* v + k */
static bool more_than(const struct rg_cnode *e, int var)
{
    double by;
    e = rg__c_uncast(e, RG__C_CASTS);
    if (e->op != RG_COP_ADD) return false;
    for (int i = 0; i < 2; i++)
        if (is_var(e->kid[i], var) && rg__round_number(e->kid[1 - i], &by) && by > 0) return true;
    return false;
}

static bool logic(const struct rg_cnode *e)
{
    e = rg__c_uncast(e, RG__C_CASTS);
    return rg_c_logic(e->op) || e->op == RG_COP_NOT;
}

/* The number that `set`, an assignment or a declaration, gives, whatever decides whether it does; false: none. */
static bool number_set(const struct rg_cnode *set, int var, double *v)
{
    const struct rg_cnode *c = NULL, *value = set->kind == RG_C_DECL ? set->kid[0] : set->kid[1];
    bool holds;
    const struct rg_cnode *chosen = set->kind == RG_C_ASSIGN ? rg__round_choice(set, &c, &holds) : NULL;
    return rg__round_number(chosen ? chosen : value, v) && !(chosen && rg__c_mentions_var(c, var));
}

/* Is it 1 or 0 wherever numbers are set? */
static bool is_bit(const struct rg_ctree *t, const struct rg_cnode *n, int var)
{
    double v;
    if (!n || t->vars[var].type == RG_BOOL) return true;
    if (n->kind == RG_C_INCDEC && is_var(n->kid[0], var)) return false;
    bool assigned = n->kind == RG_C_ASSIGN && is_var(n->kid[0], var),
         declared = n->kind == RG_C_DECL && n->array < 0 && n->var == var && n->n;
    if (assigned && (n->op == RG_COP_BAND_SET || n->op == RG_COP_BOR_SET) && logic(n->kid[1])) return true;
    if (assigned && n->op != RG_COP_SET) return false;
    if ((assigned || declared) && (!number_set(n, var, &v) || (v != 0 && v != 1))) return false;
    for (int i = 0; i < n->n; i++)
        if (!is_bit(t, n->kid[i], var)) return false;
    return true;
}

/* The assignment in plain words; NULL: it stays. */
static struct rg_cnode *plain(struct rg_ctree *t, const struct rg_cnode *e, int var, bool counts)
{
    const enum rg_scalar type = t->vars[var].type;
    counts = counts && rg_scalar_is_signed(type) && rg_scalar_bytes(type) >= 4; /* others come round to 0 */
    struct rg_cnode *self = rg__c_var(t, var), *one = number(t, var, 1), *zero = number(t, var, 0);
    const struct rg_cnode *c;
    double by;
    bool holds;
    if (e->kind == RG_C_INCDEC) return counts && rg_c_increments(e->op) ? set(t, var, one, e) : NULL;
    if (e->op == RG_COP_ADD_SET && counts && rg__round_number(e->kid[1], &by) && by > 0) return set(t, var, one, e);
    if (e->op == RG_COP_ADD_SET && counts && logic(e->kid[1]) && rg__c_pure(t, e->kid[1]))
        return set(t, var, rg__round_either(t, rg__c_copy(t, e->kid[1]), one, self), e);
    if (e->op == RG_COP_BOR_SET && logic(e->kid[1]) && rg__c_pure(t, e->kid[1]))
        return set(t, var, rg__round_either(t, rg__c_copy(t, e->kid[1]), one, self), e);
    if (e->op == RG_COP_BAND_SET && logic(e->kid[1]) && rg__c_pure(t, e->kid[1]) && is_bit(t, t->root, var))
        return set(t, var, rg__round_either(t, rg__c_copy(t, e->kid[1]), self, zero), e);
    if (e->op != RG_COP_SET) return NULL;
    const struct rg_cnode *v = rg__round_choice(e, &c, &holds);
    if (v && counts && more_than(v, var)) {
        struct rg_cnode *when = rg__c_copy(t, c);
        return set(t, var, holds ? rg__round_either(t, when, one, self) : rg__round_either(t, when, self, one), e);
    }
    v = rg__c_uncast(e->kid[1], RG__C_CASTS);
    if (!rg_c_lazy(v->op) || !rg__c_pure(t, v)) return NULL;
    for (int i = 0; i < 2; i++) {
        struct rg_cnode *other = rg__c_copy(t, v->kid[1 - i]);
        if (!is_var(v->kid[i], var) || rg__c_mentions_var(other, var)) continue;
        return set(t, var,
                   v->op == RG_COP_OR ? rg__round_either(t, other, one, self) : rg__round_either(t, other, self, zero),
                   e);
    }
    return NULL;
}

static void plain_all(struct rg_ctree *t, struct rg_cnode *n, int var, bool counts, struct rg__round_edits *e)
{
    for (int i = 0; n && i < n->n; i++) {
        struct rg_cnode *k = n->kid[i];
        if (!k || rg__c_is_expr(k)) continue;
        struct rg_cnode *now =
            k->kind == RG_C_STMT && rg__round_sets(k) == var ? plain(t, k->kid[0], var, counts) : NULL;
        if (now)
            rg__round_edit(e, &k->kid[0], now);
        else
            plain_all(t, k, var, counts, e);
    }
}

/* Is the variable set to numbers alone below n: only to 0, or to something else, too? */
static bool only_numbers(const struct rg_cnode *n, int var, bool *other)
{
    double v;
    if (!n) return true;
    bool assigned = (n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC) && is_var(n->kid[0], var),
         declared = n->kind == RG_C_DECL && n->array < 0 && n->var == var;
    if (assigned && n->op != RG_COP_SET) return false;
    if (declared && !n->n) return true;
    if ((assigned || declared) && !number_set(n, var, &v)) return false;
    if (assigned || declared) *other |= v != 0;
    for (int i = 0; i < n->n; i++)
        if (!only_numbers(n->kid[i], var, other)) return false;
    return true;
}

static struct rg_cnode *opposite(struct rg_ctree *t, const struct rg_cnode *value, int var)
{
    double v;
    if (rg__round_number(value, &v)) return number(t, var, v == 0);
    struct rg_cnode *x = rg__c_copy(t, rg__c_uncast(value, RG__C_CASTS));
    for (int k = 1; k < 3; k++)
        if (!is_var(x->kid[k], var)) x->kid[k] = opposite(t, x->kid[k], var);
    return x;
}

/* The variable becomes its opposite: what is set to it below n, and reads. */
static void invert(struct rg_ctree *t, struct rg_cnode *n, int var, struct rg__round_edits *e)
{
    for (int i = 0; n && i < n->n; i++) {
        struct rg_cnode *k = n->kid[i];
        if (!k) continue;
        bool target = i == 0 && n->kind == RG_C_ASSIGN && is_var(k, var);
        bool value = (i == 1 && n->kind == RG_C_ASSIGN && is_var(n->kid[0], var)) ||
                     (n->kind == RG_C_DECL && n->array < 0 && n->var == var);
        if (target) continue;
        if (value)
            rg__round_edit(e, &n->kid[i], opposite(t, k, var));
        else if (k->kind == RG_C_VAR && is_var(k, var))
            rg__round_edit(e, &n->kid[i], rg__c_unary(t, RG_COP_NOT, rg__c_var(t, var)));
        else
            invert(t, k, var, e);
    }
}

/* Is the flag set to 1 in front of the nests of a round, and lowered in them? */
static bool lowered(const struct rg_cnode *body, int var)
{
    bool raised = false, nests = false, other = false;
    double v;
    for (int i = 0; i < body->n; i++) {
        const struct rg_cnode *k = body->kid[i];
        if (rg__round_sets(k) == var) {
            const struct rg_cnode *e = k->kind == RG_C_STMT ? k->kid[0] : k;
            if (nests || (k->kind == RG_C_DECL && !k->n) || (k->kind == RG_C_STMT && e->op != RG_COP_SET) ||
                !rg__round_number(k->kind == RG_C_DECL ? e->kid[0] : e->kid[1], &v))
                return false;
            raised = v != 0;
        } else if (rg__c_writes_var(k, var)) {
            nests = true;
            if (!raised || !only_numbers(k, var, &other) || other) return false;
        }
    }
    return nests;
}

/* What sets the variable in the nests, in plain words; false: they don't. */
static bool in_nests(struct rg_ctree *t, struct rg_cnode *body, int var, bool counts, struct rg__round_edits *e)
{
    bool in = false;
    for (int i = 0; i < body->n; i++) {
        struct rg_cnode *k = body->kid[i];
        if ((k->kind != RG_C_LOOP && k->kind != RG_C_IF) || !rg__c_writes_var(k, var) || rg__c_declares(k, var))
            continue;
        in = true;
        struct rg_cnode *all[] = {k};
        struct rg_cnode holder = {.kind = RG_C_BLOCK, .n = 1, .kid = all};
        plain_all(t, &holder, var, counts, e);
    }
    return in;
}

/* May a round leave 1 in it wherever the C leaves something other than 0? */
bool rg__round_flag(const struct rg_ctree *t, const struct rg_cnode *loop, int var)
{
    return rg__round_only_asked(t->root, var, false, NULL) ||
           (is_bit(t, t->root, var) && rg__round_only_asked(loop, var, false, NULL));
}

void rg__round_plain_flags(struct rg_ctree *t, struct rg_cnode *loop, struct rg__round_edits *e)
{
    struct rg_cnode *body = loop->kid[2];
    if (body->kind != RG_C_BLOCK) return;
    for (int v = 0; v < t->n_vars; v++) {
        const int began = e->n;
        bool other = false;
        if (t->vars[v].kind != RG_CVAR_LOCAL || !rg__scalar_is_int(t->vars[v].type) || !in_nests(t, body, v, true, e))
            continue;
        bool asked = rg__round_only_asked(t->root, v, false, NULL);
        if (!asked) {
            rg__round_undo(e, began);
            in_nests(t, body, v, false, e);
            if (!rg__round_flag(t, loop, v)) rg__round_undo(e, began);
        } else if (lowered(body, v) && only_numbers(t->root, v, &other)) {
            invert(t, t->root, v, e);
        }
    }
}
