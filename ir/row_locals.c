#include "ir/range_invariants.h"

struct rows {
    void (*fn)(void *arg, const struct rg_cnode *local, struct rg_cnode *row);
    void *arg;
};

static bool adds(const struct rg_cnode *e)
{
    return e->op == RG_COP_ADD || e->op == RG_COP_SUB || e->kind == RG_C_CAST;
}

static void inside(const struct rows *r, const struct rg_cnode *e, struct rg_cnode *row)
{
    if (e->kind == RG_C_VAR && e->array < 0) r->fn(r->arg, e, row);
    for (int i = 0; i < e->n && adds(e); i++) inside(r, e->kid[i], row);
}

static void look(const struct rows *r, const struct rg_cnode *whole, const struct rg_cnode *e)
{
    for (int i = 0; i < e->n && (adds(e) || e->op == RG_COP_MUL); i++) {
        struct rg_cnode *k = e->kid[i];
        while (k->kind == RG_C_CAST) k = k->kid[0];
        if (adds(e))
            look(r, whole, k);
        else if (k->kind == RG_C_VAR && k->array < 0)
            inside(r, whole, k);
    }
}

static bool subscript(void *arg, struct rg_cnode *n)
{
    if (n->kind == RG_C_INDEX && n->n == 1 && !n->pointer) look(arg, n->kid[0], n->kid[0]);
    return true;
}

void rg__each_in_row(struct rg_cnode *root, void (*fn)(void *arg, const struct rg_cnode *local, struct rg_cnode *row),
                     void *arg)
{
    struct rows r = {fn, arg};
    rg__c_walk(root, subscript, &r);
}
