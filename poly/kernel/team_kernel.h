/* Kernels whose threads share the loops of a point, in kernel IR: a block, the threads of a column, or lanes of a warp;
 * and both stages of a reduction over the grid. */
#ifndef RG_POLY_TEAM_KERNEL_H
#define RG_POLY_TEAM_KERNEL_H
#include "poly/kernel/point_grid.h"

enum { POLY_TEAM_BUFFERS = 16 };

struct poly_teamwork { /* the code of a team's thread, where it is being built */
    const struct poly_program *p;
    const struct poly_kernel *kernel;
    const struct poly_values *v;
    struct poly_grid g;
    struct poly_thread *t;
    struct kir_kernel *k;
    struct kir_node *lane, *size; /* the thread's place in its team, of so many */
    int64_t threads;              /* of a team */
    struct kir_node *here;        /* the point exists; NULL: certainly */
    struct kir_node *parts;       /* FINAL: blocks of the first stage; SCAN_OFFSETS: pieces of the loop */
    struct kir_node *warp;        /* SCAN_*: this one's number in the grid */
    struct kir_node *items;       /* of a scan: iterations of a thread in a step, by name; NULL: not asked for yet */
    bool decides;                 /* conditions in the code may be over totals: each must be seen to be one value */
    int n_shared;
    struct { /* shared memory of reductions */
        enum rg_scalar type;
        int symbol;
    } shared[POLY_TEAM_BUFFERS];
    bool *read, *written; /* [array] touched since the team last met */
};

/* ---- team_reduction.c ---- */
struct kir_node *rg__poly_team_lone(struct poly_teamwork *w); /* this thread acts for all */
void rg__poly_team_meet(struct poly_teamwork *w, struct kir_node *seq);
/* What all of the team's threads have accumulated in the last n accumulators, which are closed: total[n]. */
void rg__poly_team_reduce(struct poly_teamwork *w, struct kir_node *seq, const struct poly_acc *acc, int n,
                          struct kir_node **total);

/* ---- team_code.c ---- */
/* A loop from `place` on in strides, around what a thread runs of it. False: names->why. */
bool rg__poly_team_deal(struct poly_teamwork *w, struct kir_node *seq, const struct poly_knode *loop,
                        struct kir_node *place, struct kir_node *stride, int64_t unroll);
/* Scalars that stand between a loop and the shared one in it have no value there: what they were is no place to set. */
void rg__poly_team_forget(struct poly_teamwork *w, const struct poly_knode *outer);
int64_t rg__poly_team_unroll(const struct poly_teamwork *w, int64_t otherwise);
bool rg__poly_team_code(struct poly_teamwork *w, struct kir_node *seq, const struct poly_knode *n);
void rg__poly_team_settle(struct poly_teamwork *w, struct kir_node *seq); /* all see what has been written */

/* ---- scan_kernel.c ---- */
/* A loop that the team goes through as a scan. False: names->why. */
bool rg__poly_team_scan(struct poly_teamwork *w, struct kir_node *seq, const struct poly_knode *n);
bool rg__poly_scan_code(struct poly_teamwork *w, struct kir_node *seq); /* SCAN_*: the thread's */
struct kir_node *rg__poly_scan_blocks(struct poly_teamwork *w); /* of the first and the last launch; NULL: names->why */

/* ---- team_kernel.c ---- */
struct kir_kernel *rg__poly_team_kernel(const struct poly_program *p, const struct poly_kernel *kernel,
                                        const struct poly_values *v, struct rg_arena *arena, struct rg_reason *why);
#endif
