/* Estimates: a launch's sampled blocks are run with everything counted (traffic.c, timeline.c), scaled up (sample.c)
 * and put through the timing model (timing_model.c). Nothing here claims a time: it ranks. */
#ifndef RG_SIM_ESTIMATE_H
#define RG_SIM_ESTIMATE_H
#include "runtime/sim/exec/exec.h"
#include "runtime/sim/model/model.h"

/* Pipes of a multiprocessor that work beside one another. */
enum sim_pipe {
    SIM_PIPE_FP32,
    SIM_PIPE_INT,
    SIM_PIPE_IMAD /* whole-number products, on half of the fp32 lanes */,
    SIM_PIPE_FP64,
    SIM_PIPE_SFU,
    SIM_PIPE_TENSOR,
    SIM_PIPE_LSU,
    SIM_PIPE_CONTROL,
    SIM_N_PIPES
};

struct sim_cost {  /* of one instruction of a warp; what ptxas makes of it, not PTX's own count */
    float issue;   /* slots of the scheduler */
    float busy;    /* lanes-worth of its pipe, in warp instructions */
    float latency; /* cycles to its result; memory adds what the access takes */
    float stall;   /* cycles until the warp's next instruction */
    uint8_t pipe;
    uint16_t n_sources, n_results;
    uint8_t unroll;     /* of its block */
    int region;         /* of its block: see predicate.c */
    bool skips;         /* a branch within a region */
    bool elected;       /* an atomic that one lane does for all: ptxas adds up what goes to one address */
    bool early, branch; /* of an unrolled loop: issued with its first iteration; its end */
    int block;
    int operands; /* in sim_estimate.operands: sources, then results */
};

struct sim_tally { /* of one block, or a weighted sum */
    double warp_instructions, thread_instructions, issue, pipe[SIM_N_PIPES];
    double global_requests, global_lines, global_sectors; /* loads and stores */
    double l1_waves;                                      /* cycles of the L1 data path, shared memory apart */
    double shared_waves, shared_requests;
    double l2_loads, l2_stores;     /* sectors that reach L2 */
    double l2_lines;                /* requests those come in: a line's sectors go together */
    double useful_bytes;            /* asked for by lanes, global */
    double atomics, atomic_sectors; /* lane operations; what they cost L2, in sectors */
    double barriers, divergence, flops;
    double lifetime;                      /* cycles of a block that has the multiprocessor to itself */
    double waits;                         /* times a warp of it stood still for memory, average */
    double local_requests, local_sectors; /* of local memory; what of them L1 has not */
    double merged_accesses;               /* shared accesses that ptxas makes part of a wider one */
    double partial_stores;                /* lines of stores, as far as their sectors are written in part */
    double constant_passes;               /* of reads of constant memory, beyond the first */
    double atomic_us;                     /* of the most contended line */
};                                        /* doubles only: summed as an array */

enum { SIM_TOUCH_COUNTS = 8 }; /* what is counted of a buffer while a block is watched: rg__sim_touch_counts */
struct sim_touch {             /* footprint of one buffer in a launch */
    int index;
    const struct sim_buffer *buffer;
    double cold; /* its share that is in no cache when the launch begins */
    uint64_t addr, bytes;
    uint8_t *stamps;                                  /* a byte a sector: the last sampled block that touched it */
    double unique, read, written;                     /* sectors blocks touch, read first, write: weighted sums */
    double block_unique, block_written, block_shared; /* of the block at hand; shared with its neighbours */
    double block_read, half_read, half_unique, half_written; /* when half of what is watched had run */
    double block_loads, block_stores;
    double pair_unique, pair_shared;
    double returns, returns_late;  /* of sectors that left L1 and are asked for again, a sample: how many, and of these
                                      those that L2 has lost by then */
    double kept[SIM_TOUCH_COUNTS]; /* the block's counts at the end of the first look */
    double block_queue, queue;     /* ns its lines' atomics and stores to one place would take one after another */
    double in_use;                 /* of its lines with atomics, how many blocks in flight use together; 0: all */
    bool constant;
    double block_cas, cas;         /* compare-and-swap of lanes */
    double loads, stores;          /* sectors loads and stores asked of L2 */
    int64_t last_line, strides[8]; /* how its lines follow one another: the last ones' distances, */
    int n_strides;
    double jumps, wild; /* how often to another place than the next line, and of these at a distance not among them */
};

/* Sectors of the block at hand whose next use is waited for: how much it asks of L2 in between says whether that still
 * has them. */
enum { SIM_RETURNS = 8192, SIM_RETURN_SAMPLE = 8 /* of so many sectors one is followed */ };
struct sim_return {
    uint64_t sector;
    unsigned epoch;
    double asked;
};

enum { SIM_MAX_TOUCHED = 64, SIM_HOT_LINES = 1024 };
struct sim_hot { /* atomics of one 128-byte line, ns one after another */
    uint64_t line;
    double block_cost, cost, alone; /* of the block at hand; of all blocks if all did this; of those seen */
    int touch;                      /* whose line it is, -1 */
    int groups, last_group;         /* of neighbouring blocks: so many were seen to use it, this one last */
};

struct sim_l1 { /* a block's share of the L1 */
    int sets;
    uint64_t emptied; /* times */
    uint64_t
        *tags; /* four ways a set, most recent first; line number + 1, on top of that how often it had been emptied */
    uint8_t *valid; /* sectors there */
};

/* loop_progress.c */
enum { SIM_MAX_LATCHES = 64 };
struct sim_latch {
    int block;
    bool ahead;
    uint64_t turns;
    double distance;
};
struct sim_progress {
    double work;
    int n;
    struct sim_latch latches[SIM_MAX_LATCHES];
};
void rg__sim_progress_note(const struct sim_run *run, const struct sim_block *blocks, int n, struct sim_progress *p);
/* Warp instructions still to do after `ran` of them; unsure: set where a loop's rounds cannot be told and are not among
 * them. */
double rg__sim_progress_left(const struct sim_run *run, const struct sim_block *blocks, int n,
                             const struct sim_progress *then, double ran, bool *unsure);

/* The basic block whose branch back ends the outermost loop that has begun, where that counts and its rounds all do the
 * same; -1: there is none. */
int rg__sim_progress_loop(const struct sim_run *run);
/* What its counter has to go, of the warp that has come furthest. */
double rg__sim_progress_distance(const struct sim_run *run, const struct sim_block *blocks, int n, int loop);
/* Loops that have not begun may come after it. */
bool rg__sim_progress_after(const struct sim_run *run, const struct sim_block *blocks, int n, int loop);

/* loop_extrapolation.c: asked after each turn of blocks side by side, until it says true: the rounds that are left have
 * been added to what was counted, last so many cycles more, and warps then stood still so often on average, sum over
 * blocks. */
struct sim_pace;
struct sim_pace *rg__sim_pace_new(const struct sim_run *run);
void rg__sim_pace_free(struct sim_pace *p);
bool rg__sim_pace(struct sim_pace *p, struct sim_run *run, const struct sim_block *blocks, int n, double clock,
                  double *more, double *waits);

/* A stretch of a block that is watched. A long block changes as it goes on (a triangle's rows, a wave front): later
 * looks correct for that. */
enum { SIM_MAX_LOOKS = 5 };
struct sim_look {
    double from, to;
    struct sim_tally tally; /* what was before it; once it is over, what it saw */
};

struct sim_estimate {
    const struct sim_model *model;
    struct sim_cost *costs; /* an instruction of the kernel */
    int *operands;
    int n_operands, n_values;
    struct sim_tally block, sum;
    double weight;                /* of the block at hand */
    double ran, watched, half_at; /* warp instructions of the block at hand: so far, watched in all, at half of that */
    bool watching, probing;       /* probing: a block's lines are wanted, nothing is added up */
    int n_looks;                  /* begun */
    struct sim_look looks[SIM_MAX_LOOKS];
    int n_watched_blocks, n_groups, group;
    double done_weight;
    int neighbours; /* so many blocks before it are near it */
    uint8_t stamp;
    int n_touched;
    struct sim_touch touched[SIM_MAX_TOUCHED];
    struct sim_hot *hot; /* open addressing, SIM_HOT_LINES entries */
    int n_hot;
    struct sim_l1 l1;
    struct sim_touch local;     /* of local memory only how its sectors return */
    struct sim_return *returns; /* SIM_RETURNS places, each of the first sector that comes to it */
    unsigned epoch;             /* of the block at hand */
    double in_flight;           /* blocks */
    double miss_rate;           /* of L2, believed so far: decides the latency of loads */
    float access_latency;       /* of the memory access just made */
    double lifetimes_max;
    double makespan; /* cycles until the last block of a launch whose blocks exchange something is done; 0: any other
                        launch */
    double hottest;  /* warp instructions of the basic block that executes most of them */
    bool unsure;     /* cut short in a loop whose rounds cannot be told: the launch takes longer than it seems */
    double whole;    /* of the block at hand: all its work over what ran, 1 unless it was cut short */
};

struct sim_timeline { /* when the values of one warp are there, in cycles */
    float now,
        latest; /* the front, and the last issue in this basic block: ptxas moves what is ready ahead of what waits */
    int basic_block, n_issued;
    float stored[2];  /* issue of the last store: global (and whatever else), shared; loads stay behind it unless nobody
                         writes there */
    float issued[64]; /* of the instructions before it in the block, newest last, modulo its size */
    int waits;        /* times the warp stood still for a result from memory */
    int block, iteration; /* of an unrolled loop */
    float loop_start;
    int region;
    float region_start;
    float copies,
        groups[8]; /* when cp.async copies are there: not yet committed, the last groups committed (newest first) */
    float *ready;
};

static inline float rg__sim_clock(const struct sim_warp *w)
{
    return w->time->now > w->time->latest ? w->time->now : w->time->latest;
}

/* instruction_cost.c */
void rg__sim_costs(const struct sim_model *m, const struct sim_kernel *k, struct sim_estimate *e);
void rg__sim_costs_free(struct sim_estimate *e);

/* timeline.c; rg__sim_time after every instruction of a timed run */
void rg__sim_time(struct sim_run *run, struct sim_warp *w, const struct sim_inst *in, uint32_t mask);
void rg__sim_note_barrier(struct sim_run *run, struct sim_block *b, int id);
void rg__sim_note_divergence(struct sim_run *run);
enum rg_status rg__sim_timelines_new(struct sim_run *run, struct sim_block *b, struct rg_error *err);
void rg__sim_timelines_free(struct sim_block *b);

/* block_profile.c: runs a block with an eye on it; its counts are added to run->estimate's. */
void rg__sim_watch_block(struct sim_run *run, struct sim_block *b, const struct sim_choice *c);

/* block_sampling.c */
enum { SIM_SAMPLES = 12 }; /* blocks of a launch that are run in any case, at most */
int rg__sim_choose(const struct sim_run *run, struct sim_choice *out); /* room for SIM_SAMPLES + 2 */
enum rg_status rg__sim_sampled(struct sim_run *run, struct rg_error *err);

/* atomic_contention.c: sets in_use of what atomics go to, after the samples. */
void rg__sim_contention(struct sim_run *run, struct sim_block *b);

/* coscheduled_blocks.c: blocks side by side, by the clocks of their timelines */
enum rg_status rg__sim_together(struct sim_run *run, struct rg_error *err);

/* traffic.c */
void rg__sim_note_atomic(struct sim_run *run, const struct sim_inst *in, const uint64_t *addresses, uint32_t mask,
                         bool shared);
void rg__sim_block_begin(struct sim_run *run);
void rg__sim_block_half(struct sim_run *run);
/* ratio: warp instructions of the block over those that were watched (at first: footprints); scale: of its tally;
 * whole: over those that ran. */
void rg__sim_block_end(struct sim_run *run, double ratio, double scale, double whole);
/* The end of the first look: its counts are kept; and taken back. */
void rg__sim_block_keep(struct sim_estimate *e);
void rg__sim_block_take_back(struct sim_estimate *e);
struct sim_device;
void rg__sim_touch_counts(struct sim_touch *u, double *list[SIM_TOUCH_COUNTS]);
struct sim_touch *rg__sim_touch(struct sim_run *run, int buffer_index, uint64_t addr);

/* timing_model.c */
struct sim_timing {
    double us;     /* without the launch itself */
    double lo, hi; /* interval believed */
    enum rg_limiter limiter;
    double occupancy; /* resident warps / most */
    double dram_bytes, l2_bytes, l1_hit;
    double parts[RG_N_LIMITERS]; /* us each bound alone would take */
};
void rg__sim_timing(const struct sim_run *run, const struct sim_estimate *e, struct sim_timing *out);

/* sample.c; NULL: argument i points into no buffer */
struct sim_buffer *rg__sim_argument(const struct sim_run *run, int i);

/* l2_cold.c */
enum { SIM_MAX_REACHED = 24 };
struct sim_reached {
    int arg /* -1: by address */;
    uint64_t addr;
    float share;
};
struct sim_reach {
    int n;
    struct sim_reached at[SIM_MAX_REACHED];
}; /* what a launch touches; of more buffers: the first */
void rg__sim_reach_note(const struct sim_run *run, const struct sim_estimate *e, struct sim_reach *out);
void rg__sim_reach_warm(const struct sim_run *run, const struct sim_reach *r);
/* How often a sector that the block at hand had not touched comes from DRAM. */
double rg__sim_fresh_miss(const struct sim_run *run, const struct sim_touch *t);
/* timing_model.c: the share of reuses that L2 misses when so many bytes pass between one use and the next. */
double rg__sim_lost(const struct sim_model *m, double bytes);
#endif
