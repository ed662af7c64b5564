/* The loops that stand for sorts. */
#include "ir/ctree_sort.h"
#include <string.h>

bool rg_c_sort_of(const struct rg_cnode *n, struct rg_csort *out)
{
    while (n && (n->kind == RG_C_OPAQUE || n->kind == RG_C_BLOCK) && n->n == 1) n = n->kid[0];
    if (!n || n->kind != RG_C_LOOP || n->n != 3) return false;
    const struct rg_cnode *call = n->kid[2];
    while (call && (call->kind == RG_C_BLOCK || call->kind == RG_C_STMT) && call->n == 1) call = call->kid[0];
    if (!call || call->kind != RG_C_CALL || !call->text || strcmp(call->text, RG_C_PLACE) || call->n < 2) return false;
    *out = (struct rg_csort){.loop = n,
                             .call = call,
                             .element = call->kid[0]->kid[0],
                             .order = call->kid[1],
                             .n_with = call->n - 2,
                             .with = call->kid + 2};
    return true;
}
