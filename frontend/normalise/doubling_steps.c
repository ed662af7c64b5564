/* Spellings of rounds that double or halve something, brought to one: the step by a name of its own
 * (`half = n / 2; ...; n = half`), and strides in them that a while goes by. */
#include "frontend/normalise/doubling.h"

static const struct rg_cnode *assignment(const struct rg_cnode *s)
{
    while (s && s->kind == RG_C_BLOCK && s->n == 1) s = s->kid[0];
    if (s && s->kind == RG_C_STMT) s = s->kid[0];
    return s && s->kind == RG_C_ASSIGN ? s : NULL;
}

static bool scalar(const struct rg_cnode *e)
{
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer;
}

/* Statement `at` of the body, or what stands behind it, is v = w: where w is v * 2, v / 2 .. and both stay until
 * then, it says so itself. */
static struct rg_cnode *named_step(struct rg_ctree *t, const struct rg_cnode *step, const struct rg_cnode *body, int at)
{
    const struct rg_cnode *e = assignment(step);
    if (!e || e->op != RG_COP_SET || !scalar(e->kid[0])) return NULL;
    const struct rg_cnode *w = rg__c_uncast(e->kid[1], RG__C_INT_CASTS), *x = NULL;
    int v = e->kid[0]->var;
    if (!scalar(w) || w->var == v || t->vars[w->var].type != t->vars[v].type || !rg__scalar_is_int(t->vars[v].type) ||
        t->vars[w->var].kind != RG_CVAR_LOCAL || rg__doubling_writes(body, w->var) != 1 ||
        rg__doubling_writes(body, v) != (at < body->n) || rg__continues_loop(body))
        return NULL;
    for (int i = 0; i < at && !x; i++) x = rg__doubling_set(body->kid[i], w->var);
    x = x ? rg__c_uncast(x, RG__C_INT_CASTS) : NULL;
    if (!x || x->kind != RG_C_BINARY || x->type != t->vars[v].type) return NULL;
    const struct rg_cnode *by = rg__c_uncast(x->kid[1], RG__C_INT_CASTS);
    bool scales = x->op == RG_COP_MUL || x->op == RG_COP_DIV || x->op == RG_COP_SHL || x->op == RG_COP_SHR;
    if (!scales || !rg__doubling_var(x->kid[0], v) || by->kind != RG_C_INT) return NULL;
    return rg__c_assign(t, RG_COP_SET, rg__c_var(t, v), rg__c_copy(t, x));
}

void rg__doubling_named_step(struct rg_ctree *t, struct rg_cnode *loop)
{
    if (loop->kind == RG_C_FOR && loop->kid[2] && loop->kid[3]->kind == RG_C_BLOCK) {
        struct rg_cnode *s = named_step(t, loop->kid[2], loop->kid[3], loop->kid[3]->n);
        if (s) loop->kid[2] = s;
    }
    for (int i = 0; loop->kind == RG_C_WHILE && loop->kid[1]->kind == RG_C_BLOCK && i < loop->kid[1]->n; i++) {
        struct rg_cnode *body = loop->kid[1], *s = named_step(t, body->kid[i], body, i);
        if (!s) continue;
        struct rg_cnode *step = rg__c_stmt(t, s);
        step->line = body->kid[i]->line;
        step->column = body->kid[i]->column;
        body->kid[i] = step;
    }
}

/* `v = a; while (v < b) { ..; v += s; }` as a for; NULL: it is none. */
struct rg_cnode *rg__doubling_for(struct rg_ctree *t, const struct rg_cnode *block, int at)
{
    const struct rg_cnode *w = block->kid[at], *body = w->kind == RG_C_WHILE ? w->kid[1] : NULL, *first = NULL;
    const struct rg_cnode *e = body && body->kind == RG_C_BLOCK && body->n ? assignment(body->kid[body->n - 1]) : NULL;
    if (!e || e->op != RG_COP_ADD_SET || !scalar(e->kid[0]) || !rg__c_pure(t, e->kid[1])) return NULL;
    int v = e->kid[0]->var;
    if (rg__doubling_writes(body, v) != 1 || rg__leaves_early(body) || !rg__c_mentions_var(w->kid[0], v)) return NULL;
    for (int i = at - 1; i >= 0 && !first; i--) {
        first = rg__doubling_set(block->kid[i], v);
        if (!first && rg__c_mentions_var(block->kid[i], v)) return NULL;
        for (int k = 0; k < t->n_vars && first; k++) /* nothing of it is set between */
            for (int j = i + 1; j < at; j++)
                if (rg__c_mentions_var(first, k) && rg__c_writes_var(block->kid[j], k)) return NULL;
    }
    if (!first || !rg__c_pure(t, first) || rg__mentions_kind(first, RG_C_INDEX)) return NULL;
    struct rg_cnode *f = rg_cnode_new(t, RG_C_FOR, 4), *inner = rg_cnode_new(t, RG_C_BLOCK, body->n - 1);
    for (int i = 0; i + 1 < body->n; i++) inner->kid[i] = body->kid[i];
    f->kid[0] = rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_var(t, v), rg__c_copy(t, first)));
    f->kid[1] = w->kid[0];
    f->kid[2] = rg__c_copy(t, e);
    f->kid[3] = inner;
    f->line = f->kid[0]->line = inner->line = w->line;
    f->column = w->column;
    return f;
}
