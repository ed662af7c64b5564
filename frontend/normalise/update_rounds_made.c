/* What a loop over rounds becomes: rounds that go by what each began with, flags that many may raise, and the loop as
 * it stands behind them, run where the rounds did not get there within their bound, or where elements moved both ways.
 */
#include "frontend/normalise/pointer_rotation.h"
#include "frontend/normalise/update_rounds.h"
#include <stdlib.h>

static struct rg_cnode *set(struct rg_ctree *t, int var, struct rg_cnode *value, const struct rg_cnode *at)
{
    struct rg_cnode *s = rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_var(t, var), value));
    s->line = at->line;
    s->column = at->column;
    return s;
}

static struct rg_cnode *declaration(struct rg_ctree *t, int var, int64_t value, const struct rg_cnode *at)
{
    struct rg_cnode *d = rg_cnode_new(t, RG_C_DECL, 1);
    d->var = var;
    d->type = t->vars[var].type;
    d->kid[0] = rg__c_int(t, value);
    d->line = at->line;
    return d;
}

static struct rg_cnode *only_element(struct rg_ctree *t, int array)
{
    struct rg_cnode *zero = rg__c_int(t, 0);
    return rg__c_index(t, array, 1, &zero);
}

/* The same loop, which goes on by a flag of its own. */
static struct rg_cnode *with_flag(struct rg_ctree *t, const struct rg_cnode *l, int go)
{
    struct rg_cnode *x = rg_cnode_new(t, RG_C_LOOP, 4), **kids = x->kid;
    *x = *l;
    x->kid = kids;
    x->n = 4;
    for (int i = 0; i < 3; i++) x->kid[i] = l->kid[i];
    x->kid[3] = rg__c_var(t, go);
    return x;
}

/* if (c) { elements as they were; the loop as it stands } */
static struct rg_cnode *again(struct rg_ctree *t, struct rg_cnode *c, int array, int start,
                              struct rg_cnode *as_it_stands)
{
    struct rg_cnode *x = rg_cnode_new(t, RG_C_IF, 2), *b = rg_cnode_new(t, RG_C_BLOCK, 0), *l = as_it_stands;
    struct rg__kids in = {0};
    rg__round_copies(t, array, start, l, &in);
    if (l->n == 4) rg__kids_add(&in, set(t, l->kid[3]->var, rg__c_int(t, 1), l));
    rg__kids_add(&in, l);
    rg__block_splice(t, b, 0, 0, &in);
    rg__moves_fresh(t, l, l);
    x->kid[0] = c;
    x->kid[1] = b;
    x->line = b->line = l->line;
    return x;
}

void rg__round_replace(struct rg__rounds *w, const struct rg__round_shape *s, struct rg__round *r,
                       struct rg_cnode *block, int at)
{
    struct rg_ctree *t = w->t;
    struct rg_cnode *l = s->loop, *failed = NULL;
    const bool retry = !s->endless || r->equation;
    struct rg_cnode *as_it_stands = retry ? rg__c_copy(t, l) : NULL;
    int before = rg__round_another(t, r->array, "before", l, &w->declarations), astray = -1;
    int *at_flag = rg_xcalloc((size_t)t->n_vars + 1, sizeof *at_flag);
    struct rg__round_flags flags = {.at_flag = at_flag, .moved = -1, .rose = -1, .fell = -1};
    struct rg__kids now = {0}, with = {0}, last = {0}, end = {0};
    for (int v = 0; v < r->n_vars; v++) {
        if (!r->flag[v] || r->part[v]) continue;
        at_flag[v] = rg__round_one_element(t, t->vars[v].name, RG_I32, l, &w->declarations);
        rg__kids_add(&now, rg__round_raise(t, at_flag[v], 0, l));
        rg__kids_add(&last, set(t, v, rg__c_cast(t, only_element(t, at_flag[v]), t->vars[v].type), l));
    }
    for (int v = 0; v < r->n_vars; v++)
        if (r->part[v]) at_flag[v] = at_flag[r->part[v]->kid[0]->kid[0]->var];
    if (l->n == 3) {
        int go = rg__c_add_var(t, "go_on", RG_CVAR_LOCAL, RG_I32);
        flags.moved = rg__round_one_element(t, "moved", RG_I32, l, &w->declarations);
        rg__kids_add(&with, declaration(t, go, 1, l));
        rg__kids_add(&now, rg__round_raise(t, flags.moved, 0, l));
        l = with_flag(t, l, go);
        rg__kids_add(&last, set(t, go, only_element(t, flags.moved), l));
    }
    const int go = l->kid[3]->var;
    if (!s->endless) failed = rg__c_var(t, go);
    if (r->equation) { /* where elements move both ways their order may tell: that ends the loop */
        astray = rg__c_add_var(t, "astray", RG_CVAR_LOCAL, RG_I32);
        flags.rose = rg__round_one_element(t, "rose", RG_I32, l, &w->declarations);
        flags.fell = rg__round_one_element(t, "fell", RG_I32, l, &w->declarations);
        rg__kids_add(&with, declaration(t, astray, 0, l));
        rg__kids_add(&with, rg__round_raise(t, flags.rose, 0, l)); /* of all rounds */
        rg__kids_add(&with, rg__round_raise(t, flags.fell, 0, l));
        rg__kids_add(
            &last,
            set(t, astray, rg__c_binary(t, RG_COP_AND, only_element(t, flags.rose), only_element(t, flags.fell)), l));
        rg__kids_add(&end, set(t, go, rg__round_either(t, rg__c_var(t, astray), rg__c_int(t, 0), rg__c_var(t, go)), l));
        if (failed)
            rg__kids_add(
                &end, set(t, astray, rg__round_either(t, rg__c_var(t, astray), rg__c_int(t, 1), rg__c_var(t, go)), l));
        failed = rg__c_var(t, astray);
    }
    double bound;
    if (!s->endless && !s->asked_behind &&
        !rg__round_number(l->kid[1], &bound)) /* a round more, which finds that nothing changes */
        l->kid[1] = rg__c_binary(t, RG_COP_ADD, l->kid[1], rg__c_int(t, 1));
    rg__round_copies(t, before, r->array, l, &now);
    struct rg_cnode *work = rg_cnode_new(t, RG_C_BLOCK, s->n);
    for (int i = 0; i < s->n; i++) work->kid[i] = s->body->kid[s->first + i];
    rg__round_renew(t, r, work, before, &flags);
    for (int i = 0; i < work->n; i++) rg__kids_add(&now, work->kid[i]);
    for (int i = 0; i < last.n; i++) rg__kids_add(&now, last.items[i]);
    free(last.items);
    free(at_flag);
    rg__block_splice(t, s->body, s->first, s->n, &now);
    if (end.n) rg__block_splice(t, s->body, s->body->n, 0, &end);
    int start = retry ? rg__round_another(t, r->array, "start", l, &w->declarations) : -1;
    if (retry) rg__round_copies(t, start, r->array, l, &with);
    rg__kids_add(&with, l);
    if (retry) rg__kids_add(&with, again(t, failed, r->array, start, as_it_stands));
    rg__block_splice(t, block, at, 1, &with);
}
