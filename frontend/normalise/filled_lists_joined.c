/* Counters that step once in an iteration of a loop have closed forms there, beside where they were in front of it:
 *     h = n;  for (j = 0; j < c[v]; j++) { a[h + j] = v;  n += 1; }
 * Where data say how long the loop is, a list is filled by the counter itself, which says what belongs to whom:
 *     h = n;  for (j = 0; j < c[v]; j++) { a[n] = v;  n += 1; } */
#include "frontend/normalise/filled_lists.h"
#include "ir/ctree_util.h"

struct joined {
    struct rg_ctree *t;
    struct rg_cnode *loop;
    int n, held; /* variables */
    int at_step; /* in the loop's body */
};

static bool is_scalar(const struct rg_cnode *e, int var)
{
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer && e->var == var;
}

/* n += 1, once, and nothing else of the counter. */
static bool steps_once(struct joined *x)
{
    const struct rg_cnode *body = x->loop->kid[2];
    int64_t by;
    x->at_step = -1;
    for (int i = 0; i < body->n; i++) {
        const struct rg_cnode *e = body->kid[i]->kind == RG_C_STMT ? body->kid[i]->kid[0] : NULL;
        if (e && e->kind == RG_C_ASSIGN && e->op == RG_COP_ADD_SET && is_scalar(e->kid[0], x->n) &&
            rg__c_number(e->kid[1], &by) && by == 1)
            x->at_step = i;
    }
    return x->at_step >= 0 && rg__c_count_var(x->loop, x->n) == 1;
}

/* Does the declaration hold where a counter is that the loop behind it steps? */
static bool fits(struct joined *x, const struct rg_cnode *block, int at)
{
    const struct rg_cnode *d = block->kid[at];
    if (d->kind != RG_C_DECL || d->array >= 0 || d->pointer || !d->n || d->kid[0]->kind != RG_C_VAR ||
        d->kid[0]->array >= 0 || d->kid[0]->pointer || d->kid[0]->var < 0)
        return false;
    x->held = d->var;
    x->n = d->kid[0]->var;
    int k = at + 1;
    while (k < block->n && !rg__c_writes_var(block->kid[k], x->n)) {
        if (rg__c_writes_var(block->kid[k], x->held)) return false;
        k++;
    }
    x->loop = k < block->n ? block->kid[k] : NULL;
    if (!x->loop || x->loop->kind != RG_C_LOOP || x->loop->n != 3 || x->loop->step != 1 ||
        x->loop->kid[2]->kind != RG_C_BLOCK)
        return false;
    const struct rg_cnode *body = x->loop->kid[2];
    const enum rg_scalar type = x->t->vars[x->n].type;
    return rg__scalar_is_int(type) && x->t->vars[x->held].type == type && x->t->vars[x->loop->var].type == type &&
           rg__c_mentions_var(body, x->held) && !rg__c_writes_var(x->loop, x->held) && !rg__leaves_early(body) &&
           !rg__leaves_loop(body) && !rg__continues_loop(body) && steps_once(x);
}

/* The held value by the counter and the loop's variable. */
static struct rg_cnode *by_counter(struct joined *x, struct rg_cnode *n)
{
    struct rg_ctree *t = x->t;
    int64_t from;
    const bool from_0 = rg__c_number(x->loop->kid[0], &from) && !from;
    if (from_0 && n->op == RG_COP_ADD && is_scalar(n->kid[0], x->held) && is_scalar(n->kid[1], x->loop->var))
        return rg__c_var(t, x->n);
    if (n->kind == RG_C_VAR && is_scalar(n, x->held)) {
        struct rg_cnode *i = rg__c_var(t, x->loop->var);
        if (!from_0) i = rg__c_binary(t, RG_COP_SUB, i, rg__c_copy(t, x->loop->kid[0]));
        return rg__c_binary(t, RG_COP_SUB, rg__c_var(t, x->n), i);
    }
    for (int i = 0; i < n->n; i++)
        if (n->kid[i]) n->kid[i] = by_counter(x, n->kid[i]);
    return n;
}

/* The step goes to the end of the iteration. */
static void join(struct joined *x)
{
    struct rg_cnode *body = x->loop->kid[2];
    struct rg__kids none = {0}, last = {0};
    rg__kids_add(&last, body->kid[x->at_step]);
    rg__block_splice(x->t, body, x->at_step, 1, &none);
    by_counter(x, body);
    rg__block_splice(x->t, body, body->n, 0, &last);
}

void rg__fill_join(struct rg_ctree *t, struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n)) return;
    for (int i = 0; i < n->n; i++) {
        struct joined x = {.t = t};
        if (!n->kid[i]) continue;
        rg__fill_join(t, n->kid[i]);
        if (n->kind == RG_C_BLOCK && fits(&x, n, i)) join(&x);
    }
}
