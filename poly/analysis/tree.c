/* Blocks put together, and pieces of one loop. */
#include "poly/analysis/scop.h"

struct rg_cnode *rg__poly_block_of(struct rg_arena *a, const struct rg_cnode *const *item, int n,
                                   const struct rg_cnode *at)
{
    struct rg_cnode *b = rg__c_new(a, RG_C_BLOCK, RG_COP_NONE, RG_I32, n, at);
    for (int i = 0; i < n; i++) b->kid[i] = (struct rg_cnode *)item[i];
    return b;
}

bool rg__poly_pieces_of_one(const struct rg_cnode *a, const struct rg_cnode *b)
{
    return a->piece != b->piece && a->piece / POLY_PIECES == b->piece / POLY_PIECES;
}
