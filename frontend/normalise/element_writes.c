/* Elements of arrays and members of them as places: what reads them, what may set them. */
#include "frontend/normalise/element_writes.h"
#include "frontend/normalise/canon.h"
#include <string.h>

const struct rg_cnode *rg__place_element(const struct rg_cnode *n)
{
    while (n->kind == RG_C_MEMBER && n->n == 1) n = n->kid[0];
    return n;
}

bool rg__is_element(const struct rg_cnode *n)
{
    const struct rg_cnode *b = rg__place_element(n);
    return !n->pointer && b->kind == RG_C_INDEX && !b->pointer && n->type != RG_STRUCT;
}

int rg__touches(const struct rg_cnode *n, const struct rg_cnode *like)
{
    if (!n) return 0;
    if (n->kind == RG_C_VERBATIM) return 1;
    if (n->kind == RG_C_MEMBER && like->kind == RG_C_MEMBER && n->n == 1 && like->kid[0]->kind == RG_C_INDEX &&
        n->kid[0]->kind == RG_C_INDEX && n->kid[0]->array == like->kid[0]->array && strcmp(n->text, like->text)) {
        int count = 0;
        for (int i = 0; i < n->kid[0]->n; i++) count += rg__touches(n->kid[0]->kid[i], like);
        return count;
    }
    int count = n->array == rg__place_element(like)->array;
    for (int i = 0; i < n->n; i++) count += rg__touches(n->kid[i], like);
    return count;
}

/* Members of one array's elements that lie side by side. */
static bool side_by_side(const struct rg_cnode *a, const struct rg_cnode *b)
{
    return a->kind == RG_C_MEMBER && b->kind == RG_C_MEMBER && a->n == 1 && b->n == 1 &&
           a->kid[0]->kind == RG_C_INDEX && b->kid[0]->kind == RG_C_INDEX && strcmp(a->text, b->text) != 0;
}

bool rg__may_set_element(const struct rg_cnode *n, const struct rg_cnode *place)
{
    int array = rg__place_element(place)->array;
    if (!n) return false;
    if (n->kind == RG_C_VERBATIM || (n->pointer && n->array == array)) return true;
    bool sets_it = n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC || n->op == RG_COP_ADDRESS;
    if (sets_it && rg__place_element(n->kid[0])->array == array && !side_by_side(n->kid[0], place)) return true;
    for (int i = 0; i < n->n; i++)
        if (rg__may_set_element(n->kid[i], place)) return true;
    return false;
}

/* May running n set a place that e reads? */
static bool sets_read(const struct rg_cnode *n, const struct rg_cnode *e)
{
    if (!e) return false;
    if (rg__place_element(e)->kind == RG_C_INDEX) {
        if (rg__may_set_element(n, e)) return true;
        e = rg__place_element(e);
    } else if (e->array >= 0 && rg__writes_array(n, e->array)) {
        return true;
    }
    for (int i = 0; i < e->n; i++)
        if (sets_read(n, e->kid[i])) return true;
    return false;
}

bool rg__changes_place(const struct rg_ctree *t, const struct rg_cnode *n, const struct rg_cnode *e)
{
    for (int v = 0; v < t->n_vars; v++)
        if (rg__c_mentions_var(e, v) && (rg__c_writes_var(n, v) || rg__c_declares(n, v))) return true;
    return sets_read(n, e);
}
