/* Kernels of tiles while their kernel IR is built: several points a thread, and what a block stages in shared memory.
 * tile_kernel.c has their loops, tile_stage.c the copies. */
#ifndef RG_POLY_TILE_KERNEL_H
#define RG_POLY_TILE_KERNEL_H
#include "poly/kernel/points.h"
#include "poly/kernel/tiling.h"

struct poly_tile {
    struct poly_points *b;
    struct kir_kernel *k;
    struct poly_tiling tiling;
    /* Symbols of the dimensions: which of the thread's points, its place in the block (-1: nothing asks), and its own
     */
    int r[3], local[3], at[3];
    struct kir_node *origin[3];           /* the block's first point */
    struct kir_node *place[3], *value[3]; /* what `local` and `at` are */
    bool whole[3];                        /* all of every block's points are of the dimension */
    struct kir_node *full, *each; /* are all of the block's points, is this one, of the dimensions? each NULL: all */
    int64_t bytes;                /* of the points' registers */
    bool split;                   /* this is one of two arms: of full blocks, and of others */
    /* ---- what is staged ---- */
    int tile, thread;                /* symbols: the constant TILE, the thread's number in the block */
    int buffer[POLY_MAX_GROUPS];     /* symbols */
    bool live[POLY_MAX_GROUPS];      /* staged where we stand */
    struct poly_strip {              /* of the loop that is cut for the group */
        struct kir_node *first, *at; /* its first iteration, and which of the strip's it is */
    } strip[POLY_MAX_GROUPS];
};

/* ---- tile_stage.c ---- */
/* Shared buffers, and copies of what is staged once, with a barrier behind them. False: names->why. */
bool rg__poly_stage_first(struct poly_tile *x, struct kir_node *seq);
/* All threads of the block copy what the group's part of the array is here; it is read behind a barrier. False:
 * names->why. */
bool rg__poly_stage(struct poly_tile *x, struct kir_node *seq, int group);
/* The group that has the element where we stand; -1: none. */
int rg__poly_staged_group(const struct poly_tile *x, const struct poly_access *a);
#endif
