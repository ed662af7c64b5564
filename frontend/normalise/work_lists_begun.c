/* Marks and levels of a graph search as they are before its first round. */
#include "frontend/normalise/update_rounds.h"
#include "frontend/normalise/work_lists.h"

static bool scalar(const struct rg_cnode *e)
{
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer;
}

static bool same(const struct rg_cnode *a, const struct rg_cnode *b)
{
    return rg__c_same(a, b, RG__C_UNCAST);
}

/* for i: a[i] = number, with other statements about other arrays beside it: up to where; NULL. */
static const struct rg_cnode *fills(const struct rg_cnode *k, int array, double *v)
{
    double low;
    const struct rg_cnode *top = NULL;
    if (k->kind != RG_C_LOOP || k->n != 3 || k->step != 1 || !rg__round_number(k->kid[0], &low) || low != 0)
        return NULL;
    for (int i = 0; i < k->kid[2]->n; i++) {
        const struct rg_cnode *s = k->kid[2]->kid[i], *e = s->kind == RG_C_STMT ? s->kid[0] : NULL;
        if (!rg__writes_array(s, array)) continue;
        const struct rg_cnode *to = e && e->op == RG_COP_SET && e->kid[0]->kind == RG_C_INDEX ? e->kid[0] : NULL;
        const struct rg_cnode *at = to && to->n == 1 ? rg__c_uncast(to->kid[0], RG__C_INT_CASTS) : NULL;
        if (top || !at || to->array != array || !scalar(at) || at->var != k->var || !rg__round_number(e->kid[1], v))
            return NULL;
        top = k->kid[1];
    }
    return top;
}

const struct rg_cnode *rg__list_begun(const struct rg__list *l, int array, const struct rg_cnode *source, double *clear,
                                      double *first)
{
    const struct rg_cnode *top = NULL;
    bool set = false;
    for (int i = 0; i < l->at; i++) {
        const struct rg_cnode *k = l->block->kid[i];
        if (!rg__writes_array(k, array)) continue;
        const struct rg_cnode *all = fills(k, array, clear), *e = k->kind == RG_C_STMT ? k->kid[0] : NULL;
        if (all) {
            top = all;
            set = false;
            continue;
        }
        if (!top || set || !e || e->op != RG_COP_SET || e->kid[0]->kind != RG_C_INDEX || e->kid[0]->array != array ||
            e->kid[0]->n != 1 || !same(e->kid[0]->kid[0], source) || !rg__round_number(e->kid[1], first))
            return NULL;
        set = true;
    }
    return set ? top : NULL;
}
