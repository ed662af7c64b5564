/* Stores under a condition. The frontend makes `if (c) a[i] = x;` a select, which every step understands: a[i] = c ? x : a[i]. Where the
 * element stays in memory that would load and store whole arrays of which the file changes a few elements. */
#include "poly/cuda/print.h"
#include <string.h>

/* Does a reference in the kernel read the array, other than the statement its own element? */
static bool read_elsewhere(struct poly_print *pr, const struct rg_cnode *stmt, const struct rg_cnode *place)
{
    const struct poly_scop *s = pr->s;
    enum { MOST = 256 };
    int stmts[MOST], n = rg__poly_knode_stmts(s, pr->k->body, stmts, MOST);
    bool is = n == MOST;
    for (int i = 0; i < n && !is; i++)
        for (int u = 0; u < s->stmts[stmts[i]].n_accesses && !is; u++) {
            const struct poly_access *a = &s->accesses[s->stmts[stmts[i]].first_access + u];
            bool own = s->stmts[stmts[i]].node == stmt && !a->whole && a->node && rg__c_same(a->node, place, RG__C_TYPED);
            is = a->array == place->array && a->read && !own;
        }
    return is;
}

/* The element is one of the kernel's arguments' where we stand: no register, no tile holds it. */
static bool in_memory(struct poly_print *pr, const struct rg_cnode *place)
{
    const char *text = rg__poly_text(pr, place), *array = pr->t->arrays[place->array].name;
    size_t n = strlen(array);
    return !strncmp(text, array, n) && text[n] == '[';
}

bool rg__poly_store_if(struct poly_print *pr, const struct rg_cnode *n)
{
    const struct rg_cnode *e = n->kind == RG_C_STMT && n->n ? n->kid[0] : NULL;
    if (!e || e->op != RG_COP_SET || e->pointer || e->kid[1]->kind != RG_C_COND || pr->scan)
        return false;
    const struct rg_cnode *place = e->kid[0], *c = e->kid[1];
    if (place->kind != RG_C_INDEX || place->n != pr->t->arrays[place->array].n_dims || c->type != place->type)
        return false;
    const struct rg_carray *a = &pr->t->arrays[place->array];
    bool shared = a->param >= 0 || pr->p->array_scratch[place->array], otherwise = rg__c_same(c->kid[2], place, RG__C_TYPED);
    if (!shared || (pr->k->atomic && pr->k->atomic[place->array]) || otherwise == rg__c_same(c->kid[1], place, RG__C_TYPED) || read_elsewhere(pr, n, place) ||
        !in_memory(pr, place))
        return false;
    const char *when = rg__poly_text(pr, c->kid[0]), *value = rg__poly_text(pr, c->kid[otherwise ? 1 : 2]);
    rg__poly_open_brace(pr, otherwise ? "if (%s)" : "if (!(%s))", when);
    rg__poly_line(pr, "%s = %s;", rg__poly_text(pr, place), value);
    rg__poly_close_brace(pr);
    return true;
}
