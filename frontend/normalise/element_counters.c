/* Scalar replacement of elements that a loop counts by: `while (count[v]-- > 0) ..` and `while (left[i] > 0) { ..
 * left[i]--; }` count by a local that holds the element, which is stored behind the loop. So it is seen how often the
 * loop runs. Where nothing else of the loop names the array, and what says which element it is stays as it is. */
#include "frontend/normalise/canon.h"
#include "frontend/normalise/doubling.h"

struct counting {
    struct rg_ctree *t;
    const struct rg_cnode *element;
    int steps; /* of the element in the loop */
    bool other;
};

static bool steps_by_number(const struct rg_cnode *n)
{
    int64_t by;
    return n->kind == RG_C_INCDEC ||
           ((n->op == RG_COP_ADD_SET || n->op == RG_COP_SUB_SET) && rg__c_number(n->kid[1], &by));
}

/* Of its kind: an element of integers with a subscript of scalars, one at least. */
static bool may_be(const struct rg_ctree *t, const struct rg_cnode *e)
{
    bool named = e->kind == RG_C_INDEX && !e->pointer && rg__scalar_is_int(e->type) && e->type != RG_BOOL &&
                 !t->arrays[e->array].view && e->n == t->arrays[e->array].n_dims,
         any = false;
    for (int d = 0; named && d < e->n; d++) {
        named = rg__c_pure(t, e->kid[d]) && !rg__mentions_kind(e->kid[d], RG_C_INDEX) &&
                !rg__mentions_kind(e->kid[d], RG_C_MEMBER);
        any |= rg__mentions_kind(e->kid[d], RG_C_VAR);
    }
    return named && any;
}

/* The element in a loop's condition; NULL. */
static const struct rg_cnode *asked(const struct rg_ctree *t, const struct rg_cnode *c)
{
    if (may_be(t, c)) return c;
    if (c->kind == RG_C_CALL || c->kind == RG_C_INDEX) return NULL;
    const bool first = rg_c_lazy(c->op) || c->kind == RG_C_COND; /* what is asked whatever the rest says */
    for (int i = 0; i < (first ? 1 : c->n); i++) {
        const struct rg_cnode *e = asked(t, c->kid[i]);
        if (e) return e;
    }
    return NULL;
}

static bool look(void *arg, struct rg_cnode *n)
{
    struct counting *x = arg;
    if (n->kind == RG_C_VERBATIM || n->kind == RG_C_RETURN || n->kind == RG_C_LABEL || n->kind == RG_C_GOTO ||
        n->op == RG_COP_ADDRESS || n->op == RG_COP_DEREF || (n->kind == RG_C_CALL && !rg__c_pure(x->t, n)))
        x->other = true;
    if ((n->kind == RG_C_INCDEC || n->kind == RG_C_ASSIGN) && rg__c_same(n->kid[0], x->element, 0)) {
        x->steps++;
        x->other |= !steps_by_number(n);
    }
    if (n->kind == RG_C_INDEX && n->array == x->element->array) {
        x->other |= !rg__c_same(n, x->element, 0);
        return false;
    }
    x->other |= n->kind == RG_C_VAR && n->array == x->element->array;
    return true;
}

static bool subscripts_stay(const struct rg_cnode *e, const struct rg_cnode *loop)
{
    if (e->kind == RG_C_VAR && e->array < 0 && rg__c_writes_var(loop, e->var)) return false;
    for (int i = 0; i < e->n; i++)
        if (!subscripts_stay(e->kid[i], loop)) return false;
    return true;
}

static void by_local(struct rg_ctree *t, struct rg_cnode *n, const struct rg_cnode *element, int var)
{
    for (int i = 0; i < n->n; i++) {
        if (!n->kid[i]) continue;
        if (rg__c_same(n->kid[i], element, 0))
            n->kid[i] = rg__c_var(t, var);
        else
            by_local(t, n->kid[i], element, var);
    }
}

static bool take(struct rg_ctree *t, struct rg_cnode *block, int at)
{
    struct rg_cnode *l = block->kid[at];
    const struct rg_cnode *e = l->kind == RG_C_WHILE ? asked(t, l->kid[0]) : NULL;
    struct counting x = {.t = t, .element = e};
    if (!e || !subscripts_stay(e, l)) return false;
    x.element = e = rg__c_copy(t, e);
    rg__c_walk(l, look, &x);
    if (x.other || !x.steps) return false;
    for (int a = 0; a < t->n_arrays; a++) /* by another name */
        if (a != e->array && rg__c_mentions_array(l, a) &&
            (t->arrays[a].view || (t->arrays[a].param >= 0 && t->arrays[a].param == t->arrays[e->array].param)))
            return false;
    struct rg__kids with = {0};
    const int var = rg__c_add_var(t, "left", RG_CVAR_LOCAL, e->type);
    by_local(t, l, e, var);
    rg__kids_add(&with, rg__doubling_declaration(t, var, rg__c_copy(t, e), l));
    rg__kids_add(&with, l);
    struct rg_cnode *back = rg__c_assign(t, RG_COP_SET, rg__c_copy(t, e), rg__c_var(t, var));
    rg__kids_add(&with, rg__c_stands(rg__c_stmt(t, back), l));
    rg__block_splice(t, block, at, 1, &with);
    return true;
}

static void walk(struct rg_ctree *t, struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n)) return;
    for (int i = 0; i < n->n; i++) {
        if (!n->kid[i]) continue;
        if (n->kind == RG_C_BLOCK && take(t, n, i)) i++; /* at the loop */
        walk(t, n->kid[i]);
    }
}

void rg__canon_element_counters(struct rg_ctree *t, const struct rg_problem *p)
{
    if (!p->may_alias && !rg__mentions_kind(t->root, RG_C_VERBATIM)) walk(t, t->root);
}
