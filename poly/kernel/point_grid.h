/* The launch of a kernel over points, in kernel IR: blocks and threads along the axes of its dimensions. */
#ifndef RG_POLY_POINT_GRID_H
#define RG_POLY_POINT_GRID_H
#include "poly/kernel/thread_code.h"

enum { POLY_ALWAYS_FIT = 256 }; /* threads of a block, whatever registers they take: 255 at most of 65536 */

struct poly_grid {
    const struct poly_program *p;
    const struct poly_kernel *kernel;
    struct poly_thread *t;
    struct kir_kernel *k;
    int64_t per[3];             /* points of a block along each axis */
    struct kir_node *side[3];   /* its threads along each axis; NULL: they have no loop of their own */
    int64_t parts;              /* blocks along one axis more than there are dimensions; 0: there is none */
    int tx[3];                  /* symbols: the thread's place */
    struct kir_node *blocks[3]; /* along each axis, in the plan's 64 bits */
    struct kir_node *place[3];  /* this one's */
    bool flat;                  /* they are numbered along x alone: an axis has more than CUDA's y and z hold */
};

/* How many blocks there are; before the launch. False: names->why. */
bool rg__poly_grid_count(struct poly_grid *g);
/* The loops over blocks, of which there are at most so many along x (0: any number), and threads; the body of a thread.
 * NULL: names->why. */
struct kir_node *rg__poly_grid_launch(struct poly_grid *g, int64_t most_blocks);
const struct poly_loop *rg__poly_grid_loop(const struct poly_grid *g, int dim);
enum rg_scalar rg__poly_grid_index_type(const struct poly_grid *g, const struct poly_loop *l);
void rg__poly_grid_bind(struct poly_grid *g, int dim, struct kir_node *value); /* the dimension's variables */
/* Is the point one of the dimension's? *when gets one more condition; NULL: each is, so far. */
bool rg__poly_grid_inside(struct poly_grid *g, int dim, struct kir_node **when);
/* ---- part_buffers.c: local arrays of which each thread, or block, has a part of a buffer ---- */
/* Declares them, where the launch has at most so many blocks along x (0: any number). False: names->why. */
bool rg__poly_part_buffers(struct poly_grid *g, struct kir_node *seq, int64_t most_blocks);

/* ---- point_grid.c ---- */
/* Of a phase: what others in the same launch write is no constant, and not this one's alone. */
void rg__poly_share_places(const struct poly_program *p, const struct poly_kernel *kernel, struct poly_thread *t);
#endif
