/* Nodes of the tree: loops and statements by their numbers, blocks put together, pieces of one loop. */
#include "poly/analysis/scop.h"
#include <stdlib.h>

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

/* Where the statement of that node is, or would be. */
static int slot_of(const struct poly_scop *s, const struct rg_cnode *node)
{
    size_t at = (uintptr_t)node / sizeof(void *) * 0x9e3779b1u; /* golden ratio: nodes lie in a row */
    while (s->stmt_slots[at &= (size_t)s->n_slots - 1] && s->stmts[s->stmt_slots[at] - 1].node != node) at++;
    return (int)at;
}

int rg__poly_stmt_of(const struct poly_scop *s, const struct rg_cnode *node)
{
    return s->n_slots ? s->stmt_slots[slot_of(s, node)] - 1 : -1;
}

void rg__poly_stmt_add(struct poly_scop *s, int id)
{
    enum { LEAST = 64 };
    int from = id;
    if (2 * id >= s->n_slots) {
        free(s->stmt_slots);
        s->n_slots = s->n_slots ? 2 * s->n_slots : LEAST;
        s->stmt_slots = rg_xcalloc((size_t)s->n_slots, sizeof *s->stmt_slots);
        from = 0;
    }
    for (int i = from; i <= id; i++) {
        int *slot = &s->stmt_slots[slot_of(s, s->stmts[i].node)];
        if (!*slot) *slot = i + 1; /* of several with one node, the first */
    }
}

bool rg__poly_loop_inside(const struct poly_scop *s, int inner, int outer)
{
    for (; inner >= 0; inner = s->loops[inner].parent)
        if (inner == outer) return true;
    return false;
}
