/* Steps of variables that a condition asks for on its way: `if (bad++ == 0) first = i;`. Where the branches neither ask
 * for the variable nor leave, the step goes behind them, and the condition asks for what it was. */
#include "frontend/normalise/canon.h"

/* The v of v++, v--, a scalar of its own; NULL. */
static const struct rg_cnode *stepped_behind(const struct rg_cnode *e)
{
    const bool its = e->op == RG_COP_POST_INC || e->op == RG_COP_POST_DEC;
    return its && e->kid[0]->kind == RG_C_VAR && e->kid[0]->array < 0 && !e->kid[0]->pointer ? e : NULL;
}

/* v++ == c, !v++, v++ where only that asks for v: the step; *test: the same of v as it was. */
static const struct rg_cnode *asked_and_stepped(struct rg_ctree *t, const struct rg_cnode *c, struct rg_cnode **test)
{
    const struct rg_cnode *step = stepped_behind(c), *other = NULL;
    const bool no = c->op == RG_COP_NOT && c->kind == RG_C_UNARY;
    if (!step && no) step = stepped_behind(rg__c_uncast(c->kid[0], RG__C_CASTS));
    for (int k = 0; k < 2 && !step && c->kind == RG_C_BINARY && rg_c_relation(c->op); k++) {
        step = stepped_behind(rg__c_uncast(c->kid[k], RG__C_CASTS));
        other = step ? c->kid[1 - k] : NULL;
    }
    if (!step || (other && (!rg__c_pure(t, other) || rg__c_mentions_var(other, step->kid[0]->var)))) return NULL;
    struct rg_cnode *place = step->kid[0];
    if (step == c) {
        *test = rg__c_copy(t, place);
        return step;
    }
    *test = rg__c_copy(t, c);
    for (int k = 0; k < (*test)->n; k++) {
        struct rg_cnode **at = &(*test)->kid[k];
        while ((*at)->kind == RG_C_CAST) at = &(*at)->kid[0];
        if ((*at)->kind == RG_C_INCDEC) *at = rg__c_copy(t, place);
    }
    return step;
}

/* Do the branches get to their ends, and is it all the same to them what v is? */
static bool passed_over(const struct rg_ctree *t, const struct rg_cnode *branches, int v)
{
    static const enum rg_c_kind away[] = {RG_C_CONTINUE, RG_C_GOTO, RG_C_VERBATIM};
    if (rg__c_addressed(t->root, v)) return false;
    for (int k = 1; k < branches->n; k++) {
        const struct rg_cnode *b = branches->kid[k];
        if (b && (rg__c_mentions_var(b, v) || rg__leaves_early(b))) return false;
        for (size_t i = 0; b && i < sizeof away / sizeof *away; i++)
            if (rg__mentions_kind(b, away[i])) return false;
    }
    return true;
}

/* if (v++ == 0) first = i: the step goes behind, where nothing in the branches asks for v or leaves; also
 * if (found && v++ == 0). */
static bool steps_behind(struct rg_ctree *t, struct rg_cnode *block, int i)
{
    struct rg_cnode *s = block->kid[i], *test, *c = s->kind == RG_C_IF ? s->kid[0] : NULL;
    const bool both = c && c->op == RG_COP_AND && !(s->n > 2 && s->kid[2]) && rg__c_pure(t, c->kid[0]);
    const struct rg_cnode *step = c ? asked_and_stepped(t, both ? c->kid[1] : c, &test) : NULL;
    if (!step || !passed_over(t, s, step->kid[0]->var)) return false;
    struct rg_cnode *x = rg__c_shallow(&t->arena, s);
    struct rg__kids with = {0};
    struct rg_cnode *on = rg__c_stmt(t, rg__c_assign(t, rg_c_increments(step->op) ? RG_COP_ADD_SET : RG_COP_SUB_SET,
                                                     rg__c_copy(t, step->kid[0]), rg__c_int(t, 1)));
    x->kid[0] = test;
    on->line = s->line;
    on->column = s->column;
    rg__kids_add(&with, x);
    rg__kids_add(&with, on);
    if (both) {
        struct rg_cnode *outer = rg_cnode_new(t, RG_C_IF, 2);
        outer->line = s->line;
        outer->column = s->column;
        outer->kid[0] = c->kid[0];
        outer->kid[1] = rg__kids_node(t, RG_C_BLOCK, &with);
        block->kid[i] = outer;
    } else
        rg__block_splice(t, block, i, 1, &with);
    return true;
}

/* v - 1, all there is of v in e, as v; false: there is more. */
static bool as_before(struct rg_ctree *t, struct rg_cnode **e, int v)
{
    const struct rg_cnode *of = (*e)->op == RG_COP_SUB && (*e)->kind == RG_C_BINARY ? (*e)->kid[0] : NULL;
    if (of && of->kind == RG_C_VAR && of->array < 0 && of->var == v && (*e)->kid[1]->kind == RG_C_INT &&
        (*e)->kid[1]->ivalue == 1) {
        *e = rg__c_copy(t, of);
        return true;
    }
    if ((*e)->kind == RG_C_VAR && (*e)->array < 0 && (*e)->var == v) return false;
    for (int i = 0; i < (*e)->n; i++)
        if ((*e)->kid[i] && !as_before(t, &(*e)->kid[i], v)) return false;
    return true;
}

/* v += 1; if (v - 1 == 0) first = i: likewise. */
static bool step_goes_behind(struct rg_ctree *t, struct rg_cnode *block, int i)
{
    struct rg_cnode *step = block->kid[i], *s = i + 1 < block->n ? block->kid[i + 1] : NULL;
    const int v = s && s->kind == RG_C_IF ? rg__counter_step(step) : -1;
    const struct rg_cnode *by = v >= 0 && step->kid[0]->op == RG_COP_ADD_SET ? step->kid[0]->kid[1] : NULL;
    if (!by || by->ivalue != 1 || rg_scalar_bytes(t->vars[v].type) < 4 || !rg__c_mentions_var(s->kid[0], v) ||
        !rg__c_pure(t, s->kid[0]) || !passed_over(t, s, v))
        return false;
    struct rg_cnode *c = rg__c_copy(t, s->kid[0]);
    if (!as_before(t, &c, v)) return false;
    s->kid[0] = c;
    block->kid[i] = s;
    block->kid[i + 1] = step;
    return true;
}

bool rg__step_behind(struct rg_ctree *t, struct rg_cnode *block, int i)
{
    return steps_behind(t, block, i) || step_goes_behind(t, block, i);
}
