/* Bodies of loops without jumps: what leaves the loop clears a flag, and what stands behind it runs where the flag is
 * still set (loop_exits.c). */
#include "frontend/normalise/loop_exits.h"
#include <stdlib.h>

struct rg_cnode *rg__exit_set(struct rg_ctree *t, int var, struct rg_cnode *value, const struct rg_cnode *at)
{
    struct rg_cnode *s = rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_var(t, var), value));
    s->line = at->line;
    s->column = at->column;
    return s;
}

struct rg_cnode *rg__exit_truth(struct rg_ctree *t, struct rg_cnode *c)
{
    bool is = c->kind == RG_C_INT || rg_c_logic(c->op) || c->op == RG_COP_NOT;
    return is && c->type == RG_I32 ? c : rg__c_binary(t, RG_COP_NE, c, rg__c_cast(t, rg__c_int(t, 0), c->type));
}

/* x = e or x++ of a scalar: the value stored; NULL for others. */
static struct rg_cnode *scalar_value(struct rg_ctree *t, const struct rg_cnode *s, int *var)
{
    if (s->kind != RG_C_STMT || !s->kid[0]->n) return NULL;
    const struct rg_cnode *e = s->kid[0], *l = e->kid[0];
    if ((e->kind != RG_C_ASSIGN && e->kind != RG_C_INCDEC) || l->kind != RG_C_VAR || l->array >= 0 || l->pointer)
        return NULL;
    *var = l->var;
    if (e->kind == RG_C_INCDEC)
        return rg__c_binary(t, rg_c_increments(e->op) ? RG_COP_ADD : RG_COP_SUB, rg__c_copy(t, l),
                            rg__c_cast(t, rg__c_int(t, 1), l->type));
    if (!rg__c_pure(t, e->kid[1])) return NULL;
    if (e->op == RG_COP_SET) return rg__c_cast(t, rg__c_copy(t, e->kid[1]), l->type);
    const enum rg_c_op op = rg_c_applied(e->op);
    if (op == RG_COP_SHL || op == RG_COP_SHR) return NULL;
    return rg__c_cast(t, rg__c_binary(t, op, rg__c_copy(t, l), rg__c_copy(t, e->kid[1])), l->type);
}

/* The statements if the flag is set (or clear): plain assignments as a choice of values, others under an IF; so are
 * those behind one that sets the flag anew, as each choice would ask for the new one. */
void rg__exit_when(struct rg__exits *u, bool set_is, struct rg_cnode *const *items, int n, struct rg__kids *out)
{
    struct rg_ctree *t = u->t;
    bool plain = true;
    int var;
    for (int i = 0; i < n; i++) plain = plain && scalar_value(t, items[i], &var) && (var != u->go || i + 1 == n);
    for (int i = 0; i < n && plain; i++) {
        struct rg_cnode *v = scalar_value(t, items[i], &var), *old = rg__c_var(t, var);
        struct rg_cnode *c = rg_cnode_new(t, RG_C_COND, 3);
        c->kid[0] = rg__c_binary(t, RG_COP_NE, rg__c_var(t, u->go), rg__c_int(t, 0));
        c->kid[1] = set_is ? v : old;
        c->kid[2] = set_is ? old : v;
        c->type = t->vars[var].type;
        rg__kids_add(out, rg__exit_set(t, var, c, items[i]));
    }
    if (plain || !n) return;
    struct rg__kids arm = {0};
    for (int i = 0; i < n; i++) rg__kids_add(&arm, items[i]);
    struct rg_cnode *x = rg_cnode_new(t, RG_C_IF, 2);
    x->kid[0] = set_is ? rg__c_var(t, u->go) : rg__c_binary(t, RG_COP_EQ, rg__c_var(t, u->go), rg__c_int(t, 0));
    x->kid[1] = rg__kids_node(t, RG_C_BLOCK, &arm);
    x->line = items[0]->line;
    x->column = items[0]->column;
    rg__kids_add(out, x);
}

/* A condition around statements of which some, ifs again, may leave the loop: { r = ...; if (r < tol) break; was = r; }
 * With another arm it stays a search for what is refused, by which inputs are chosen. */
static bool nested_exit(struct rg_ctree *t, const struct rg_cnode *s)
{
    bool leaves = false;
    if (s->kind != RG_C_IF || (s->n > 2 && s->kid[2] && s->kid[2]->n) || !rg__c_pure(t, s->kid[0]) ||
        s->kid[1]->kind != RG_C_BLOCK)
        return false;
    for (int i = 0; i < s->kid[1]->n; i++)
        leaves |= s->kid[1]->kid[i]->kind == RG_C_IF && rg__leaves_early(s->kid[1]->kid[i]);
    return leaves;
}

/* Does the first arm leave the loop, so that the other is what follows? */
static bool leaves_or_else(const struct rg_cnode *s)
{
    return s->kind == RG_C_IF && s->n > 2 && s->kid[2] && s->kid[2]->kind == RG_C_BLOCK && s->kid[2]->n &&
           (rg__c_ends_in(s->kid[1], RG_C_RETURN) || rg__c_ends_in(s->kid[1], RG_C_BREAK));
}

/* The first, where there is one, the block's statements and the rest, as one list. */
static void emit_joined(struct rg__exits *u, struct rg_cnode *first, const struct rg_cnode *block,
                        struct rg_cnode *const *rest, int n, const struct rg__kids *tail, struct rg__kids *out)
{
    struct rg__kids all = {0};
    if (first) rg__kids_add(&all, first);
    for (int k = 0; k < block->n; k++) rg__kids_add(&all, block->kid[k]);
    for (int k = 0; k < n; k++) rg__kids_add(&all, rest[k]);
    rg__exit_emit(u, all.items, all.n, tail, out);
    free(all.items);
}

/* The body without jumps; tail: what ends every iteration that was not left. */
void rg__exit_emit(struct rg__exits *u, struct rg_cnode *const *items, int n, const struct rg__kids *tail,
                   struct rg__kids *out)
{
    struct rg_ctree *t = u->t;
    for (int i = 0; i < n && !u->bad; i++) {
        struct rg_cnode *s = items[i];
        if (s->kind == RG_C_BLOCK) {
            emit_joined(u, NULL, s, items + i + 1, n - i - 1, tail, out);
            return;
        }
        if (s->kind == RG_C_BREAK) {
            rg__kids_add(out, rg__exit_set(t, u->go, rg__c_int(t, 0), s));
            return;
        }
        if (!rg__leaves_early(s)) {
            rg__kids_add(out, s);
            continue;
        }
        if (leaves_or_else(s)) { /* if (alive == 0) { fate = 1; break; } else if (..) {..}: what follows is the rest */
            struct rg_cnode *x = rg__c_shallow(&t->arena, s);
            x->n = 2;
            emit_joined(u, x, s->kid[2], items + i + 1, n - i - 1, tail, out);
            return;
        }
        if (nested_exit(t, s)) { /* if (it % 10 == 9) { r = ...; if (r < tol) break; } */
            struct rg__kids rest = {0}, body = {0}, none = {0};
            struct rg_cnode *x = rg__c_shallow(&t->arena, s);
            for (int arm = 1; arm < s->n; arm++) {
                struct rg__kids inner = {0};
                if (!s->kid[arm]) continue;
                rg__exit_emit(u, s->kid[arm]->kid, s->kid[arm]->n, &none, &inner);
                x->kid[arm] = rg__c_stands(rg__kids_node(t, RG_C_BLOCK, &inner), s->kid[arm]);
            }
            rg__kids_add(out, x);
            for (int k = i + 1; k < n; k++) rg__kids_add(&rest, items[k]);
            rg__exit_emit(u, rest.items, rest.n, tail, &body);
            rg__exit_when(u, true, body.items, body.n, out);
            free(rest.items);
            free(body.items);
            return;
        }
        bool returns = s->kind == RG_C_IF && rg__c_ends_in(s->kid[1], RG_C_RETURN);
        if (s->kind != RG_C_IF || (s->n > 2 && s->kid[2] && s->kid[2]->n) || !rg__c_pure(t, s->kid[0]) ||
            !(returns ? u->done >= 0 : rg__c_ends_in(s->kid[1], RG_C_BREAK))) {
            u->bad = true;
            return;
        }
        struct rg_cnode *arm = s->kid[1], *last = arm->kid[arm->n - 1];
        for (int k = 0; k + 1 < arm->n; k++) u->bad |= rg__leaves_early(arm->kid[k]);
        rg__kids_add(out, rg__exit_set(t, u->go, rg__c_unary(t, RG_COP_NOT, rg__exit_truth(t, s->kid[0])), s));
        struct rg__kids left = {0}, rest = {0}, body = {0};
        for (int k = 0; k + 1 < arm->n; k++) rg__kids_add(&left, arm->kid[k]);
        if (returns && last->n)
            rg__kids_add(&left, rg__exit_set(t, u->ret, rg__c_cast(t, last->kid[0], t->vars[u->ret].type), last));
        if (returns) rg__kids_add(&left, rg__exit_set(t, u->done, rg__c_int(t, 1), last));
        rg__exit_when(u, false, left.items, left.n, out);
        for (int k = i + 1; k < n; k++) rg__kids_add(&rest, items[k]);
        rg__exit_emit(u, rest.items, rest.n, tail, &body);
        rg__exit_when(u, true, body.items, body.n, out);
        free(left.items);
        free(rest.items);
        free(body.items);
        return;
    }
    for (int i = 0; i < tail->n; i++) rg__kids_add(out, rg__c_copy(t, tail->items[i]));
}
