/* A loop that cannot be said as one, and adds to a scalar from outside: it gets a sum of its own, added once behind it.
 * So the loops around it carry a reduction and nothing else. */
#include "frontend/normalise/canon.h"
#include <stdlib.h>
#include <string.h>

static bool is_var(const struct rg_cnode *e, int var)
{
    return e->kind == RG_C_VAR && e->array < 0 && e->var == var && !e->pointer;
}

/* The variable, plus or minus things that do not mention it, perhaps on a condition. */
static bool is_sum(const struct rg_cnode *e, int var)
{
    if (is_var(e, var)) return true;
    if (e->kind == RG_C_COND)
        return !rg__c_mentions_var(e->kid[0], var) && is_sum(e->kid[1], var) && is_sum(e->kid[2], var);
    if ((e->op != RG_COP_ADD && e->op != RG_COP_SUB)) return false;
    if (!rg__c_mentions_var(e->kid[1], var)) return is_sum(e->kid[0], var);
    return e->op == RG_COP_ADD && !rg__c_mentions_var(e->kid[0], var) && is_sum(e->kid[1], var);
}

/* v += e; v++; v = c ? v + e : v; */
static bool adds(const struct rg_cnode *s, int var)
{
    const struct rg_cnode *e = s->kid[0];
    if (e->kind == RG_C_INCDEC) return is_var(e->kid[0], var);
    if (e->kind != RG_C_ASSIGN || !is_var(e->kid[0], var)) return false;
    if (e->op == RG_COP_SET) return is_sum(e->kid[1], var);
    /* an integer rounds each real number that it gets, on its way to zero: where it begins matters */
    if (rg_scalar_is_real(e->kid[1]->type) && !rg_scalar_is_real(e->kid[0]->type)) return false;
    return (e->op == RG_COP_ADD_SET || e->op == RG_COP_SUB_SET) && !rg__c_mentions_var(e->kid[1], var);
}

bool rg__only_adds(const struct rg_cnode *n, int var)
{
    if (!n) return true;
    if (n->kind == RG_C_STMT && adds(n, var)) return true;
    if (n->kind == RG_C_VERBATIM || ((n->kind == RG_C_VAR || n->kind == RG_C_DECL) && n->array < 0 && n->var == var))
        return false;
    for (int i = 0; i < n->n; i++)
        if (!rg__only_adds(n->kid[i], var)) return false;
    return true;
}

static void rename_var(struct rg_cnode *n, int from, int to)
{
    if (!n) return;
    if (n->kind == RG_C_VAR && n->array < 0 && n->var == from) n->var = to;
    for (int i = 0; i < n->n; i++) rename_var(n->kid[i], from, to);
}

int rg__canon_sums(struct rg_ctree *t, struct rg_cnode *block, int at)
{
    struct rg_cnode *part = block->kid[at], *loop = part->kid[0];
    struct rg__kids with = {0}, behind = {0};
    bool is_loop =
        loop->kind == RG_C_FOR || loop->kind == RG_C_WHILE || loop->kind == RG_C_DO || loop->kind == RG_C_LOOP;
    if (!is_loop || rg__mentions_kind(loop, RG_C_RETURN)) return 0;
    for (int v = 0, n = t->n_vars; v < n; v++) {
        if (t->vars[v].kind != RG_CVAR_LOCAL || t->vars[v].struct_index >= 0 || t->vars[v].type == RG_BOOL ||
            !rg__c_writes_var(loop, v) || !rg__only_adds(loop, v) || rg__c_declares(block, v))
            continue;
        struct rg_cnode *d = rg_cnode_new(t, RG_C_DECL, 1);
        d->type = t->vars[v].type;
        d->var =
            rg__c_add_var(t, rg_arena_printf(&t->arena, "%s_part", t->vars[v].name), RG_CVAR_LOCAL, t->vars[v].type);
        d->kid[0] = rg__c_cast(t, rg__c_int(t, 0), d->type);
        struct rg_cnode *s = rg__c_stmt(t, rg__c_assign(t, RG_COP_ADD_SET, rg__c_var(t, v), rg__c_var(t, d->var)));
        d->line = s->line = part->line;
        d->column = s->column = part->column;
        rename_var(loop, v, d->var);
        rg__kids_add(&with, d);
        rg__kids_add(&behind, s);
    }
    int n = behind.n;
    rg__kids_add(&with, part);
    for (int i = 0; i < n; i++) rg__kids_add(&with, behind.items[i]);
    free(behind.items);
    rg__block_splice(t, block, at, 1, &with);
    return 2 * n;
}
