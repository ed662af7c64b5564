/* Places that a counter leads to, where a condition keeps it in bounds: `if (hit && k < 64) nb[64 * i + k++] = j;`. The
 * counter is a local that begins at a number and only grows, so that the place is one of 64 behind 64 * i. What the
 * condition says holds until something sets the counter again. */
#include "poly/analysis/scop.h"
#include <string.h>

enum { MAX_FLAGS = 8 };

struct looking { /* for the bound of a counter at one place */
    const struct poly_scop *s;
    int var;
    const struct rg_cnode *target;
    const struct rg_cnode *below; /* it is below this here; NULL nobody knows */
    int n_flags;                  /* conditions that were declared since it was last set */
    struct {
        int var;
        const struct rg_cnode *below;
    } flag[MAX_FLAGS];
};

static bool is_var(const struct rg_cnode *e, int var)
{
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer && e->var == var;
}

/* ---- from where on it counts ---- */

/* v, v + 1, c ? v + 1 : v */
static bool grows(const struct rg_cnode *e, int var)
{
    if (is_var(e, var)) return true;
    if (e->kind == RG_C_COND) return grows(e->kid[1], var) && grows(e->kid[2], var);
    if (e->op != RG_COP_ADD) return false;
    for (int i = 0; i < 2; i++)
        if (e->kid[i]->kind == RG_C_INT && e->kid[i]->ivalue >= 0 && grows(e->kid[1 - i], var)) return true;
    return false;
}

/* The least that n sets it to, into *least; false: it may be anything. */
static bool begins(const struct rg_cnode *n, int var, int64_t *least)
{
    if (!n) return true;
    if (n->kind == RG_C_VERBATIM || (n->op == RG_COP_ADDRESS && rg__c_mentions_var(n->kid[0], var))) return false;
    const struct rg_cnode *value = NULL;
    if (n->kind == RG_C_DECL && n->array < 0 && n->var == var) value = n->n ? n->kid[0] : NULL;
    if (n->kind == RG_C_INCDEC && is_var(n->kid[0], var) && !rg_c_increments(n->op)) return false;
    if (n->kind == RG_C_ASSIGN && is_var(n->kid[0], var)) {
        value = n->kid[1];
        bool up = n->op == RG_COP_ADD_SET && value->kind == RG_C_INT && value->ivalue >= 0;
        if (n->op != RG_COP_SET && !up) return false;
        if (up || grows(value, var)) value = NULL;
    }
    if (value) {
        value = rg__c_uncast(value, RG__C_INT_CASTS);
        if (value->kind != RG_C_INT) return false;
        if (value->ivalue < *least) *least = value->ivalue;
    }
    for (int i = 0; i < n->n; i++)
        if (!begins(n->kid[i], var, least)) return false;
    return true;
}

/* ---- how far it has come ---- */

/* What the condition, or its opposite, says that the counter is below; NULL: nothing. */
static const struct rg_cnode *bound_in(const struct looking *l, const struct rg_cnode *c, bool holds)
{
    const struct rg_cnode *found = NULL;
    if (c->kind == RG_C_CAST && c->n && !c->pointer && !rg_scalar_is_real(c->type))
        return bound_in(l, c->kid[0], holds);
    if (c->op == RG_COP_NOT) return bound_in(l, c->kid[0], !holds);
    if (c->op == (holds ? RG_COP_AND : RG_COP_OR)) {
        for (int i = 0; i < 2 && !found; i++) found = bound_in(l, c->kid[i], holds);
        return found;
    }
    for (int i = 0; i < l->n_flags && c->kind == RG_C_VAR && c->array < 0 && holds; i++)
        if (l->flag[i].var == c->var) return l->flag[i].below;
    if (c->kind != RG_C_BINARY || !rg_c_relation(c->op)) return NULL;
    for (int i = 0; i < 2; i++) {
        enum rg_c_op op = i ? rg_c_converse(c->op) : c->op;
        if (!holds) op = rg_c_opposite(op);
        if (op == RG_COP_LT && is_var(rg__c_uncast(c->kid[i], RG__C_WIDE_CASTS), l->var)) return c->kid[1 - i];
    }
    return NULL;
}

static bool sets(const struct looking *l, const struct rg_cnode *n)
{
    return n && (rg__c_writes_var(n, l->var) || rg__c_declares(n, l->var));
}

static void forget(struct looking *l)
{
    l->below = NULL;
    l->n_flags = 0;
}

static void assume(struct looking *l, const struct rg_cnode *c, bool holds)
{
    const struct rg_cnode *b = c ? bound_in(l, c, holds) : NULL;
    if (b) l->below = b;
}

/* Does what stands behind it run only where it does not leave? */
static bool leaves(const struct rg_cnode *n)
{
    while (n && n->kind == RG_C_BLOCK) n = n->n ? n->kid[n->n - 1] : NULL;
    return n && (n->kind == RG_C_BREAK || n->kind == RG_C_CONTINUE || n->kind == RG_C_RETURN);
}

/* Goes down to the place; what is known there is left in `below`. */
static void go(struct looking *l, const struct rg_cnode *n)
{
    if (n == l->target) return;
    switch (n->kind) {
    case RG_C_BLOCK:
    case RG_C_OPAQUE:
        for (int i = 0; i < n->n; i++) {
            const struct rg_cnode *k = n->kid[i];
            if (rg__c_contains(k, l->target)) {
                go(l, k);
                return;
            }
            if (sets(l, k)) forget(l);
            if (k->kind == RG_C_IF && !(k->n > 2 && k->kid[2]) && leaves(k->kid[1])) assume(l, k->kid[0], false);
            const struct rg_cnode *b =
                k->kind == RG_C_DECL && k->array < 0 && k->n && k->kid[0] && l->s->declared[k->var] == k->kid[0]
                    ? bound_in(l, k->kid[0], true)
                    : NULL;
            if (b && l->n_flags < MAX_FLAGS) {
                l->flag[l->n_flags].var = k->var;
                l->flag[l->n_flags++].below = b;
            }
        }
        return;
    case RG_C_IF:
    case RG_C_COND:
        if (rg__c_contains(n->kid[0], l->target)) break;
        if (sets(l, n->kid[0]))
            forget(l);
        else
            assume(l, n->kid[0], rg__c_contains(n->kid[1], l->target));
        go(l, n->kid[rg__c_contains(n->kid[1], l->target) ? 1 : 2]);
        return;
    case RG_C_LOOP:
    case RG_C_DO:
    case RG_C_SWITCH:
        if (sets(l, n)) forget(l);
        break;
    case RG_C_FOR:
    case RG_C_WHILE: {
        const struct rg_cnode *asks = n->kid[n->kind == RG_C_FOR], *body = n->kid[n->kind == RG_C_FOR ? 3 : 1];
        if (sets(l, n)) forget(l);
        if (asks && !sets(l, asks) && rg__c_contains(body, l->target)) assume(l, asks, true);
        break;
    }
    case RG_C_STMT:
    case RG_C_DECL:
    case RG_C_RETURN:
        break;
    default: /* of an expression: in which order it is evaluated is not looked into */
        if (rg_c_lazy(n->op) && rg__c_contains(n->kid[1], l->target) && !sets(l, n->kid[0]))
            assume(l, n->kid[0], n->op == RG_COP_AND);
        for (int i = 0; i < n->n; i++)
            if (n->kid[i] && !rg__c_contains(n->kid[i], l->target) && sets(l, n->kid[i])) forget(l);
    }
    for (int i = 0; i < n->n; i++)
        if (n->kid[i] && rg__c_contains(n->kid[i], l->target)) {
            go(l, n->kid[i]);
            return;
        }
}

/* ---- the subscript ---- */

/* The counter's factor in the subscript, where it counts up or stays there; false: it is not linear in it. */
static bool factor(const struct rg_cnode *e, int var, int64_t *c)
{
    int64_t a = 0, b = 0;
    *c = 0;
    if (is_var(e, var) || (e->op == RG_COP_POST_INC && is_var(e->kid[0], var))) return *c = 1, true;
    if (!rg__c_mentions_var(e, var)) return true;
    if (e->kind == RG_C_CAST) return rg_scalar_bytes(e->type) >= 4 && factor(e->kid[0], var, c);
    if (e->op != RG_COP_ADD || !factor(e->kid[0], var, &a) || !factor(e->kid[1], var, &b)) return false;
    *c = a + b;
    return true;
}

/* The subscript with 0 in the counter's place. */
static const struct rg_cnode *rest(struct poly_scop *s, const struct rg_cnode *e, int var)
{
    if (is_var(e, var) || (e->op == RG_COP_POST_INC && is_var(e->kid[0], var)))
        return rg__c_new(&s->arena, RG_C_INT, RG_COP_NONE, RG_I32, 0, e);
    struct rg_cnode *c = rg__c_shallow(&s->arena, e);
    for (int i = 0; i < e->n; i++) c->kid[i] = (struct rg_cnode *)rest(s, e->kid[i], var);
    return c;
}

/* The one local in it that is no loop's variable; -1: none, or several. */
static bool counter_of(const struct poly_scop *s, const struct rg_cnode *e, int *var)
{
    if (e->kind == RG_C_INDEX || e->kind == RG_C_CALL || e->kind == RG_C_MEMBER) return false;
    if (e->kind == RG_C_VAR) {
        if (e->array >= 0 || e->pointer) return false;
        const struct rg_cvar *v = &s->tree->vars[e->var];
        if (v->kind != RG_CVAR_LOCAL) return true;
        if (*var >= 0 && *var != e->var) return false;
        *var = e->var;
    }
    for (int i = 0; i < e->n; i++)
        if (!counter_of(s, e->kid[i], var)) return false;
    return true;
}

isl_map *rg__poly_counted_place(struct poly_scop *s, const struct poly_stmt *st, const struct rg_cnode *node,
                                const struct rg_cnode *sub)
{
    int var = -1;
    int64_t c, least = INT64_MAX;
    if (!counter_of(s, sub, &var) || var < 0 || rg_scalar_is_real(s->tree->vars[var].type) ||
        !rg_scalar_is_signed(s->tree->vars[var].type) || !factor(sub, var, &c) || c != 1 ||
        !begins(s->tree->root, var, &least) || least < 0 || least == INT64_MAX)
        return NULL;
    struct looking l = {.s = s, .var = var, .target = node};
    go(&l, s->tree->root);
    if (!l.below) return NULL;
    isl_space *sp = isl_set_get_space(st->domain);
    isl_pw_aff *from = rg__poly_aff(s, st->loops, st->depth, sp, rest(s, sub, var)),
               *below = rg__poly_aff(s, st->loops, st->depth, sp, l.below);
    isl_space_free(sp);
    if (!from || !below) {
        isl_pw_aff_free(from);
        isl_pw_aff_free(below);
        return NULL;
    }
    below = isl_pw_aff_add(below, isl_pw_aff_copy(from));
    from = isl_pw_aff_add_constant_val(from, isl_val_int_from_si(s->ctx, least));
    isl_map *low = isl_map_from_pw_aff(from), *high = isl_map_from_pw_aff(below);
    isl_space *places = isl_space_range(isl_map_get_space(low));
    low = isl_map_apply_range(low, isl_map_lex_le(isl_space_copy(places)));
    return isl_map_intersect(low, isl_map_apply_range(high, isl_map_lex_gt(places)));
}
