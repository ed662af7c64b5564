/* What a loop keeps of an element until another one differs from it is the last element's:
 *     for i: { if (key[i] != cur) { ..; cur = key[i]; .. } .. }
 * Where the two are equal, to set it changes nothing: it is set in every iteration, and so is the element before's.
 *     for i: { if (key[i] != cur) { ..; .. } cur = key[i]; .. }
 * Of integers: two zeros of real numbers may be equal and differ. */
#include "frontend/normalise/canon.h"
#include "frontend/normalise/runs.h"
#include <stdlib.h>

/* a op b, of the scalar and the value that it is set to, either way round: converted as what the scalar keeps of it. */
static bool compares(const struct rg_ctree *t, const struct rg_cnode *c, enum rg_c_op op, int var,
                     const struct rg_cnode *set)
{
    const struct rg_cnode *value = rg__runs_widened(set);
    const int64_t kept = rg__runs_kept(t->vars[var].type, rg__runs_converted(set, -1));
    if (c->op != op) return false;
    for (int side = 0; side < 2; side++) {
        const struct rg_cnode *v = rg__runs_widened(c->kid[side]);
        const enum rg_scalar common = rg__scalar_common(c->kid[0]->type, c->kid[1]->type);
        if (v->kind == RG_C_VAR && v->array < 0 && !v->pointer && v->var == var &&
            rg__c_same(rg__runs_widened(c->kid[1 - side]), value, RG__C_TYPED) &&
            rg__runs_kept(common, rg__runs_converted(c->kid[side], kept)) ==
                rg__runs_kept(common, rg__runs_converted(c->kid[1 - side], -1)))
            return true;
    }
    return false;
}

/* Are the two equal wherever the condition does not hold, or, for arm 2, wherever it does? */
static bool equal_otherwise(const struct rg_ctree *t, const struct rg_cnode *c, int arm, int var,
                            const struct rg_cnode *set)
{
    if (c->op == RG_COP_NOT) return equal_otherwise(t, c->kid[0], 3 - arm, var, set);
    if (c->op == (arm == 1 ? RG_COP_OR : RG_COP_AND))
        return equal_otherwise(t, c->kid[0], arm, var, set) || equal_otherwise(t, c->kid[1], arm, var, set);
    return compares(t, c, arm == 1 ? RG_COP_NE : RG_COP_EQ, var, set);
}

/* Does the statement leave the value as it is? */
static bool leaves_alone(const struct rg_ctree *t, const struct rg_cnode *s, const struct rg_cnode *value)
{
    if (rg__mentions_kind(s, RG_C_CALL) || rg__mentions_kind(s, RG_C_VERBATIM)) return false;
    for (int v = 0; v < t->n_vars; v++)
        if (rg__c_mentions_var(value, v) && rg__c_writes_var(s, v)) return false;
    for (int a = 0; a < t->n_arrays; a++)
        if (rg__c_mentions_array(value, a) && rg__writes_array(s, a)) return false;
    return true;
}

static bool through_pointers(const struct rg_cnode *n)
{
    if (n->op == RG_COP_DEREF || n->op == RG_COP_ADDRESS || (n->kind == RG_C_INDEX && n->pointer)) return true;
    for (int i = 0; i < n->n; i++)
        if (n->kid[i] && through_pointers(n->kid[i])) return true;
    return false;
}

/* body->kid[at], an if, of which an arm sets the scalar at kid[k]. */
static bool track(struct rg_ctree *t, const struct rg_cnode *body, struct rg_cnode *block, int at, int arm, int k)
{
    struct rg_cnode *x = block->kid[at], *b = x->kid[arm], *s = b->kid[k];
    const struct rg_cnode *e = s->kind == RG_C_STMT ? s->kid[0] : NULL;
    if (!e || e->kind != RG_C_ASSIGN || e->op != RG_COP_SET || e->kid[0]->kind != RG_C_VAR || e->kid[0]->array >= 0 ||
        e->kid[0]->pointer)
        return false;
    const int var = e->kid[0]->var;
    const struct rg_cnode *value = rg__runs_widened(e->kid[1]);
    const enum rg_scalar type = t->vars[var].type;
    if (!rg__scalar_is_int(type) || !rg__scalar_is_int(value->type) || rg__c_mentions_var(value, var)) return false;
    /* what is kept compares as the value does */
    if (value->type != type && (rg_scalar_bytes(type) < 4 || rg_scalar_bytes(type) < rg_scalar_bytes(value->type)))
        return false;
    if (!rg__c_pure(t, value) || !rg__c_pure(t, x->kid[0]) || rg__mentions_kind(value, RG_C_CALL) ||
        !equal_otherwise(t, x->kid[0], arm, var, e->kid[1]) || rg__c_declares(body, var))
        return false;
    if (value->kind == RG_C_INT || rg__leaves_early(x) || rg__leaves_loop(x) || through_pointers(x)) return false;
    for (int i = 1; i < x->n; i++)
        if (x->kid[i] && !leaves_alone(t, x->kid[i], value)) return false;
    for (int i = 1; i < x->n; i++) /* the one place that sets it */
        for (int m = 0; x->kid[i] && m < x->kid[i]->n; m++)
            if (x->kid[i]->kid[m] != s && rg__c_writes_var(x->kid[i]->kid[m], var)) return false;
    struct rg__kids none = {0}, behind = {0};
    rg__block_splice(t, b, k, 1, &none);
    for (int m = k; m < b->n; m++) b->kid[m] = rg__c_replace_var(t, b->kid[m], var, rg__c_copy(t, e->kid[1]));
    rg__kids_add(&behind, s);
    rg__block_splice(t, block, at + 1, 0, &behind);
    return true;
}

static void of_block(struct rg_ctree *t, const struct rg_cnode *body, struct rg_cnode *block)
{
    for (int i = 0; i < block->n; i++) {
        const struct rg_cnode *x = block->kid[i];
        for (int arm = 1; x->kind == RG_C_IF && arm < x->n; arm++)
            for (int k = 0; x->kid[arm] && x->kid[arm]->kind == RG_C_BLOCK && k < x->kid[arm]->n; k++)
                if (track(t, body, block, i, arm, k)) k--;
    }
}

static bool visit(void *arg, struct rg_cnode *n)
{
    struct rg_cnode *body = n->kind == RG_C_FOR ? n->kid[3] : n->kind == RG_C_WHILE ? n->kid[1] : NULL;
    if (body && body->kind == RG_C_BLOCK) of_block(arg, body, body);
    return !rg__c_is_expr(n);
}

void rg__canon_tracked(struct rg_ctree *t)
{
    rg__c_walk(t->root, visit, t);
}
