/* Continues that conditions inside conditions make, with code behind them at several levels: the rest of the iteration
 * asks a flag.
 *     for (..) { if (a) { .. if (b) continue; .. } rest }
 *     for (..) { int skip = 0; if (a) { .. if (b) skip = 1; else { .. } } if (skip == 0) { rest } } */
#include "frontend/normalise/canon.h"

/* Do the loop's own continues stand in blocks and branches alone? */
static bool in_branches(const struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n) || n->kind == RG_C_CONTINUE || rg__c_is_loop(n) || !rg__continues_loop(n)) return true;
    if (n->kind != RG_C_BLOCK && n->kind != RG_C_IF) return false;
    for (int i = 0; i < n->n; i++) {
        const struct rg_cnode *k = n->kid[i];
        const bool arm = n->kind == RG_C_IF && i > 0;
        if ((arm && k && k->kind != RG_C_BLOCK) || !in_branches(k)) return false;
    }
    return true;
}

static struct rg_cnode *set_flag(struct rg_ctree *t, int flag, const struct rg_cnode *at)
{
    struct rg_cnode *s = rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_var(t, flag), rg__c_int(t, 1)));
    s->line = at->line;
    s->column = at->column;
    return s;
}

/* The end of the block from statement `from` on, taken from it. */
static struct rg_cnode *cut(struct rg_ctree *t, struct rg_cnode *block, int from)
{
    struct rg__kids rest = {0};
    for (int k = from; k < block->n; k++) rg__kids_add(&rest, block->kid[k]);
    block->n = from;
    return rg__kids_node(t, RG_C_BLOCK, &rest);
}

static void to_flags(struct rg_ctree *t, struct rg_cnode *block, int flag);

/* An IF that may continue, as the block's statement i: what follows it runs in the arm that goes on, or asks the flag.
 */
static void branch(struct rg_ctree *t, struct rg_cnode *block, int i, int flag)
{
    struct rg_cnode *s = block->kid[i], *rest = i + 1 < block->n ? cut(t, block, i + 1) : NULL;
    struct rg_cnode *then = s->kid[1];
    const bool leaves = then->kind == RG_C_BLOCK && then->n && then->kid[then->n - 1]->kind == RG_C_CONTINUE;
    if (rest && leaves && s->n < 3) {
        struct rg_cnode *x = rg_cnode_new(t, RG_C_IF, 3);
        x->kid[0] = s->kid[0];
        x->kid[1] = then;
        x->kid[2] = rest;
        x->line = s->line;
        x->column = s->column;
        block->kid[i] = s = x;
        rest = NULL;
    }
    for (int k = 1; k < s->n; k++) to_flags(t, s->kid[k], flag);
    if (!rest) return;
    struct rg_cnode *x = rg_cnode_new(t, RG_C_IF, 2);
    x->kid[0] = rg__c_binary(t, RG_COP_EQ, rg__c_var(t, flag), rg__c_int(t, 0));
    x->kid[1] = rest;
    x->line = rest->kid[0]->line;
    x->column = rest->kid[0]->column;
    to_flags(t, rest, flag);
    struct rg__kids with = {0};
    rg__kids_add(&with, x);
    rg__block_splice(t, block, block->n, 0, &with);
}

static void to_flags(struct rg_ctree *t, struct rg_cnode *block, int flag)
{
    for (int i = 0; i < block->n; i++) {
        struct rg_cnode *s = block->kid[i];
        if (rg__c_is_loop(s) || !rg__continues_loop(s)) continue;
        if (s->kind == RG_C_CONTINUE) { /* nothing behind it runs */
            block->kid[i] = set_flag(t, flag, s);
            block->n = i + 1;
        } else if (s->kind == RG_C_BLOCK) { /* its declarations have names of their own */
            struct rg__kids in = {0};
            for (int k = 0; k < s->n; k++) rg__kids_add(&in, s->kid[k]);
            rg__block_splice(t, block, i--, 1, &in);
            continue;
        } else {
            branch(t, block, i, flag);
        }
        return;
    }
}

void rg__deep_continues(struct rg_ctree *t, struct rg_cnode *body)
{
    if (body->kind != RG_C_BLOCK || !rg__continues_loop(body) || !in_branches(body) ||
        rg__mentions_kind(body, RG_C_GOTO) || rg__mentions_kind(body, RG_C_LABEL))
        return;
    int flag = rg__c_add_var(t, "skip", RG_CVAR_LOCAL, RG_I32);
    struct rg_cnode *d = rg_cnode_new(t, RG_C_DECL, 1);
    d->var = flag;
    d->type = RG_I32;
    d->kid[0] = rg__c_int(t, 0);
    if (body->n) d->line = body->kid[0]->line, d->column = body->kid[0]->column;
    to_flags(t, body, flag);
    struct rg__kids front = {0};
    rg__kids_add(&front, d);
    rg__block_splice(t, body, 0, 0, &front);
}
