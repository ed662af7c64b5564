/* Preconditions at the door: `if (out != (in - 1)*stride + k) return -1;` and `if (levels < 2) return -1;` in front of
 * all loops say for which integers a function does anything. A size that an equation gives follows from the others; the
 * values that nobody gave are chosen so that the function goes past its door. */
#include "frontend/infer/infer.h"
#include "ir/range.h"
#include <stdlib.h>
#include <string.h>

/* `n & 7` as `n % 8`: sizes are never negative. */
static struct rg_cnode *low_bits(struct rg_ctree *t, struct rg_cnode *e)
{
    for (int i = 0; i < e->n; i++) e->kid[i] = low_bits(t, e->kid[i]);
    const struct rg_cnode *mask = e->op == RG_COP_BAND ? rg__c_uncast(e->kid[1], RG__C_INT_CASTS) : NULL;
    if (!mask || mask->kind != RG_C_INT || mask->ivalue < 1 || mask->ivalue >= 1 << 30 ||
        (mask->ivalue & (mask->ivalue + 1)))
        return e;
    return rg__c_binary(t, RG_COP_REM, e->kid[0], rg__c_cast(t, rg__c_int(t, mask->ivalue + 1), e->kid[0]->type));
}

/* `x == 0` as `!x`, `x != 0` as x: what is asked whether it is zero. */
static struct rg_cnode *asked_for_zero(struct rg_cnode *c, bool *holds)
{
    int64_t zero;
    while ((c->op == RG_COP_EQ || c->op == RG_COP_NE) && rg__c_number(c->kid[1], &zero) && !zero) {
        *holds ^= c->op == RG_COP_EQ;
        c = c->kid[0];
    }
    return c;
}

/* The parameter x of x & (x - 1), which is 0 for powers of two; -1. */
static int power_asked(const struct rg_ctree *t, const struct rg_cnode *e)
{
    int64_t one;
    for (int i = 0; i < 2 && e->op == RG_COP_BAND; i++) {
        const struct rg_cnode *x = rg__c_uncast(e->kid[i], RG__C_INT_CASTS),
                              *y = rg__c_uncast(e->kid[1 - i], RG__C_INT_CASTS);
        if (x->kind == RG_C_VAR && x->array < 0 && t->vars[x->var].kind == RG_CVAR_PARAM && y->op == RG_COP_SUB &&
            rg__c_same(x, rg__c_uncast(y->kid[0], RG__C_INT_CASTS), RG__C_UNCAST) &&
            rg__c_number(rg__c_uncast(y->kid[1], RG__C_INT_CASTS), &one) && one == 1)
            return t->vars[x->var].param;
    }
    return -1;
}

static void note(struct rg__load *l, struct rg_cnode *c, bool holds)
{
    bool any = holds;
    struct rg_cnode *bits = asked_for_zero(c, &any),
                    *among =
                        bits->op == RG_COP_BAND ? (struct rg_cnode *)rg__c_uncast(bits->kid[0], RG__C_INT_CASTS) : NULL;
    const int power = any ? -1 : power_asked(l->t, bits);
    if (power >= 0) { /* if (n & (n - 1)) return -1; */
        const struct rg_expr *e;
        const char *text =
            rg_arena_printf(&l->p->arena, "%lld %% %s == 0", (long long)1 << 62, l->p->params[power].name);
        if (rg_expr_parse_all(&l->p->arena, text, &e, NULL) == RG_OK && rg__may_hold(l, e)) rg__add_require(l->p, e);
        return;
    }
    if (!any && among && among->op == RG_COP_BOR) { /* !((width | height) & 1): both are even */
        for (int i = 0; i < 2; i++) note(l, rg__c_binary(l->t, RG_COP_BAND, among->kid[i], bits->kid[1]), false);
        return;
    }
    const enum rg_c_op both = holds ? RG_COP_AND : RG_COP_OR;
    if (c->op == RG_COP_NOT) {
        note(l, c->kid[0], !holds);
        return;
    }
    if (c->op == both) {
        note(l, c->kid[0], holds);
        note(l, c->kid[1], holds);
        return;
    }
    struct rg_cnode *plain = low_bits(l->t, rg__c_strip_int_casts(rg__c_copy(l->t, holds ? c : rg__negated(l->t, c))));
    const struct rg_expr *e = rg__c_to_expr(l->t, plain, &l->p->arena);
    if (!e) return;
    RG_GROW(l->guards, l->n_guards, l->cap_guards);
    l->guards[l->n_guards++] = e;
}

void rg__guard_against(struct rg__load *l, struct rg_cnode *condition)
{
    note(l, condition, false);
}

/* A condition that is no sum stands in a flag of its own, declared in front. */
static struct rg_cnode *condition_of(const struct rg_cnode *block, const struct rg_cnode *door)
{
    struct rg_cnode *c = door->kid[0];
    for (int i = 0; i < block->n && block->kid[i] != door; i++) {
        const struct rg_cnode *d = block->kid[i];
        if (c->kind == RG_C_VAR && c->array < 0 && d->kind == RG_C_DECL && d->array < 0 && d->var == c->var && d->n)
            return d->kid[0];
    }
    return c;
}

/* All loops of a block stand in one arm of an `if`: its condition decides whether anything is done. */
static void at_door(struct rg__load *l, const struct rg_cnode *block)
{
    const struct rg_cnode *door = NULL;
    for (int i = 0; block->kind == RG_C_BLOCK && i < block->n; i++) {
        if (!rg__c_has_loop(block->kid[i])) continue;
        if (door || block->kid[i]->kind != RG_C_IF) return;
        door = block->kid[i];
    }
    if (!door) return;
    const bool first = rg__c_has_loop(door->kid[1]), second = door->n > 2 && rg__c_has_loop(door->kid[2]);
    if (first == second) return;
    note(l, condition_of(block, door), first);
    at_door(l, door->kid[first ? 1 : 2]);
}

static int size_named(const struct rg_problem *p, const struct rg_expr *e)
{
    for (int k = 0; e->kind == RG_EXPR_NAME && k < p->n_size_params; k++)
        if (!strcmp(p->params[p->size_params[k]].name, e->name)) return k;
    return -1;
}

/* The expression with `value` for each name of size k; k -1: with what each size follows from for its name. */
static struct rg_expr *put(const struct rg_problem *p, struct rg_arena *a, const struct rg_expr *e, int k,
                           const struct rg_expr *value)
{
    const int at = size_named(p, e);
    const struct rg_expr *by = at < 0 ? NULL : k < 0 ? p->params[p->size_params[at]].follows : at == k ? value : NULL;
    if (by) return rg_expr_clone(a, by);
    struct rg_expr *c = rg_arena_alloc(a, sizeof *c);
    *c = *e;
    c->args = rg_arena_alloc(a, (size_t)(e->n_args + 1) * sizeof *c->args);
    for (int i = 0; i < e->n_args; i++) c->args[i] = put(p, a, e->args[i], k, value);
    return c;
}

struct of_others {
    const struct rg_problem *p;
    int but;
    bool ok;
};

/* Sizes that follow from nothing themselves, so that none follows from itself. */
static void of_other(void *arg, const char *name)
{
    struct of_others *o = arg;
    const struct rg_expr e = {.kind = RG_EXPR_NAME, .name = name};
    const int k = size_named(o->p, &e);
    o->ok = o->ok && k >= 0 && k != o->but && !rg_size_follows(&o->p->params[o->p->size_params[k]]);
}

/* Takes the size that one side of an equation is as what the other side says, in all that follows from it, too. */
static bool solve(struct rg__load *l, const struct rg_expr *e, int side)
{
    struct rg_problem *p = l->p;
    const struct rg_expr *name = put(p, &p->arena, e->args[side], -1, NULL),
                         *value = put(p, &p->arena, e->args[1 - side], -1, NULL);
    const int k = size_named(p, name);
    if (k < 0 || !l->unset[k] || rg_size_follows(&p->params[p->size_params[k]])) return false;
    struct of_others o = {p, k, true};
    rg_expr_names(value, of_other, &o);
    if (!o.ok) return false;
    for (int i = 0; i < p->n_size_params; i++) {
        struct rg_param *q = &p->params[p->size_params[i]];
        if (q->follows) q->follows = put(p, &p->arena, q->follows, k, value);
    }
    p->params[p->size_params[k]].follows = value;
    return true;
}

void rg__entry_guards(struct rg__load *l)
{
    if (l->b.verbatim) return;
    at_door(l, l->t->root);
    for (int i = 0; i < l->n_doors; i++) {
        RG_GROW(l->guards, l->n_guards, l->cap_guards);
        l->guards[l->n_guards++] = l->doors[i].holds;
    }
    for (int i = 0; i < l->n_guards; i++) {
        const struct rg_expr *e = l->guards[i];
        if (e->kind != RG_EXPR_BINARY || e->op != RG_OP_EQ) continue;
        if (!solve(l, e, 1)) solve(l, e, 0); /* `a->cols != b->rows`: the one that is named last */
    }
    for (int k = 0; k < l->p->n_size_params; k++) {
        const struct rg_expr *follows = l->p->params[l->p->size_params[k]].follows;
        if (follows) l->unset[k] = rg__mentions_unset(l, follows);
    }
}

/* At these values; what is unknown does. */
static bool holds_at(const struct rg__load *l, const struct rg_expr *e, const int64_t *values)
{
    struct rg_sizes z = {.values = (int64_t *)(uintptr_t)values};
    struct rg_problem_env env;
    int64_t v;
    rg_problem_env_init(&env, l->p, &z);
    return rg_expr_eval(e, &env.env, &v, NULL) != RG_OK || v;
}

bool rg__past_guards(const struct rg__load *l, const int64_t *values)
{
    for (int i = 0; i < l->n_guards; i++)
        if (!holds_at(l, l->guards[i], values)) return false;
    return true;
}

bool rg__set_up_at(const struct rg__load *l, const int64_t *values)
{
    for (int i = 0; i < l->n_doors; i++)
        if (!holds_at(l, l->doors[i].holds, values)) return false;
    return true;
}

void rg__meet_guards(const struct rg__load *l, int k, int64_t *values)
{
    static const int64_t likely[] = {1, 2, 3, 4, 8, 16, 32, 64, 5, 10, 100, 128, 256, 0, -1};
    const int64_t was = values[k];
    if (rg__past_guards(l, values)) return;
    for (size_t i = 0; i < sizeof likely / sizeof *likely; i++) {
        values[k] = likely[i];
        if (rg__past_guards(l, values)) return;
    }
    values[k] = was;
}
