/* Nodes of the tree, copied and put together. */
#include "poly/analysis/scop.h"
#include <string.h>

struct rg_cnode *rg__poly_node_copy(struct rg_arena *a, const struct rg_cnode *n)
{
    struct rg_cnode *c = rg_arena_alloc(a, sizeof *c);
    *c = *n;
    c->kid = rg_arena_alloc(a, sizeof *c->kid * (size_t)(n->n ? n->n : 1));
    if (n->n)
        memcpy(c->kid, n->kid, sizeof *c->kid * (size_t)n->n);
    return c;
}

struct rg_cnode *rg__poly_block_of(struct rg_arena *a, const struct rg_cnode *const *item, int n, const struct rg_cnode *at)
{
    struct rg_cnode *b = rg__poly_node_copy(a, at);
    b->kind = RG_C_BLOCK;
    b->n = n;
    b->kid = rg_arena_alloc(a, sizeof *b->kid * (size_t)(n ? n : 1));
    for (int i = 0; i < n; i++)
        b->kid[i] = (struct rg_cnode *)item[i];
    return b;
}

bool rg__poly_pieces_of_one(const struct rg_cnode *a, const struct rg_cnode *b)
{
    return a->piece != b->piece && a->piece / POLY_PIECES == b->piece / POLY_PIECES;
}
