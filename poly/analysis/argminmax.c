/* Arg-min and arg-max: a comparison with the best so far, the best, and what goes with it, chosen by one flag:
 *     taken = d < best;  best = taken ? d : best;  at = taken ? j : at;
 * perhaps under a further condition (`taken = ok && d < best`). A reduction: over (value, number of the iteration) the
 * order is total, so ties go to the first (or, with <=, the last). */
#include "poly/analysis/scop.h"
#include <string.h>

static bool is_var(const struct rg_cnode *e, int var)
{
    e = rg__c_uncast(e, RG__C_CASTS);
    return e && e->kind == RG_C_VAR && e->array < 0 && e->var == var;
}

/* A scalar's new value; NULL: the statement is none of that form. */
static const struct rg_cnode *set_scalar(const struct rg_cnode *n, int *var)
{
    if (n->kind == RG_C_DECL && n->array < 0 && n->n && n->kid[0]) {
        *var = n->var;
        return n->kid[0];
    }
    const struct rg_cnode *e = n->kind == RG_C_STMT && n->n ? n->kid[0] : NULL;
    if (!e || e->op != RG_COP_SET || e->kid[0]->kind != RG_C_VAR || e->kid[0]->array >= 0) return NULL;
    *var = e->kid[0]->var;
    return e->kid[1];
}

/* v = flag ? value : v */
static const struct rg_cnode *chosen(const struct rg_cnode *n, int flag, int *var)
{
    const struct rg_cnode *e = n->kind == RG_C_DECL ? NULL : rg__c_uncast(set_scalar(n, var), RG__C_CASTS);
    if (!e || e->kind != RG_C_COND || e->n != 3 || !is_var(e->kid[0], flag) || !is_var(e->kid[2], *var) ||
        rg__poly_has_effects(e->kid[1]))
        return NULL;
    return e->kid[1];
}

/* Which scalar the comparison is with, if the flag says that e is to replace it. */
static bool compares(const struct rg_cnode *c, int best, enum poly_op *op, bool *first, const struct rg_cnode **e)
{
    c = rg__c_uncast(c, RG__C_CASTS);
    if (c->op == RG_COP_AND) { /* the rest is a condition of its own */
        bool right = rg__c_count_var(c->kid[1], best) > 0;
        return !rg__c_count_var(c->kid[!right], best) && compares(c->kid[right], best, op, first, e);
    }
    if (c->n != 2 || !rg_c_relation(c->op) || c->op == RG_COP_EQ || c->op == RG_COP_NE) return false;
    bool right = is_var(c->kid[1], best), left = is_var(c->kid[0], best),
         less = c->op == RG_COP_LT || c->op == RG_COP_LE;
    *e = right ? c->kid[0] : c->kid[1];
    *op = less == right ? POLY_OP_MIN : POLY_OP_MAX;
    *first = c->op == RG_COP_LT || c->op == RG_COP_GT;
    return left != right && !rg__c_count_var(*e, best);
}

static bool local(const struct poly_scop *s, int var)
{
    const struct rg_cvar *v = &s->tree->vars[var];
    return v->kind == RG_CVAR_LOCAL && v->type != RG_STRUCT && !s->var_hidden[var];
}

static void look(struct poly_scop *s, int at)
{
    int flag, var;
    const struct rg_cnode *c = rg__c_uncast(set_scalar(s->stmts[at].node, &flag), RG__C_CASTS), *e, *value;
    bool asks = c && (c->op == RG_COP_AND || (rg_c_relation(c->op) && c->op != RG_COP_EQ && c->op != RG_COP_NE));
    if (!asks || c->n != 2 || rg__poly_has_effects(c) || !local(s, flag) || s->n_selects == POLY_MAX_SELECTS) return;
    struct poly_select x = {.test = at, .best = -1, .best_stmt = -1, .flag = flag};
    for (int i = at + 1;
         i < s->n_stmts && s->stmts[i].loop == s->stmts[at].loop && (value = chosen(s->stmts[i].node, flag, &var));
         i++) {
        if (!local(s, var)) return;
        if (x.best < 0 && compares(c, var, &x.op, &x.first, &e) && rg__c_same(value, e, RG__C_UNCAST)) {
            x.best = var;
            x.best_stmt = i;
        } else if (x.n_with < POLY_MAX_WITH) {
            x.with[x.n_with] = var;
            x.with_stmt[x.n_with++] = i;
        } else {
            return;
        }
    }
    if (x.best < 0 || !x.n_with) return;
    for (int i = 0; i < x.n_with; i++) { /* chosen among values that have nothing to do with what was chosen before */
        value = chosen(s->stmts[x.with_stmt[i]].node, flag, &var);
        for (int j = 0; j < x.n_with; j++)
            if (rg__c_count_var(value, x.with[j]) || rg__c_count_var(c, x.with[j]) ||
                (i != j && x.with[i] == x.with[j]))
                return;
        if (rg__c_count_var(value, x.best) || x.with[i] == x.best) return;
    }
    s->stmts[x.best_stmt].red_var = x.best;
    s->stmts[x.best_stmt].red_op = x.op;
    for (int i = 0; i < x.n_with; i++) {
        s->stmts[x.with_stmt[i]].red_var = x.with[i];
        s->stmts[x.with_stmt[i]].red_op = POLY_OP_WITH;
    }
    s->selects[s->n_selects++] = x;
}

void rg__poly_selects_analyse(struct poly_scop *s)
{
    s->n_selects = 0;
    for (int i = 0; i < s->n_stmts; i++) look(s, i);
}

int rg__poly_select_of(const struct poly_scop *s, int var)
{
    for (int i = 0; i < s->n_selects; i++) {
        const struct poly_select *x = &s->selects[i];
        for (int w = 0; w < x->n_with; w++)
            if (x->with[w] == var) return i;
        if (x->best == var) return i;
    }
    return -1;
}
