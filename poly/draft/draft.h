/* Draft costs: what a program would take at given values of its tunables, from its loops and accesses alone, before
 * anything is printed or compiled. Built like the simulated device's timing model (what multiprocessors issue and move,
 * what the whole device shares, how long a block lives), on counts that are derived instead of run. It ranks; nobody
 * believes its microseconds. */
#ifndef RG_POLY_DRAFT_H
#define RG_POLY_DRAFT_H
#include "poly/kernel/tiling.h"

/* Microseconds at the size that is timed; 0: a kernel of a form that is not modelled, or values that do not fit. room:
 * NULL, or where an earlier call left it; freed by the caller. */
struct draft;
double rg__poly_draft(const struct poly_program *p, const struct poly_values *v, struct draft **room);

/* ---- shared by the room's files ---- */
enum {
    DRAFT_REFS = 128,
    DRAFT_GROUPS = 128,
    DRAFT_SHORT = 32,          /* constant loops up to this trip count are written out by the compiler, */
    DRAFT_COMPILER_UNROLLS = 4 /* others so many times where it is not told */
};

struct draft_loop { /* of the kernel's body, around where we stand */
    int loop;
    bool shared;   /* a team goes through it together */
    double trips;  /* of the loop, in this block's part of it */
    double turns;  /* of a thread */
    double unroll; /* iterations whose loads are issued together */
};

/* Elements of one array that the same subscripts reach but for constants: they share a footprint. */
struct draft_group {
    const struct poly_access *a;
    int depth;
    struct draft_loop around[POLY_MAX_DEPTH];
    int axis[POLY_MAX_DIMS][POLY_MAX_TERMS];           /* of each term's variable; -1: not the thread's */
    int64_t least[POLY_MAX_DIMS], most[POLY_MAX_DIMS]; /* constants */
    double asked;                                      /* sectors that a block's warps ask for */
    double sectors;                                    /* that reach L2, a block */
    double once;                                       /* bytes of the launch's footprint */
    double l1, l2;                                     /* shares that miss there */
};

struct draft_ref { /* an access of a statement, as a thread makes it */
    const struct poly_access *a;
    int group; /* -1: in shared memory */
    int depth; /* loops of the body that repeat it: it stands still in those inside */
    bool load;
    double points;         /* of the thread, for which it is another element */
    double times;          /* requests of a warp, in a block's life */
    double sectors, waves; /* of one */
};

struct draft_count { /* of one warp, over its life: warp instructions, by where they are computed */
    double issue, fp32, fp64, sfu, integers, lsu;
    double waves; /* of the data path of L1 and shared memory, cycles */
    double barriers;
};

struct draft {
    struct poly_tiling tiling;
    const struct poly_scop *s;
    const struct poly_kernel *k;
    struct rg_problem_env env;
    double share;                                    /* of the blocks that have anything to do */
    double launches, blocks, threads, warps, points; /* threads of a block; points of a thread */
    int64_t shape[3];                                /* threads by coordinate, x fastest */
    int lane_axis;                                   /* along which a team's threads lie; -1 */
    double team,
        parts; /* threads that share a point's loops; blocks that share the loop of a reduction over the grid */
    int depth;
    struct draft_loop around[POLY_MAX_DEPTH + 1];
    bool dealt;                    /* inside a loop that is shared */
    const struct poly_knode *deal; /* of the loops inside, the one that will be; NULL: whichever comes first */
    int n_refs, n_groups;
    struct draft_count count;
    double regs, shared_bytes, resident; /* registers of a thread; bytes of a block; blocks on a multiprocessor */
    bool unknown;
    struct draft_ref refs[DRAFT_REFS]; /* from here on nothing is cleared */
    struct draft_group groups[DRAFT_GROUPS];
};

/* draft_launch.c */
/* Shape of the launch at these values; false: not modelled, or they do not fit. The tiling in it is to be released. */
bool rg__draft_launch(struct draft *d, const struct poly_program *p, int kernel, const struct poly_values *v);
int rg__draft_axis(const struct draft *d, int var); /* coordinate of the thread that the variable goes with; -1 none */
struct draft_outside {
    bool dealt;
    const struct poly_knode *deal;
};
void rg__draft_enter(struct draft *d, const struct poly_knode *k, struct draft_outside *out); /* a loop */
void rg__draft_leave(struct draft *d, const struct draft_outside *out);

/* draft_refs.c */
void rg__draft_refer(struct draft *d, const struct poly_access *a);
void rg__draft_copy_in(struct draft *d, int group, double times); /* a tile into shared memory */
/* What each group asks of L2 and of DRAM. */
void rg__draft_traffic(struct draft *d);

/* draft_work.c: counts of the body; cycles that a thread of it waits and issues, one after the other. */
struct draft_span {
    double wait, busy;
    double phases; /* times it stands still for memory */
};
void rg__draft_work(struct draft *d);
struct draft_span rg__draft_life(struct draft *d);
#endif
