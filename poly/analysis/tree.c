/* Nodes of the tree: loops and statements by their numbers, blocks put together, pieces of one loop. */
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

int rg__poly_loop_of(const struct poly_scop *s, const struct rg_cnode *node)
{
    for (int i = 0; i < s->n_loops; i++)
        if (s->loops[i].node == node) return i;
    return -1;
}

int rg__poly_stmt_of(const struct poly_scop *s, const struct rg_cnode *node)
{
    for (int i = 0; i < s->n_stmts; i++)
        if (s->stmts[i].node == node) return i;
    return -1;
}

bool rg__poly_loop_inside(const struct poly_scop *s, int inner, int outer)
{
    for (; inner >= 0; inner = s->loops[inner].parent)
        if (inner == outer) return true;
    return false;
}
