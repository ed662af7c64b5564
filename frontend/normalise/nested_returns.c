/* Returns out of loops inside loops, one level at a time: the inner loop is left by a break, and the code behind it
 * returns. So the exits of either loop are its own, which loop_exits.c makes flags of.
 *     for (..) { while (..) { .. if (bad) return -1; .. } .. }
 *     for (..) { while (..) { .. if (bad) { value = -1; left = 1; break; } .. } if (left) return value; .. } */
#include "frontend/normalise/canon.h"
#include "frontend/normalise/doubling.h"

struct lift {
    struct rg_ctree *t;
    int left, value; /* -1: it returns none */
};

/* Do returns stand in blocks alone, and none in a switch, which a break would leave instead? */
static bool in_blocks(const struct rg_cnode *n)
{
    if (!n || !rg__mentions_kind(n, RG_C_RETURN)) return true;
    if (n->kind == RG_C_SWITCH || n->kind == RG_C_LABEL) return false;
    for (int i = 0; i < n->n; i++) {
        const struct rg_cnode *k = n->kid[i];
        if (k && n->kind != RG_C_BLOCK && k->kind != RG_C_BLOCK && rg__mentions_kind(k, RG_C_RETURN)) return false;
        if (!in_blocks(k)) return false;
    }
    return true;
}

static bool returns_deep(const struct rg_cnode *n, int depth)
{
    if (!n || rg__c_is_expr(n)) return false;
    if (n->kind == RG_C_RETURN) return depth > 1;
    for (int i = 0; i < n->n; i++)
        if (returns_deep(n->kid[i], depth + rg__c_is_loop(n))) return true;
    return false;
}

/* A check of sizes: a loop on scalars alone, in front of others, `for (m = n; m > 1; m /= 2) if (m & 1) return -1;`. */
static bool on_scalars(const struct rg_cnode *n)
{
    if (!n) return true;
    if (n->kind == RG_C_INDEX || n->kind == RG_C_VERBATIM || n->pointer || (n->kind == RG_C_VAR && n->array >= 0))
        return false;
    for (int i = 0; i < n->n; i++)
        if (!on_scalars(n->kid[i])) return false;
    return true;
}

static bool is_check(const struct rg_cnode *block, int at)
{
    const struct rg_cnode *s = block->kid[at];
    if (block->kind != RG_C_BLOCK || !rg__c_is_loop(s) || !rg__mentions_kind(s, RG_C_RETURN) || !on_scalars(s))
        return false;
    for (int i = at + 1; i < block->n; i++)
        if (rg__c_has_loop(block->kid[i])) return true;
    return false;
}

static struct rg_cnode *set(struct rg_ctree *t, int var, struct rg_cnode *value, const struct rg_cnode *at)
{
    struct rg_cnode *s =
        rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_var(t, var), rg__c_cast(t, value, t->vars[var].type)));
    s->line = at->line;
    s->column = at->column;
    return s;
}

static void to_breaks(const struct lift *x, struct rg_cnode *block)
{
    for (int i = 0; i < block->n; i++) {
        struct rg_cnode *s = block->kid[i], *leave;
        if (s->kind == RG_C_RETURN) {
            struct rg__kids with = {0};
            if (x->value >= 0 && s->n) rg__kids_add(&with, set(x->t, x->value, s->kid[0], s));
            rg__kids_add(&with, set(x->t, x->left, rg__c_int(x->t, 1), s));
            leave = rg_cnode_new(x->t, RG_C_BREAK, 0);
            leave->line = s->line;
            leave->column = s->column;
            rg__kids_add(&with, leave);
            rg__block_splice(x->t, block, i, block->n - i, &with);
            return;
        }
        for (int k = 0; k < s->n; k++)
            if (s->kid[k] && s->kid[k]->kind == RG_C_BLOCK) to_breaks(x, s->kid[k]);
        if (s->kind == RG_C_BLOCK) to_breaks(x, s);
    }
}

static struct rg_cnode *return_if_left(const struct lift *x, const struct rg_cnode *at)
{
    struct rg_ctree *t = x->t;
    struct rg_cnode *r = rg_cnode_new(t, RG_C_RETURN, x->value >= 0), *s = rg_cnode_new(t, RG_C_IF, 2);
    struct rg__kids one = {0};
    if (x->value >= 0) r->kid[0] = rg__c_var(t, x->value);
    rg__kids_add(&one, r);
    s->kid[0] = rg__c_binary(t, RG_COP_NE, rg__c_var(t, x->left), rg__c_int(t, 0));
    s->kid[1] = rg__kids_node(t, RG_C_BLOCK, &one);
    r->line = s->line = s->kid[1]->line = at->line;
    r->column = s->column = at->column;
    return s;
}

/* The loop at `at` is left by breaks, and the code behind it returns. Returns how many statements stand there now. */
static int lift_one(const struct lift *x, struct rg_cnode *block, int at)
{
    struct rg_cnode *s = block->kid[at];
    struct rg__kids with = {0};
    for (int k = 0; k < s->n; k++)
        if (s->kid[k] && s->kid[k]->kind == RG_C_BLOCK) to_breaks(x, s->kid[k]);
    rg__kids_add(&with, s);
    rg__kids_add(&with, return_if_left(x, s));
    rg__block_splice(x->t, block, at, 1, &with);
    return 2;
}

/* In loops inside one another the innermost first: what it returns then is a return of the one around it. */
static void lift(const struct lift *x, struct rg_cnode *n, bool in_loop)
{
    for (int i = 0; i < n->n; i++) {
        struct rg_cnode *s = n->kid[i];
        if (!s || rg__c_is_expr(s) || !rg__mentions_kind(s, RG_C_RETURN)) continue;
        lift(x, s, in_loop || rg__c_is_loop(s));
        if (!rg__c_is_loop(s) || !in_loop || n->kind != RG_C_BLOCK) continue;
        i += lift_one(x, n, i) - 1;
    }
}

static struct lift begin(struct rg_ctree *t)
{
    struct lift x = {t, rg__c_add_var(t, "left", RG_CVAR_LOCAL, RG_I32), -1};
    if (t->result_array >= 0) x.value = rg__c_add_var(t, "value", RG_CVAR_LOCAL, t->arrays[t->result_array].elem);
    return x;
}

static int declare(const struct lift *x)
{
    struct rg_ctree *t = x->t;
    struct rg__kids front = {0};
    rg__kids_add(&front, rg__doubling_declaration(t, x->left, rg__c_int(t, 0), t->root));
    if (x->value >= 0) rg__kids_add(&front, rg__doubling_declaration(t, x->value, rg__c_int(t, 0), t->root));
    rg__block_splice(t, t->root, 0, 0, &front);
    return x->value >= 0 ? 2 : 1;
}

void rg__lift_returns(struct rg_ctree *t)
{
    bool value = t->result_array >= 0;
    if (!returns_deep(t->root, 0) || !in_blocks(t->root) || (value && t->arrays[t->result_array].elem == RG_STRUCT))
        return;
    struct lift x = begin(t);
    lift(&x, t->root, false);
    declare(&x);
}

void rg__lift_checks(struct rg_ctree *t)
{
    const bool value = t->result_array >= 0;
    for (int i = 0; i < t->root->n && !(value && t->arrays[t->result_array].elem == RG_STRUCT); i++) {
        if (!is_check(t->root, i) || !in_blocks(t->root->kid[i])) continue;
        struct lift x = begin(t);
        lift(&x, t->root->kid[i], true); /* out of loops in it, too */
        lift_one(&x, t->root, i);
        i += 1 + declare(&x);
    }
}
