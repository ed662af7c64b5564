/* Scalars of a graph search that are the least or the most of what the visited have: whatever the order is, they come
 * out alike. The value, its variable and the element compared with it are the same but for conversions that keep
 * values. Where all have one value (the level that a round finds), the loop over vertices only says whether there is
 * one, and the scalar gets it behind:
 *     found = 0; for u: ... found = 1; ...; if (found) most = most < value ? value : most; */
#include "frontend/normalise/update_rounds.h"
#include "frontend/normalise/update_rounds_proof.h"
#include "frontend/normalise/work_lists.h"

static bool scalar(const struct rg_cnode *e)
{
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer;
}

/* `c ? value : var` */
static bool chosen(const struct rg_cnode *c, const struct rg_cnode *var, const struct rg_cnode *value, bool *most)
{
    if (c->kind != RG_C_BINARY || !rg_c_relation(c->op) || c->op == RG_COP_EQ || c->op == RG_COP_NE) return false;
    for (int side = 0; side < 2; side++) {
        const struct rg_cnode *x = rg__round_strip(c->kid[side]), *y = rg__round_strip(c->kid[1 - side]);
        if (!scalar(y) || y->var != var->var || !rg__c_equal(x, value)) continue;
        const enum rg_c_op op = side ? rg_c_converse(c->op) : c->op; /* value op var */
        *most = op == RG_COP_GT || op == RG_COP_GE;
        return true;
    }
    return false;
}

bool rg__list_extreme(const struct rg_cnode *stmt, int *var, const struct rg_cnode **value, bool *most)
{
    const struct rg_cnode *c = NULL, *s = stmt;
    if (stmt->kind == RG_C_IF) {
        if (stmt->n > 2 && stmt->kid[2] && stmt->kid[2]->n) return false;
        c = stmt->kid[0];
        s = stmt->kid[1];
        if (s->kind == RG_C_BLOCK && s->n == 1) s = s->kid[0];
    }
    const struct rg_cnode *e = s->kind == RG_C_STMT ? s->kid[0] : NULL;
    if (!e || e->kind != RG_C_ASSIGN || e->op != RG_COP_SET || !scalar(e->kid[0])) return false;
    const struct rg_cnode *to = e->kid[0], *v = rg__round_strip(e->kid[1]);
    bool turned = false;
    if (!c && v->kind == RG_C_COND) { /* s = e > s ? e : s, s = s > e ? s : e */
        const struct rg_cnode *a = rg__round_strip(v->kid[1]), *b = rg__round_strip(v->kid[2]);
        c = v->kid[0];
        turned = scalar(a) && a->var == to->var;
        v = turned ? b : a;
        const struct rg_cnode *other = turned ? a : b;
        if (!scalar(other) || other->var != to->var || (turned && rg_scalar_is_real(to->type))) return false;
    }
    if (!c || v->type != to->type || rg__c_mentions_var(v, to->var) || !chosen(c, to, v, most)) return false;
    *most ^= turned;
    *var = to->var;
    *value = v;
    return true;
}

/* Is the value the same in every iteration? */
static bool invariant(const struct rg_ctree *t, const struct rg_cnode *loop, const struct rg_cnode *e)
{
    if (!rg__c_pure(t, e) || e->op == RG_COP_DEREF || (e->kind == RG_C_VAR && e->array >= 0)) return false;
    if (scalar(e) && (e->var == loop->var || rg__c_writes_var(loop, e->var) || rg__c_binds(loop, e->var))) return false;
    if (e->kind == RG_C_INDEX && (e->pointer || rg__writes_array(loop, e->array))) return false;
    for (int i = 0; i < e->n; i++)
        if (!invariant(t, loop, e->kid[i])) return false;
    return true;
}

static int mentions(const struct rg_cnode *n, int var)
{
    int count = 0, at;
    const struct rg_cnode *value;
    bool most;
    if (rg__list_extreme(n, &at, &value, &most) && at == var) return 0;
    if (scalar(n) && n->var == var) return 1;
    for (int i = 0; i < n->n; i++) count += n->kid[i] ? mentions(n->kid[i], var) : 0;
    return count;
}

static void in_block(struct rg_ctree *t, const struct rg_cnode *loop, struct rg_cnode *n, struct rg__kids *before,
                     struct rg__kids *behind)
{
    for (int i = 0; i < n->n; i++) {
        struct rg_cnode *k = n->kid[i];
        int var;
        const struct rg_cnode *value;
        bool most;
        if (!k || rg__c_is_expr(k)) continue;
        if (n->kind != RG_C_BLOCK || !rg__list_extreme(k, &var, &value, &most) || mentions(loop, var) ||
            !invariant(t, loop, value)) {
            in_block(t, loop, k, before, behind);
            continue;
        }
        const int flag = rg__c_add_var(t, "found", RG_CVAR_LOCAL, RG_I32);
        struct rg_cnode *none = rg_cnode_new(t, RG_C_DECL, 1), *one = rg_cnode_new(t, RG_C_IF, 2),
                        *inside = rg_cnode_new(t, RG_C_BLOCK, 1);
        none->var = flag;
        none->type = RG_I32;
        none->kid[0] = rg__c_int(t, 0);
        one->kid[0] = rg__c_var(t, flag);
        one->kid[1] = inside;
        inside->kid[0] = k;
        n->kid[i] = rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_var(t, flag), rg__c_int(t, 1)));
        none->line = one->line = inside->line = n->kid[i]->line = k->line;
        rg__kids_add(before, none);
        rg__kids_add(behind, one);
    }
}

void rg__list_extremes_behind(struct rg_ctree *t, struct rg_cnode *loop, struct rg__kids *before,
                              struct rg__kids *behind)
{
    in_block(t, loop, loop->kid[2], before, behind);
}
