/* A program as kernels and the host loops around them, and what steps make of each kernel. Rebuilt for every chain
 * of steps: it is cheap, and the dependence tests behind it are cached in the scop. */
#ifndef RG_POLY_KERNEL_H
#define RG_POLY_KERNEL_H
#include "ir/ctree_sort.h"
#include "poly/analysis/scop.h"
#include <rg/candidate.h>

struct poly_values { /* tunables, resolved */
    int64_t bx, by, bz, rx, ry, tile, unroll, block, grid, min_blocks, lanes, split, width, items, ahead;
    int64_t rz, steps, row, held, rows;
};

enum { POLY_MAX_KERNELS = 256, POLY_MAX_STAGED = 6, POLY_MAX_PRIVATE = 4, POLY_MAX_SCANS = 8 };

struct poly_scan; /* scan.h */
enum poly_knode_kind { KN_SEQ, KN_LOOP, KN_IF, KN_LEAF };
struct poly_knode { /* what one thread (or block) runs: the tree without the loops that became the grid */
    enum poly_knode_kind kind;
    const struct rg_cnode *node; /* LOOP, IF, LEAF */
    int loop;                    /* LOOP: id */
    int n;
    struct poly_knode **kid;      /* LOOP: body; IF: then, else (may be NULL) */
    const struct poly_scan *scan; /* LOOP: how a team, or the grid, goes through it; NULL: not as a scan */
    bool dealt;                   /* LOOP: a piece of the loop as written that carries nothing */
    int piece;                    /* LOOP: what is left of it after so many pieces */
};

enum poly_form {
    POLY_THREADS, /* a thread for each point of the parallel dimensions (or for RX x RY of them) */
    POLY_SINGLE,  /* <<<1, 1>>>: nothing parallel was found */
    POLY_BLOCK,   /* a block for each point; its threads share the loops inside */
    POLY_PARTIAL, /* first stage of a reduction over the grid: a partial result for each block, or, with dimensions,
                     SPLIT of them for each point; the loop is the last of the body */
    POLY_FINAL,   /* second stage: one block combines the partial results and runs what surrounds the loop. With
                     dimensions   it is form THREADS with a partner */
    POLY_KIR,     /* in kernel IR (poly/kir/kir.h), as its `kir` builds it; the body says what it does, not how */
    POLY_SORT, /* blocks sort tiles of a piece of an array, then merge them; with dimensions a piece for each point */
    POLY_SCAN_TOTALS,  /* a scan: what each warp's piece of the iterations does to the carried values */
    POLY_SCAN_OFFSETS, /* one block: the values that each piece starts from */
    POLY_SCAN_APPLY    /* the loop, each piece from there on */
};

enum poly_team {                   /* BLOCK, PARTIAL: who shares the loops of one point */
                 POLY_TEAM_BLOCK,  /* all threads of a block */
                 POLY_TEAM_COLUMN, /* the threads of one x: a block has COLUMNS points side by side, for loops along
                                      which elements are far apart */
                 POLY_TEAM_WARP    /* LANES neighbours of a warp: a block has several points */
};
enum { POLY_COLUMNS = 32 };

enum { POLY_MAX_GUARDS = 4 };
struct poly_guard { /* a scalar that a launch before has left in memory: where it is 0, the kernel does nothing */
    int var;
    bool negated; /* where it is not 0 */
};

struct kir_kernel;
struct kir_names;
struct poly_kernel;
struct poly_program;
/* The kernel for these values of the tunables, built in arena a, finished (rg__kir_finish) but not verified. NULL: they
 * do not fit it, with the reason in why. */
/* Microseconds at the size that is timed of one run of the innermost loop around it, its share of a launch; 0: the
 * values do not fit. */
typedef double poly_kir_draft(const struct poly_program *p, const struct poly_kernel *k, const struct poly_values *v);
typedef struct kir_kernel *poly_kir_build(const struct poly_program *p, const struct poly_kernel *k,
                                          const struct poly_values *v, struct rg_arena *a, struct rg_reason *why);

struct poly_kernel {
    char name[96];
    enum poly_form form;
    enum poly_team team;
    int n_dims;
    int dims[3]; /* loop ids, outermost first */
    int axis[3]; /* of each: 0 x, 1 y, 2 z */
    int n_alias; /* loops fused into a dimension: their variables take its value */
    struct {
        int dim, loop;
    } alias[24];
    struct poly_knode *body;
    bool *atomic; /* [array] its updates collide with those of other threads; the program's memory */
    int n_host, host[POLY_MAX_DEPTH]; /* host loops around */
    int n_guards;
    struct poly_guard guard[POLY_MAX_GUARDS];
    /* set by steps */
    bool coalesced, coarsened, unrolled, ahead, grid_stride, vectorized, warp_reduce, launch_bounds;
    bool readonly; /* what it only reads through __ldg */
    int wide;      /* THREADS: so many neighbouring points a thread at most, loaded and stored at once; 0 */
    int n_staged, staged[POLY_MAX_STAGED]; /* arrays */
    int otherwise;    /* KIR: the kernel for sizes at which this one does not fit; -1: it always does */
    bool strides;     /* KIR: as many blocks as BLOCKS says, whose threads take points a grid apart */
    bool resident;    /* BLOCK: a loop of the plan with all its launches in it */
    bool fused;       /* BLOCK: of several launches that were too short */
    bool shares;      /* BLOCK: nothing in it reduces, its threads share what is free of order */
    int region;       /* a phase of that cooperative kernel, from 1; 0: a launch of its own */
    bool last_resort; /* this is such a kernel: launched in another's place */
    int reduce_loop;  /* PARTIAL, FINAL, THREADS with a partner: the loop split over the grid; -1 */
    int n_scans;      /* loops that its teams, or for SCAN_* its warps, go through together */
    const struct poly_scan *scans[POLY_MAX_SCANS];
    int scan_first;        /* SCAN_*: a number of the three's own */
    int n_before;          /* SCAN_OFFSETS: items of the body that stand in front of the loop; the others follow it */
    int partner;           /* PARTIAL: the FINAL kernel and the other way round; -1 */
    poly_kir_build *kir;   /* KIR */
    poly_kir_draft *draft; /* KIR: NULL: it has no model */
    const void *kir_data;  /* what the step that set it wants to know again; the program's arena's */
};

enum poly_hnode_kind { HN_SEQ, HN_FOR, HN_IF, HN_KERNEL, HN_SWAP };
struct poly_hnode {
    enum poly_hnode_kind kind;
    int loop;                    /* FOR */
    int region;                  /* FOR: its launches are phases of one cooperative kernel, numbered from 1; 0: not */
    bool seldom;                 /* FOR: its kernels ask the flag themselves, the plan now and then */
    bool strip;                  /* FOR: as many iterations at a time as the tunable STEPS says */
    int swapped;                 /* SWAP: the array that changes places with its next buffer */
    const struct rg_cnode *node; /* IF: condition in kid[0] */
    int kernel;
    int n, cap;
    struct poly_hnode **kid; /* SEQ: items; FOR: body; IF: then, else (may be NULL) */
};

struct poly_program {
    struct rg_arena arena;
    struct poly_scop *scop;
    struct poly_hnode *root;
    int n_kernels;
    struct poly_kernel kernels[POLY_MAX_KERNELS];
    const struct rg_cnode *
        *recompute; /* [var] its one defining statement, over parameters alone: repeated where used; the arena's */
    bool *scalar_scratch;    /* [var] lives in a one-element buffer between kernels */
    bool *array_scratch;     /* [array] a local array that lives in a buffer */
    bool *array_parts;       /* [array] of which each thread (form BLOCK: each block) of its kernel has a part */
    bool *array_interleaved; /* [array] whose parts alternate element by element, so that neighbours coalesce */
    const char **next; /* [array] a buffer like it, for values that must not stand in it yet; NULL none. NULL: no array
                          has one */
};

/* ---- launches.c ---- */
/* How often what stands inside these host loops runs, at the largest of the problem's sizes; an upper bound. */
double rg__poly_passes(const struct poly_scop *s, const int *host, int n_host);

/* The kernel's launch below h, and the node whose kid it is; NULL: none. */
struct poly_hnode *rg__poly_find_launch(struct poly_hnode *h, int kernel, struct poly_hnode **parent);

/* Room for `extra` kernels after `kernel`, launched one after the other, copies of it. */
bool rg__poly_make_room(struct poly_program *p, int kernel, int extra);

/* ---- plan_items.c ---- */
/* Can the plan hold that condition or loop? Not what is left early. */
bool rg__poly_plan_holds(const struct poly_scop *s, const struct poly_knode *x);
/* A condition or a loop in the body of a kernel of one thread becomes one of the plan, with a kernel for what stands in
 * it (of a condition one for each arm), and others for what stands in front of it and behind it. They have the numbers
 * from `kernel` on, in order. False: the plan can't hold it, or there is no room; nothing has changed. */
bool rg__poly_plan_item(struct poly_program *p, int kernel, int at);

/* ---- kir_kernel.c ---- */
/* A kernel without a body, to build on, and the program's names in it: parameters, arrays and scalars as the launch
 * passes them, buffers of local arrays that live between kernels, host loops' variables. */
struct kir_kernel *rg__poly_kir_new(const struct poly_program *p, const struct poly_kernel *k, struct rg_arena *a,
                                    struct kir_names **names);
/* What the names could not say, with the statement's line, or what else it is that has no form. */
void rg__poly_no_form(const struct kir_names *names, struct rg_reason *why, const char *otherwise);
bool rg__poly_kir_verified(const struct kir_kernel *k, struct rg_reason *why); /* the verifier's word */

/* ---- part_buffers.c ---- */
/* The buffer of which each thread or block has a part for the local array (array_parts). */
const char *rg__poly_part_buffer(const struct poly_program *p, int array, struct rg_arena *a);

/* ---- kir_forms.c ---- */
bool rg__poly_has_opaque(const struct poly_kernel *k); /* does some of its code run as it is? */
/* It for these values, built and verified. NULL: why. */
struct kir_kernel *rg__poly_kir_build(const struct poly_program *p, const struct poly_kernel *k,
                                      const struct poly_values *v, struct rg_arena *a, struct rg_reason *why);

/* ---- kir_bounds.c ---- */
/* Points of the kernel at the timed size, over all passes of the loops around its launch. False: unknown. */
bool rg__poly_timed_points(const struct poly_program *p, const struct poly_kernel *k, double *points);

bool rg__poly_runs_once(const struct poly_kernel *k); /* one thread, or one block, in all */

/* ---- one_thread.c ---- */
/* Is it a kernel of one thread? Then *out says why. */
bool rg__poly_one_thread(const struct poly_program *p, const struct poly_kernel *k, struct rg_lone *out);

/* ---- kir_reduce.c: reductions in kernel IR ---- */
struct kir_node;
struct kir_node *rg__poly_kir_combined(struct kir_kernel *k, enum poly_op op, struct kir_node *a, struct kir_node *b);
struct kir_node *rg__poly_kir_identity(struct kir_kernel *k, enum poly_op op, enum rg_scalar t); /* changes nothing */
/* Statements, at the end of seq, by which every one of the block's threads, or of a warp's where it has 32, gets in the
 * scalars acc[n] the totals of all of theirs. tx: the thread's place among them along block.x, a multiple of 32 of
 * them. */
void rg__poly_kir_reduce(struct kir_kernel *k, struct kir_node *seq, const enum poly_op *op, const int *acc, int n,
                         int tx, int threads);

/* ---- estimate.c ---- */
/* Microseconds at the size that is timed, good to a factor of a few: to tell orders of a nest apart. */
double rg__poly_program_time(const struct poly_program *p);
/* Opaque code with loops, of which nobody knows how often they run. */
bool rg__poly_may_run_long(const struct poly_scop *s, int stmt);
double rg__poly_kernel_time(const struct poly_program *p, const struct poly_kernel *k);
/* Of a kernel whose blocks share the loops of a point. */
double rg__poly_team_time(const struct poly_program *p, const struct poly_kernel *k);
/* Iterations that run side by side, at the timed size, in the kernel of one iteration a thread that takes longest; 0:
 * there is none. */
double rg__poly_busiest_points(const struct poly_program *p);
/* Iterations of a loop, and launches of a kernel, with the loops around in the middle of their ranges. */
double rg__poly_trips(const struct poly_scop *s, int loop);
double rg__poly_last_trips(const struct poly_scop *s, int loop); /* the same in the last of the iterations around */
double rg__poly_launches(const struct poly_scop *s, const struct poly_kernel *k);
/* Of it, what launching alone takes. */
double rg__poly_launch_time(const struct poly_program *p);
/* Of resident blocks: what every thread of theirs goes through by itself, as no loop around it is shared; and what one
 * multiprocessor needs at least for the rest. */
void rg__poly_resident_time(const struct poly_program *p, double *lone, double *shared);
/* What no order goes below: one launch, everything at once. */
double rg__poly_bound(const struct poly_scop *s);

/* ---- mapping.c, bands.c: the parallel dimensions of every nest become grids ---- */
struct poly_program *rg__poly_map(struct poly_scop *s, struct rg_error *err);
struct poly_program *rg__poly_map_sequential(struct poly_scop *s); /* one kernel of one thread */
/* Statements run one after the other, roughly: to compare ways to cut one program. */
double rg__poly_program_cost(const struct poly_program *p);
void rg__poly_program_free(struct poly_program *p);
/* Does any kernel run in parallel? */
bool rg__poly_program_parallel(const struct poly_program *p);
/* Puts the definitions of what the kernel's body would otherwise have to be given in front of it. */
void rg__poly_prepend_recomputed(struct poly_program *p, struct poly_kernel *k);
/* Homes of scalars and local arrays; after every change of the kernels' bodies. */
void rg__poly_assign_homes(struct poly_program *p);
bool rg__poly_fits_a_thread(const struct poly_scop *s, int array); /* a local array: known to be small */
/* One that is declared in the kernel, each thread of which has its own. */
bool rg__poly_own_array(const struct poly_scop *s, const struct poly_kernel *k, int array);
/* What the kernel's code does to scalars; a partial reduction leaves what it accumulates to the second stage. */
void rg__poly_kernel_effect(const struct poly_program *p, const struct poly_kernel *k, struct poly_effect *e);

/* Loops whose variables an expression reads, among those around `loop`. */
bool rg__poly_mentions_loop(const struct poly_scop *s, const struct rg_cnode *e, int loop);
/* Can the plan compute it? */
bool rg__poly_plan_can(const struct poly_scop *s, const struct rg_cnode *e);
/* Can the plan read it: a local integer that lives in a buffer? */
bool rg__poly_plan_flag(const struct poly_scop *s, const struct rg_cnode *e);
bool rg__poly_plan_condition(const struct poly_scop *s, const struct rg_cnode *e); /* either */

/* ---- accumulators.c ---- */
struct poly_acc { /* what a loop accumulates: a scalar, or an array element that stays the same */
    int array, var;
    enum poly_op op;
    enum rg_scalar type;
    const struct rg_cnode *element;
    enum poly_acc_role {
        POLY_ACC_PLAIN,
        POLY_ACC_BEST,
        POLY_ACC_AT,
        POLY_ACC_WITH
    } role;           /* AT: the iteration that had the best */
    int select, loop; /* BEST, AT, WITH: whose, and the loop that is shared */
};
/* Count; -1: it carries something else, or elements that vary, though the kernel's own dimensions stand still. */
int rg__poly_accumulators(struct poly_scop *s, const struct poly_kernel *k, int loop, struct poly_acc *out, int cap);
/* The same; any: updates that meet are harmless where they can be atomics, else only where the kernel has them as such.
 */
int rg__poly_all_accumulators(struct poly_scop *s, const struct poly_kernel *k, int loop, bool any,
                              struct poly_acc *out, int cap);
/* Marks the arrays whose updates meet when the loop's iterations run at once; how many. */
int rg__poly_collisions(struct poly_program *p, const struct poly_kernel *k, int loop, bool *atomic);
int rg__poly_kernel_of(const struct poly_program *p, int loop); /* -1: none has it */
int rg__poly_item_of(const struct poly_kernel *k, int loop);    /* of the kernel's body; -1 */
bool rg__poly_long_enough(const struct poly_scop *s, int loop); /* to go round a block, with the loops inside it */
bool rg__poly_knode_has(const struct poly_knode *k, int loop);
bool rg__poly_reduction_loop(struct poly_scop *s, int loop); /* carries associative updates, nothing else */
/* Copies of one loop of the user's file? */
bool rg__poly_same_source(const struct poly_scop *s, int a, int b);
/* The operator of all that the kernel does to the array; NONE: something else stands there too. */
enum poly_op rg__poly_private_op(const struct poly_scop *s, const struct poly_kernel *k, int array);

/* ---- axes.c ---- */
int rg__poly_dim_of_axis(const struct poly_kernel *k, int axis);                      /* -1 none */
int rg__poly_dim_at(const struct poly_scop *s, const struct poly_kernel *k, int var); /* fused ones too; -1 */

/* THREADS: the threads of a block along each axis; a kernel of fewer dimensions than another takes as many. */
void rg__poly_threads_of(const struct poly_kernel *k, const struct poly_values *v, int64_t threads[3]);
/* Neighbouring points of a thread that are loaded and stored at once, where the kernel is `wide`. */
int64_t rg__poly_width(const struct poly_kernel *k, const struct poly_values *v);

/* ---- heading.c ---- */
/* The comment above a kernel: the steps that made it what it is. */
const char *rg__poly_heading(const struct poly_program *p, const struct poly_kernel *k, const struct poly_values *v,
                             struct rg_arena *a);

/* ---- only_read.c ---- */
/* Numbers in memory that nothing writes while the kernel, or the launch it is a phase of, runs? */
bool rg__poly_only_read(const struct poly_program *p, const struct poly_kernel *k, int array);
/* Does a phase of the same launch write it? The compiler may not take it for constant then. */
bool rg__poly_written_beside(const struct poly_program *p, const struct poly_kernel *k, int array);

/* ---- wide.c ---- */
enum { POLY_MAX_WIDE = 8 };
struct poly_wide { /* elements of neighbouring points */
    const struct poly_access *access;
    /* stored: whatever conditions say; exists: it certainly does; other: another element of the array is used, too */
    bool read, written, stored, exists, other;
};
/* How many neighbouring points of the kernel may load and store at once; 0: why none. */
int rg__poly_wide(const struct poly_program *p, const struct poly_kernel *k, struct rg_reason *why);
/* What is loaded and stored at once by so many; count. */
int rg__poly_wide_references(const struct poly_program *p, const struct poly_kernel *k, int most, struct poly_wide *out,
                             int cap);

/* ---- prefetch.c ---- */
enum { POLY_MAX_AHEAD = 6 };
/* Loads of a thread's loop that may come before a chunk of its iterations, of arrays that are not [array] taken (NULL:
 * none is); count, 0: nothing that the compiler does not do. */
int rg__poly_prefetch(const struct poly_program *p, const struct poly_kernel *k, const struct poly_knode *loop,
                      const bool *taken, const struct poly_access **load);
bool rg__poly_prefetch_any(const struct poly_program *p, const struct poly_kernel *k, const struct poly_knode *n);
/* Why a loop below that loads and stores is left as it is; false: there is none. */
bool rg__poly_prefetch_refusal(const struct poly_program *p, const struct poly_kernel *k, const struct poly_knode *n,
                               struct rg_reason *why);

/* ---- forwarding.c ---- */
enum { POLY_FORWARD_MOST = 4 };
struct poly_forward {            /* an array's elements that a loop's latest iterations wrote */
    int loop, depth;             /* of so many iterations */
    const struct rg_cnode *leaf; /* the statement that writes */
    const struct poly_access *write;
    const struct poly_access
        *first[POLY_FORWARD_MOST]; /* [d] what reads in every iteration the value of d + 1 iterations before */
};
/* Of arrays that are not [array] taken; count. The loop must run for the values before it to exist. */
int rg__poly_forwards(const struct poly_program *p, const struct poly_kernel *k, const struct poly_knode *loop,
                      const bool *taken, struct poly_forward *out, int cap);
/* How many iterations before what the access reads was written, where a register has it; 0: none has. */
int rg__poly_forwarded(const struct poly_scop *s, const struct poly_forward *f, const struct poly_access *a);

/* ---- store_under.c ---- */
/* a = c ? x : a, where nothing else of the kernel reads the array: as if (c) a = x, where the element is in memory. */
bool rg__poly_store_under(const struct poly_program *p, const struct poly_kernel *k, const struct rg_cnode *n,
                          const struct rg_cnode **value, bool *negated);

/* ---- scatter_update.c ---- */
struct poly_update { /* x = x op value, of an element that other threads update too */
    const struct poly_access *access;
    bool known;                       /* the following is; else the value is whatever C says, over x */
    const struct rg_cnode *condition; /* it happens where that holds; NULL: always */
    bool negated;                     /* where it does not */
    bool minus;                       /* of x - value */
    const struct rg_cnode *value;     /* NULL: one */
};
/* Is the assignment, or increment, one that the kernel has to make an atomic? */
bool rg__poly_update_of(const struct poly_scop *s, const struct poly_kernel *k, const struct rg_cnode *e,
                        struct poly_update *u);

/* ---- opaque_loop.c: loops with bounds from data that only accumulate ---- */
enum { POLY_OPAQUE_ACCS = 4 };
struct poly_opaque_loop {
    int var, n_acc;
    int64_t step; /* > 0 */
    const struct rg_cnode *first, *end, *body;
    struct poly_acc acc[POLY_OPAQUE_ACCS];
};
/* Is the OPAQUE node one: a counted loop that writes nothing but what it declares and what it accumulates? */
bool rg__poly_opaque_loop(const struct poly_scop *s, const struct rg_cnode *n, struct poly_opaque_loop *out);
bool rg__poly_has_opaque_loop(const struct poly_scop *s, const struct poly_knode *k);

/* ---- loop_counters.c ---- */
/* The tree with loops counted in 64 bits where one of the problem's sizes brings their values close to the end of 32;
 * t: none is. */
const struct rg_ctree *rg__poly_count_far(const struct rg_problem *p, const struct rg_ctree *t, struct rg_arena *a);
/* `require` of the plan: sizes up to which counters of 32 bits hold. RG_INPUT: the problem's own are beyond. */
enum rg_status rg__poly_plan_require(const struct poly_program *p, const struct poly_values *v, struct rg_arena *a,
                                     struct rg_buf *plan, struct rg_error *err);
/* Might a team's steps through the range pass the end of the counter's type, at one of the sizes? */
bool rg__poly_opaque_far(const struct rg_problem *p, const struct rg_ctree *t, struct rg_arena *a,
                         const struct poly_opaque_loop *o);
/* The value of an expression over parameters that `require` gives a value alone. */
bool rg__poly_known_value(const struct rg_problem *p, const struct rg_expr *e, int64_t *v);

/* ---- sort.c ---- */
/* A statement that sorts, of elements of so many bytes, where a grid can. */
bool rg__poly_sort_of(const struct poly_scop *s, const struct rg_cnode *n, struct rg_csort *out, int64_t *bytes);
bool rg__poly_grid_sorts(const struct poly_scop *s, const struct rg_cnode *n);
/* Is it worth blocks of its own at each point of these loops? */
bool rg__poly_sorts_over(const struct poly_scop *s, const struct rg_cnode *n, const int *dims, int n_dims);

/* ---- sharing.c ---- */
/* How a loop's iterations may be shared by a block. */
enum poly_share { POLY_SHARE_NONE, POLY_SHARE_DEAL, POLY_SHARE_REDUCE, POLY_SHARE_SCAN };
enum poly_share rg__poly_share_of_node(struct poly_scop *s, const struct poly_kernel *kn, const struct poly_knode *k);
bool rg__poly_shares_inside(struct poly_scop *s, const struct poly_kernel *kn, const struct poly_knode *k);
/* The only thing in the loop's body, when that is a loop that may be shared too. */
const struct poly_knode *rg__poly_inner_shared(struct poly_scop *s, const struct poly_kernel *kn,
                                               const struct poly_knode *k, enum poly_share how);
bool rg__poly_shared_loop(struct poly_scop *s, const struct poly_kernel *k,
                          int loop); /* dealt out or reduced by a team */
/* Can a block run the kernel? */
bool rg__poly_block_ok(const struct poly_program *p, const struct poly_kernel *k, struct rg_reason *why);

/* ---- code_size.c ---- */
/* How long the code of an expression or statement is, in plain operations. */
int64_t rg__poly_weight(const struct poly_scop *s, const struct rg_cnode *e);
/* How often the loops that unroll (ahead: prefetch.register) marks may be repeated, copies that other tunables make
 * included, before their code is longer than a compiler goes through in about a second; from 1 on. */
int64_t rg__poly_copies_most(const struct poly_program *p, bool ahead);

/* ---- promotion.c ---- */
/* Might a store to the element `held` behind the loop, made wherever the loops of keep[] are in their bounds, meet what
 * another thread does to the array? */
bool rg__poly_store_meets(const struct poly_program *p, const struct poly_kernel *k, int loop,
                          const struct poly_access *held, const int *keep, int n_keep);
struct poly_promotion {
    int array;
    const struct rg_cnode *element;
    bool guard; /* only where the loop runs at all does the element certainly exist */
};
/* Elements that a thread may hold in registers across its loop, of arrays that are not [array] taken; count. */
int rg__poly_promotions(const struct poly_program *p, const struct poly_kernel *k, const struct poly_knode *loop,
                        const bool *taken, struct poly_promotion *out, int cap);
/* Has the loop an iteration wherever it stands in the kernel? */
bool rg__poly_loop_runs(const struct poly_program *p, const struct poly_kernel *k, const struct poly_knode *loop);

/* ---- team.c ---- */
/* COLUMN where the loop's elements are far apart, a dimension's are neighbours, and the block may run it in step; sets
 * the kernel's axes. */
enum poly_team rg__poly_choose_team(struct poly_program *p, struct poly_kernel *k, const struct poly_knode *loop);
/* A local array of the kernel that does not fit a thread; -1 none. */
int rg__poly_big_local(const struct poly_program *p, const struct poly_kernel *k);

/* ---- axes.c ---- */
void rg__poly_coalesce(struct poly_program *p, struct poly_kernel *k);
/* How many accesses inside move by one element, and by more, when these variables step; those in loops weigh more. */
void rg__poly_stride_score(const struct poly_program *p, const struct poly_kernel *k, const struct poly_knode *in,
                           const int *vars, int n_vars, int *unit, int *far);

/* ---- kernel_fusion.c ---- */
/* Neighbouring kernels over the same index space that share data become one where no dependence crosses threads. */
void rg__poly_fuse(struct poly_program *p);

/* ---- kernel_tree.c ---- */
struct poly_knode *rg__poly_knode_new(struct poly_program *p, enum poly_knode_kind kind, const struct rg_cnode *node,
                                      int n);
/* A body: a sequence, be it of one item. Nests that the scheduler made have loops, and conditions, right inside loops.
 */
struct poly_knode *rg__poly_knode_body(struct poly_program *p, const struct rg_cnode *node);
struct poly_knode *rg__poly_knode_of(struct poly_program *p, const struct rg_cnode *node);
struct poly_knode *rg__poly_knode_seq(struct poly_program *p, struct poly_knode *const *items, int n);
/* Pre-order over the subtree; fn false: not deeper. */
void rg__poly_knode_walk(const struct poly_knode *k, bool (*fn)(void *arg, const struct poly_knode *k), void *arg);
void rg__poly_knode_effect(const struct poly_scop *s, const struct poly_knode *k,
                           struct poly_effect *e); /* e, then k */
bool rg__poly_knode_uses_array(const struct poly_scop *s, const struct poly_knode *k, int array, bool *written);
/* Statement ids inside; count, at most cap. */
int rg__poly_knode_stmts(const struct poly_scop *s, const struct poly_knode *k, int *out, int cap);
bool rg__poly_knode_has_loop(const struct poly_knode *k);
bool rg__poly_calls_helper(const struct rg_cnode *n); /* a function of the file's, or text that may */
#endif
