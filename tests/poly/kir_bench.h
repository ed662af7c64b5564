/* A kernel over n elements that tests of kernel IR build on. */
#ifndef RG_TESTS_KIR_BENCH_H
#define RG_TESTS_KIR_BENCH_H
#include "poly/kir/kir.h"
#include <string.h>

enum { THREADS = 128 };

/* A kernel over n elements with 128 threads a block, and what tests want of it. */
struct bench {
    struct rg_arena arena;
    struct kir_kernel *k;
    int n, x, y, tile, regs, block, tx;
    struct kir_node *in; /* the body of a thread */
};

static inline struct kir_node *num(struct bench *b, int64_t v)
{
    return rg__kir_int(b->k, v);
}

static inline struct kir_node *nam(struct bench *b, int symbol)
{
    return rg__kir_name(b->k, symbol);
}

static inline struct kir_node *at(struct bench *b, int buffer, struct kir_node *i)
{
    return rg__kir_at(b->k, buffer, 1, i);
}

static inline void add(struct bench *b, struct kir_node *s)
{
    rg__kir_add_to(b->k, b->in, s);
}

static inline void setup(struct bench *b)
{
    memset(b, 0, sizeof *b);
    struct kir_kernel *k = b->k = rg__kir_kernel_new(&b->arena, NULL, "test");
    b->n = rg__kir_param(k, "n", RG_I32);
    struct kir_node *n = nam(b, b->n), *tile = num(b, 2 * THREADS), *four = num(b, 4);
    b->x = rg__kir_buffer(k, "x", KIR_GLOBAL, RG_F32, 1, &n);
    b->y = rg__kir_buffer(k, "y", KIR_GLOBAL, RG_F32, 1, &n);
    b->tile = rg__kir_buffer(k, "tile", KIR_SHARED, RG_F32, 1, &tile);
    b->regs = rg__kir_buffer(k, "r", KIR_REGISTER, RG_F32, 1, &four);
    b->block = rg__kir_index(k, "b", RG_I32);
    b->tx = rg__kir_index(k, "tx", RG_I32);
    struct kir_node *grid = rg__kir_for(k, KIR_GRID_X, b->block, rg__kir_ceil_div(k, n, THREADS)),
                    *threads = rg__kir_for(k, KIR_BLOCK_X, b->tx, num(b, THREADS));
    rg__kir_add_to(k, rg__kir_body(grid), threads);
    k->body = grid;
    b->in = rg__kir_body(threads);
}

static inline struct kir_node *tile_at(struct bench *b, int64_t shift)
{
    return at(b, b->tile, rg__kir_add(b->k, nam(b, b->tx), num(b, shift)));
}

static inline struct kir_node *fill_tile(struct bench *b)
{
    return rg__kir_store(b->k, tile_at(b, 0), at(b, b->x, nam(b, b->tx)));
}

static inline struct kir_node *use_tile(struct bench *b, int64_t shift)
{
    return rg__kir_store(b->k, at(b, b->y, nam(b, b->tx)), tile_at(b, shift));
}

static inline struct kir_node *wait(struct bench *b)
{
    return rg__kir_barrier(b->k, KIR_BLOCK);
}
#endif
