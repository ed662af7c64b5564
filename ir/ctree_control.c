/* Where control goes in a tree: what a statement leaves, whether a kind of node or a write of an array stands below it;
 * blocks spliced, conditions negated. */
#include "ir/ctree_util.h"
#include <stdlib.h>
#include <string.h>

bool rg__mentions_kind(const struct rg_cnode *n, enum rg_c_kind kind)
{
    if (!n) return false;
    if (n->kind == kind) return true;
    for (int i = 0; i < n->n; i++)
        if (rg__mentions_kind(n->kid[i], kind)) return true;
    return false;
}

bool rg__c_contains(const struct rg_cnode *n, const struct rg_cnode *x)
{
    if (!n || n == x) return n != NULL;
    for (int i = 0; i < n->n; i++)
        if (rg__c_contains(n->kid[i], x)) return true;
    return false;
}

bool rg__c_is_loop(const struct rg_cnode *n)
{
    return n->kind == RG_C_FOR || n->kind == RG_C_WHILE || n->kind == RG_C_DO || n->kind == RG_C_LOOP;
}

bool rg__c_run_again(const struct rg_cnode *n, const struct rg_cnode *f, int var)
{
    if (!n || n == f || rg__c_is_expr(n)) return false;
    if (rg__c_is_loop(n) && rg__c_contains(n, f) && !rg__c_declares(n, var)) return true;
    for (int i = 0; i < n->n; i++)
        if (rg__c_run_again(n->kid[i], f, var)) return true;
    return false;
}

bool rg__c_divides(const struct rg_cnode *e)
{
    const enum rg_c_op op = rg_c_applied(e->op);
    const bool own = e->op == RG_COP_DIV || e->op == RG_COP_REM, with = op == RG_COP_DIV || op == RG_COP_REM;
    if (e->n == 2 && (own || (e->kind == RG_C_ASSIGN && with)) && rg__scalar_is_int(e->kid[1]->type)) {
        const struct rg_cnode *by = rg__c_uncast(e->kid[1], RG__C_INT_CASTS);
        if (by->kind != RG_C_INT || by->ivalue == 0 || by->ivalue == -1) return true;
    }
    for (int i = 0; i < e->n; i++)
        if (e->kid[i] && rg__c_divides(e->kid[i])) return true;
    return false;
}

bool rg__c_ends_in(const struct rg_cnode *block, enum rg_c_kind kind)
{
    return block && block->kind == RG_C_BLOCK && block->n && block->kid[block->n - 1]->kind == kind;
}

bool rg__c_has_loop(const struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n)) return false;
    if (rg__c_is_loop(n)) return true;
    for (int i = 0; i < n->n; i++)
        if (rg__c_has_loop(n->kid[i])) return true;
    return false;
}

static bool declares(const struct rg_cnode *n, int var, bool loops)
{
    if (!n || rg__c_is_expr(n)) return false;
    bool makes = n->kind == RG_C_DECL || (loops && n->kind == RG_C_LOOP);
    if (makes && n->array < 0 && n->var == var) return true;
    for (int i = 0; i < n->n; i++)
        if (declares(n->kid[i], var, loops)) return true;
    return false;
}

bool rg__c_declares(const struct rg_cnode *n, int var)
{
    return declares(n, var, false);
}

bool rg__c_binds(const struct rg_cnode *n, int var)
{
    return declares(n, var, true);
}

bool rg__c_declares_array(const struct rg_cnode *n, int array)
{
    if (!n || rg__c_is_expr(n)) return false;
    if (n->kind == RG_C_DECL && n->array == array) return true;
    for (int i = 0; i < n->n; i++)
        if (rg__c_declares_array(n->kid[i], array)) return true;
    return false;
}

void rg__c_rename_array(struct rg_cnode *n, int was, int now)
{
    if (!n) return;
    if (n->array == was) n->array = now;
    for (int i = 0; i < n->n; i++) rg__c_rename_array(n->kid[i], was, now);
}

bool rg__c_decides(const struct rg_cnode *n, int var)
{
    if (!n || rg__c_is_expr(n)) return false;
    const struct rg_cnode *c = n->kind == RG_C_IF ? n->kid[0] : n->kind == RG_C_LOOP && n->n > 3 ? n->kid[3] : NULL;
    if (c && c->kind == RG_C_VAR && c->array < 0 && c->var == var) return true;
    for (int i = 0; i < n->n; i++)
        if (rg__c_decides(n->kid[i], var)) return true;
    return false;
}

bool rg__relation_holds(enum rg_c_op op, double a, double b)
{
    switch (op) {
    case RG_COP_LT:
        return a < b;
    case RG_COP_LE:
        return a <= b;
    case RG_COP_GT:
        return a > b;
    case RG_COP_GE:
        return a >= b;
    case RG_COP_EQ:
        return a == b;
    default:
        return a != b;
    }
}

static bool leaves(const struct rg_cnode *n, bool in_loop, bool in_switch)
{
    if (!n) return false;
    switch (n->kind) {
    case RG_C_RETURN:
        return true;
    case RG_C_BREAK:
        return !in_loop && !in_switch;
    case RG_C_CONTINUE:
        return !in_loop;
    case RG_C_FOR:
    case RG_C_WHILE:
    case RG_C_DO:
    case RG_C_LOOP:
        in_loop = true;
        break;
    case RG_C_SWITCH:
        in_switch = true;
        break;
    default:
        break;
    }
    for (int i = 0; i < n->n; i++)
        if (leaves(n->kid[i], in_loop, in_switch)) return true;
    return false;
}

bool rg__leaves_early(const struct rg_cnode *n)
{
    return leaves(n, false, false);
}

static bool leaves_loop(const struct rg_cnode *n, bool breaks)
{
    if (!n || rg__c_is_expr(n)) return false;
    if (n->kind == RG_C_CONTINUE || (n->kind == RG_C_BREAK && breaks)) return true;
    if (rg__c_is_loop(n)) return false;
    for (int i = 0; i < n->n; i++)
        if (leaves_loop(n->kid[i], breaks && n->kind != RG_C_SWITCH)) return true;
    return false;
}

bool rg__leaves_loop(const struct rg_cnode *n)
{
    return leaves_loop(n, true);
}

bool rg__continues_loop(const struct rg_cnode *n)
{
    return leaves_loop(n, false);
}

void rg__block_splice(struct rg_ctree *t, struct rg_cnode *block, int at, int count, struct rg__kids *with)
{
    struct rg__kids k = {0};
    for (int i = 0; i < at; i++) rg__kids_add(&k, block->kid[i]);
    for (int i = 0; i < with->n; i++) rg__kids_add(&k, with->items[i]);
    for (int i = at + count; i < block->n; i++) rg__kids_add(&k, block->kid[i]);
    free(with->items);
    memset(with, 0, sizeof *with);
    block->n = k.n;
    block->kid = rg_arena_alloc(&t->arena, (size_t)(k.n + 1) * sizeof *block->kid);
    if (k.n) memcpy(block->kid, k.items, (size_t)k.n * sizeof *k.items);
    free(k.items);
}

struct rg_cnode *rg__negated(struct rg_ctree *t, struct rg_cnode *c)
{
    if (c->op == RG_COP_NOT) return c->kid[0];
    if (c->kind == RG_C_BINARY && rg__scalar_is_int(c->kid[0]->type) && rg__scalar_is_int(c->kid[1]->type)) {
        if (rg_c_relation(c->op)) return rg__c_binary(t, rg_c_opposite(c->op), c->kid[0], c->kid[1]);
        bool and = c->op == RG_COP_AND;
        if (and || c->op == RG_COP_OR)
            return rg__c_binary(t, and? RG_COP_OR : RG_COP_AND, rg__negated(t, c->kid[0]), rg__negated(t, c->kid[1]));
    }
    return rg__c_unary(t, RG_COP_NOT, c);
}

bool rg__writes_array(const struct rg_cnode *n, int array)
{
    if (!n) return false;
    if (n->kind == RG_C_VERBATIM) return true;
    if (n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC || n->op == RG_COP_ADDRESS) {
        const struct rg_cnode *l = n->kid[0];
        while (l->kind == RG_C_MEMBER) l = l->kid[0];
        if (l->array == array) return true;
    }
    if (n->kind == RG_C_VAR && n->array == array) return true; /* passed on as a pointer */
    if (n->kind == RG_C_INDEX && n->array == array && n->pointer) return true;
    for (int i = 0; i < n->n; i++)
        if (rg__writes_array(n->kid[i], array)) return true;
    return false;
}

void rg__flatten_blocks(struct rg_ctree *t, struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n)) return;
    for (int i = 0; i < n->n; i++) rg__flatten_blocks(t, n->kid[i]);
    for (int i = 0; n->kind == RG_C_BLOCK && i < n->n; i++) {
        const struct rg_cnode *in = n->kid[i];
        if (in->kind != RG_C_BLOCK) continue;
        struct rg__kids all = {0};
        for (int k = 0; k < in->n; k++) rg__kids_add(&all, in->kid[k]);
        rg__block_splice(t, n, i, 1, &all);
        i += in->n - 1;
    }
}

bool rg__c_addressed(const struct rg_cnode *n, int var)
{
    if (!n) return false;
    if (n->op == RG_COP_ADDRESS && rg__c_mentions_var(n->kid[0], var)) return true;
    for (int i = 0; i < n->n; i++)
        if (rg__c_addressed(n->kid[i], var)) return true;
    return false;
}

struct rg_cnode *rg__c_choice_branch(struct rg_ctree *t, const struct rg_cnode *s)
{
    const struct rg_cnode *a = s->kid[0], *c = a->kind == RG_C_ASSIGN && a->op == RG_COP_SET ? a->kid[1] : NULL;
    bool keeps = c && c->kind == RG_C_COND && c->kid[2]->kind == RG_C_VAR && c->kid[2]->array < 0 &&
                 a->kid[0]->kind == RG_C_VAR && a->kid[0]->array < 0 && c->kid[2]->var == a->kid[0]->var &&
                 c->type == t->vars[a->kid[0]->var].type;
    if (!keeps) return NULL;
    struct rg_cnode *n = rg__c_stands(rg_cnode_new(t, RG_C_IF, 2), s), *b = rg_cnode_new(t, RG_C_BLOCK, 1);
    n->kid[0] = rg__c_copy(t, c->kid[0]);
    n->kid[1] = b;
    b->kid[0] = rg__c_stands(rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_copy(t, a->kid[0]),
                                                        rg__c_cast(t, rg__c_copy(t, c->kid[1]), c->type))),
                             s);
    return n;
}
