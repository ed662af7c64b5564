/* Stores under a condition. The frontend makes `if (c) a[i] = x;` a select, which every step understands:
 * a[i] = c ? x : a[i]. Where the element stays in memory that would load and store whole arrays of which the file
 * changes a few elements. */
#include "poly/kernel/kernel.h"

/* Does a reference in the kernel read the array, other than the statement its own element? */
static bool read_elsewhere(const struct poly_scop *s, const struct poly_kernel *k, const struct rg_cnode *stmt,
                           const struct rg_cnode *place)
{
    enum { MOST = 256 };
    int stmts[MOST], n = rg__poly_knode_stmts(s, k->body, stmts, MOST);
    bool is = n == MOST;
    for (int i = 0; i < n && !is; i++)
        for (int u = 0; u < s->stmts[stmts[i]].n_accesses && !is; u++) {
            const struct poly_access *a = &s->accesses[s->stmts[stmts[i]].first_access + u];
            bool own =
                s->stmts[stmts[i]].node == stmt && !a->whole && a->node && rg__c_same(a->node, place, RG__C_TYPED);
            is = a->array == place->array && a->read && !own;
        }
    return is;
}

bool rg__poly_store_under(const struct poly_program *p, const struct poly_kernel *k, const struct rg_cnode *n,
                          const struct rg_cnode **value, bool *negated)
{
    const struct rg_ctree *t = p->scop->tree;
    const struct rg_cnode *e = n->kind == RG_C_STMT && n->n ? n->kid[0] : NULL;
    if (!e || e->op != RG_COP_SET || e->pointer || e->kid[1]->kind != RG_C_COND) return false;
    const struct rg_cnode *place = e->kid[0], *c = e->kid[1];
    if (place->kind != RG_C_INDEX || place->n != t->arrays[place->array].n_dims || c->type != place->type) return false;
    bool memory = t->arrays[place->array].param >= 0 || p->array_scratch[place->array],
         otherwise = rg__c_same(c->kid[2], place, RG__C_TYPED);
    if (!memory || (k->atomic && k->atomic[place->array]) || otherwise == rg__c_same(c->kid[1], place, RG__C_TYPED) ||
        read_elsewhere(p->scop, k, n, place))
        return false;
    *value = c->kid[otherwise ? 1 : 2];
    *negated = !otherwise;
    return true;
}
