/* Overlapped tiles in time: a block loads its tile and a halo, goes through several iterations of the time loop on it,
 * and writes back the tile alone; what the halo loses at its rim with every sweep was computed for nothing. Each thread
 * keeps a box of points in registers, of every array; what a neighbour needs of them goes through shared memory. */
#ifndef RG_POLY_OVERLAPPED_TILE_H
#define RG_POLY_OVERLAPPED_TILE_H
#include "poly/analysis/iterated_stencil.h"
#include "poly/cuda/print.h"

/* What STEPS may be. */
enum { TIME_TILE_STEPS = 10 };
extern const int64_t rg__poly_time_steps[TIME_TILE_STEPS];
enum { TIME_TILE_POINTS = 64, TIME_TILE_SHARED = 227 * 1024, TIME_TILE_REGISTERS = 65536 };

/* A tile's extents along the stencil's dimensions: threads, points of each thread, iterations of a launch. */
struct poly_time_shape {
    int64_t threads[STENCIL_DIMS], points[STENCIL_DIMS], steps;
};

struct poly_time_tile { /* of a kernel: its kir_data */
    struct poly_stencil stencil;
};

struct poly_time_start { /* of a loop over time, whatever else was done to the program */
    bool fits;           /* does a tile? */
    struct poly_time_shape shape;
};

/* ---- time_plan.c: shared by the steps that do several iterations of a time loop a launch ---- */
struct poly_time_way {
    poly_kir_build *build; /* of the kernel whose kir_data is a struct poly_time_tile */
    poly_kir_draft *draft; /* of it; NULL: none */
    bool (*suits)(const struct poly_stencil *st, struct rg_reason *why); /* NULL: every iterated stencil does */
};
bool rg__poly_time_apply(struct poly_program *p, const char *site, const struct poly_time_way *way,
                         struct rg_reason *why);
struct poly_sites;
void rg__poly_time_sites(const struct poly_sites *at);
/* Of the first kernel that is built so; NULL: there is none. */
const struct poly_time_tile *rg__poly_time_tile_of(const struct poly_program *p, poly_kir_build *build);

/* Of the tunables' values. */
struct poly_time_shape rg__poly_time_shape_of(const struct poly_stencil *st, const struct poly_values *v);
/* Registers of all its threads that a tile takes, about. */
int64_t rg__poly_time_registers(const struct poly_stencil *st, const struct poly_time_shape *x);
/* The shape that by estimate is fastest at the problem's first size; false: none fits. */
bool rg__poly_time_start(const struct poly_stencil *st, struct poly_time_shape *x);

/* Microseconds of an iteration, by that estimate (poly_kernel's `draft`). */
double rg__poly_time_draft(const struct poly_program *p, const struct poly_kernel *k, const struct poly_values *v);

/* The kernel (poly_kernel's `kir`). */
struct kir_kernel *rg__poly_time_kernel(const struct poly_program *p, const struct poly_kernel *k,
                                        const struct poly_values *v, struct rg_arena *a, struct rg_reason *why);

/* What goes through shared memory: elements of a thread's box that other threads read. */
struct poly_time_slots {
    int n[STENCIL_ARRAYS], slot[STENCIL_ARRAYS][TIME_TILE_POINTS]; /* -1: nobody else reads it */
    int64_t beyond; /* rows in front of the first slot and behind the last one that threads at a rim may reach into */
};
void rg__poly_time_slots(const struct poly_stencil *st, const struct poly_time_shape *x, struct poly_time_slots *out);
/* Where the threads meet: before a sweep reads; when it has read, before it writes. In every iteration: the first one
 * comes behind the load, the others behind an iteration. */
struct poly_time_meetings {
    bool before[STENCIL_SWEEPS], behind[STENCIL_SWEEPS];
};
void rg__poly_time_meetings(const struct poly_stencil *st, const struct poly_time_shape *x,
                            const struct poly_time_slots *slots, struct poly_time_meetings *m);
/* Of element r of a thread's box, the one at a distance: its number in its owner's box, and by how much the owner's
 * number differs from this thread's. */
int rg__poly_time_neighbour(const struct poly_stencil *st, const struct poly_time_shape *x, int r, const int64_t *by,
                            int64_t *owner);
#endif
