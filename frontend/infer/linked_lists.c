/* Lists by index: `for (k = head[p]; k != NIL; k = next[k])`, and trees that are climbed to their roots,
 * `while (up[k] != k) k = up[k]`. Indices that are drawn one by one lead in circles, in which the C stays for ever:
 * each leads further than its own place, or is the end. */
#include "frontend/infer/linked_lists.h"
#include "ir/access_walk.h"
#include <stdlib.h>
#include <string.h>

struct lists {
    const struct rg_ctree *t;
    const struct rg_cnode **next; /* by variable: the element that it is set to, by itself; NULL none */
    struct rg__list_end *ends;    /* by variable */
};

static bool is_local(const struct lists *x, const struct rg_cnode *e)
{
    return e && e->kind == RG_C_VAR && e->array < 0 && e->var >= 0 && x->t->vars[e->var].kind != RG_CVAR_PARAM;
}

/* A[k], A[k].m: the element of A; NULL anything else. */
static const struct rg_cnode *element(const struct rg_cnode *e)
{
    while (e && e->kind == RG_C_MEMBER && e->n == 1) e = e->kid[0];
    return e && e->kind == RG_C_INDEX && e->n == 1 && !e->pointer ? e : NULL;
}

static bool by_itself(const struct rg_cnode *e, int var)
{
    const struct rg_cnode *a = element(rg__c_uncast(e, RG__C_INT_CASTS)),
                          *k = a ? rg__c_uncast(a->kid[0], RG__C_INT_CASTS) : NULL;
    return k && k->kind == RG_C_VAR && k->array < 0 && k->var == var;
}

static bool note_next(void *arg, struct rg_cnode *n)
{
    struct lists *x = arg;
    if (n->kind != RG_C_ASSIGN || n->op != RG_COP_SET || !is_local(x, n->kid[0])) return true;
    if (by_itself(n->kid[1], n->kid[0]->var)) x->next[n->kid[0]->var] = rg__c_uncast(n->kid[1], RG__C_INT_CASTS);
    return true;
}

static void end_is(struct rg__list_end *e, enum rg__list_kind kind, int64_t value)
{
    if (e->kind == RG__LIST_NONE || (e->kind == RG__LIST_BELOW && kind != RG__LIST_BELOW))
        *e = (struct rg__list_end){kind, value};
}

static bool number(const struct rg_cnode *e, int64_t *v)
{
    const bool minus = e->kind == RG_C_UNARY && (e->op == RG_COP_NEG || e->op == RG_COP_COMPL);
    const struct rg_cnode *of = minus ? rg__c_uncast(e->kid[0], RG__C_INT_CASTS) : e;
    if (of->kind != RG_C_INT) return false;
    *v = !minus ? of->ivalue : e->op == RG_COP_NEG ? -of->ivalue : ~of->ivalue;
    return true;
}

/* k op other, or the same turned round. */
static void note_side(struct lists *x, enum rg_c_op op, const struct rg_cnode *k, const struct rg_cnode *other,
                      bool left)
{
    k = rg__c_uncast(k, RG__C_INT_CASTS);
    other = rg__c_uncast(other, RG__C_INT_CASTS);
    if (!is_local(x, k) || !x->next[k->var]) return;
    struct rg__list_end *e = &x->ends[k->var];
    const bool same = op == RG_COP_EQ || op == RG_COP_NE;
    int64_t v;
    if (same && by_itself(other, k->var)) {
        end_is(e, RG__LIST_SELF, 0);
    } else if (!number(other, &v)) {
        if (!same && left && (op == RG_COP_LT || op == RG_COP_GE)) end_is(e, RG__LIST_BELOW, 0);
    } else if (same) {
        end_is(e, RG__LIST_VALUE, v);
    } else if (left && (op == RG_COP_GE || op == RG_COP_LT)) { /* k >= 0 */
        end_is(e, RG__LIST_VALUE, v - 1);
    } else if (left && (op == RG_COP_GT || op == RG_COP_LE)) {
        end_is(e, RG__LIST_VALUE, v);
    }
}

static bool note_ends(void *arg, struct rg_cnode *n)
{
    struct lists *x = arg;
    if (n->kind == RG_C_BINARY && rg_c_relation(n->op))
        for (int i = 0; i < 2; i++) note_side(x, n->op, n->kid[i], n->kid[1 - i], i == 0);
    return true;
}

/* `while (k)` */
static void note_truth(struct lists *x, const struct rg_cnode *e)
{
    e = e ? rg__c_uncast(e, RG__C_INT_CASTS) : NULL;
    if (is_local(x, e) && x->next[e->var]) end_is(&x->ends[e->var], RG__LIST_VALUE, 0);
}

static bool note_conditions(void *arg, struct rg_cnode *n)
{
    if (n->kind == RG_C_WHILE) note_truth(arg, n->kid[0]);
    if (n->kind == RG_C_FOR || n->kind == RG_C_DO) note_truth(arg, n->kid[1]);
    return true;
}

/* k = next[k] in a loop: outside one it is a step, which ends by itself. */
static bool in_loop(void *arg, struct rg_cnode *n)
{
    const bool loop = n->kind == RG_C_WHILE || n->kind == RG_C_FOR || n->kind == RG_C_DO || n->kind == RG_C_LOOP;
    if (!loop) return true;
    rg__c_walk(n, note_next, arg);
    return false;
}

void rg__linked_lists(const struct rg_ctree *t,
                      void (*found)(void *arg, const struct rg_cnode *next, const struct rg__list_end *end), void *arg)
{
    const size_t n = (size_t)t->n_vars + 1;
    struct lists x = {.t = t, .next = rg_xcalloc(n, sizeof *x.next), .ends = rg_xcalloc(n, sizeof *x.ends)};
    rg__c_walk(t->root, in_loop, &x);
    rg__c_walk(t->root, note_ends, &x);
    rg__c_walk(t->root, note_conditions, &x);
    for (int v = 0; v < t->n_vars; v++)
        if (x.next[v] && x.ends[v].kind != RG__LIST_NONE) found(arg, x.next[v], &x.ends[v]);
    free(x.next);
    free(x.ends);
}
