/* Running: warps, blocks, one launch. A warp runs until it ends, blocks or has used its slice; block.c schedules. */
#ifndef RG_SIM_EXEC_H
#define RG_SIM_EXEC_H
#include "runtime/sim/sim.h"

enum sim_split_state { SIM_READY, SIM_AT_SYNC /* waits for lanes of its warp */, SIM_AT_BAR };
struct sim_split { /* lanes of a warp that are at the same place */
    uint32_t mask;
    int pc;
    enum sim_split_state state;
    unsigned stamp; /* when it began to wait */
    int depth;      /* of calls (calls.h) */
};

enum sim_warp_state { SIM_WARP_RUNS, SIM_WARP_AT_BARRIER, SIM_WARP_STUCK /* only blocked splits */, SIM_WARP_DONE };
struct sim_warp {
    char *frame, *local;
    int index;
    uint32_t live;    /* lanes that exist and have not ended */
    uint32_t threads; /* lanes that exist */
    enum sim_warp_state state;
    int n_splits;
    struct sim_split splits[32];
    unsigned stamp;
    bool fair;                    /* next time the split that waited longest runs, not the one with the lowest pc */
    int stale;                    /* basic blocks since fairness changed */
    int barrier;                  /* id waited at */
    int32_t *returns;             /* where lanes go on in their callers, by sp / 16; NULL without recursive functions */
    int64_t stack_high;           /* of the stack, so much of local memory was in use */
    uint64_t clock;               /* instructions run, for %clock */
    struct sim_timeline *time;    /* estimates only */
    struct sim_warp_check *check; /* checked runs only */
    int tainted;                  /* registers of it that hold undefined values in some lane */
};

struct sim_barrier {
    int arrived_warps, arrived_threads, expected, popc, all, any;
};
struct sim_block {
    int64_t ctaid[3], number;
    char *shared;
    int n_warps, n_done;
    struct sim_warp *warps;
    struct sim_barrier bars[16];
    bool active;
    struct sim_block_check *check; /* checked runs only */
    void *memory;                  /* one allocation behind frames, shared and local memory */
    void *stacks; /* one behind local memory instead where there are recursive functions: pages nobody reaches stay
                     virtual */
};

enum { SIM_UNIT = 1, SIM_UNIFORM, SIM_SCATTERED };
struct sim_site { /* what a memory instruction did last: its addresses are usually these plus a constant */
    uint32_t mask;
    int first; /* lane the deltas are from */
    int kind;
    uint32_t misses;
    uint64_t lo, room; /* a first address a is inside the buffer when a - lo <= room */
    uint64_t align;    /* and is a multiple of align + 1 */
    uint64_t buffer_lo, buffer_hi;
    int buffer_index;
    _Alignas(64) uint64_t delta[32], care[32];
    uint32_t delta32[32], care32[32];
    /* estimates only */
    bool merged, same;
    uint32_t waves_at, waves_mask;
    int waves, waves_bytes, touch_index;
    struct sim_touch *touch;
};

struct sim_count {
    uint64_t warps, lanes;
}; /* executions of a basic block */

struct sim_choice {
    int64_t block;
    double weight;
    int neighbours;
    int group;
}; /* a block to watch, how many it stands for, how many of the ones before are near it; near ones have a group */

struct sim_run {
    struct sim_memory *memory;
    const struct sim_kernel *k;
    const struct rg_launch *launch;
    int64_t grid[3], block[3], shared_bytes, n_blocks;
    int threads, n_warps, sms, isa;
    int workers;             /* threads of this machine that may run blocks */
    bool beside;             /* others run blocks at the same time: atomics must be atomic */
    const char *param_block; /* host */
    uint64_t param_addr;
    uint64_t workspace; /* of cooperative launches: %envreg1, 2 */
    int resident;       /* blocks that may be in flight at once, whole device */
    struct sim_site *sites;
    struct sim_count *counts;
    double executed, budget; /* thread-instructions */
    double before;           /* executed by blocks that other threads ran */
    double work;             /* warp instructions */
    bool estimating;
    bool lenient; /* estimates: out-of-bounds reads give zero, writes are dropped */
    int slice;    /* basic blocks a warp may run in one go */
    struct rg_fault *fault;
    struct sim_estimate *estimate;
    struct sim_check *check;          /* NULL: bounds are all that is checked */
    const struct sim_choice *choices; /* by block: to be watched while all run */
    int n_choices;
    float until, ahead; /* estimates of blocks side by side: warps whose clock is past it (and so many cycles further,
                           where what comes next concerns nobody) wait for the others; 0: none does */
};

enum sim_stop { SIM_STOP_DONE, SIM_STOP_BLOCKED, SIM_STOP_YIELD, SIM_STOP_FAULT };
typedef enum sim_stop (*sim_exec_fn)(struct sim_run *run, struct sim_block *b, struct sim_warp *w);
enum sim_stop rg__sim_exec_base(struct sim_run *run, struct sim_block *b, struct sim_warp *w);
enum sim_stop rg__sim_exec_avx2(struct sim_run *run, struct sim_block *b, struct sim_warp *w);
enum sim_stop rg__sim_exec_avx512(struct sim_run *run, struct sim_block *b, struct sim_warp *w);
enum sim_stop rg__sim_exec_checked(struct sim_run *run, struct sim_block *b,
                                   struct sim_warp *w); /* of runs with a check */
enum sim_stop rg__sim_exec_base_timed(struct sim_run *run, struct sim_block *b, struct sim_warp *w);
enum sim_stop rg__sim_exec_avx2_timed(struct sim_run *run, struct sim_block *b, struct sim_warp *w);
enum sim_stop rg__sim_exec_avx512_timed(struct sim_run *run, struct sim_block *b, struct sim_warp *w);
/* The widest this processor runs: 0 SSE2 or any, 1 AVX2, 2 AVX-512; RG_SIM_ISA=sse2|avx2|avx512 lowers it. */
int rg__sim_isa(void);
/* timed: with rg__sim_time after each instruction. */
sim_exec_fn rg__sim_exec_pick(int isa, bool timed);

/* block.c */
enum rg_status rg__sim_block_new(struct sim_run *run, struct sim_block *out, struct rg_error *err);
void rg__sim_block_start(struct sim_run *run, struct sim_block *b, int64_t number);
void rg__sim_block_free(struct sim_block *b);
/* One round over its warps; progress: some ran. True while it is not finished; a fault ends the run (run->fault set).
 */
bool rg__sim_block_round(struct sim_run *run, struct sim_block *b, sim_exec_fn exec, bool *progress);
void rg__sim_arrive(struct sim_run *run, struct sim_block *b, struct sim_warp *w, const struct sim_inst *in,
                    uint32_t mask, bool waits);

/* fault.c: false always. lane < 0: unknown. */
bool rg__sim_fault(struct sim_run *run, const struct sim_block *b, const struct sim_warp *w, int lane,
                   const struct sim_inst *in, enum rg_outcome outcome, const char *fmt, ...)
    __attribute__((format(printf, 7, 8)));

/* access.c: memory instructions in general; false after a fault. They learn the pattern for the fast path. */
bool rg__sim_load(struct sim_run *run, struct sim_block *b, struct sim_warp *w, const struct sim_inst *in,
                  uint32_t mask);
bool rg__sim_store(struct sim_run *run, struct sim_block *b, struct sim_warp *w, const struct sim_inst *in,
                   uint32_t mask);
bool rg__sim_atom(struct sim_run *run, struct sim_block *b, struct sim_warp *w, const struct sim_inst *in,
                  uint32_t mask);
bool rg__sim_cpasync(struct sim_run *run, struct sim_block *b, struct sim_warp *w, const struct sim_inst *in,
                     uint32_t mask);
bool rg__sim_ldmatrix(struct sim_run *run, struct sim_block *b, struct sim_warp *w, const struct sim_inst *in,
                      uint32_t mask);
bool rg__sim_wmma_move(struct sim_run *run, struct sim_block *b, struct sim_warp *w, const struct sim_inst *in,
                       bool store);
/* estimates: a request of the pattern in site s at first address a (traffic.c) */
void rg__sim_note(struct sim_run *run, struct sim_block *b, struct sim_warp *w, const struct sim_inst *in,
                  struct sim_site *s, uint64_t a);

/* the same of so many bytes of the stack at sp + offset */
void rg__sim_note_stack(struct sim_run *run, struct sim_warp *w, const uint32_t *sp, uint32_t mask, uint64_t offset,
                        int bytes, bool store);

/* lanes.c: exchanges; every lane of the members is there */
void rg__sim_shfl(struct sim_warp *w, const struct sim_inst *in, uint32_t mask);
/* The lane that lane i takes from; i | SIM_SHFL_OWN: none, it keeps its own. */
enum { SIM_SHFL_OWN = 32 };
int rg__sim_shfl_source(int mode, int i, uint32_t b, uint32_t c);
void rg__sim_vote(struct sim_warp *w, const struct sim_inst *in, uint32_t mask);
void rg__sim_match(struct sim_warp *w, const struct sim_inst *in, uint32_t mask);
void rg__sim_redux(struct sim_warp *w, const struct sim_inst *in, uint32_t mask);
void rg__sim_elect(struct sim_warp *w, const struct sim_inst *in, uint32_t mask);
void rg__sim_carry_run(struct sim_warp *w, const struct sim_inst *in, uint32_t mask);
void rg__sim_cvta(struct sim_warp *w, const struct sim_inst *in, uint32_t mask);
void rg__sim_isspace(struct sim_run *run, struct sim_warp *w, const struct sim_inst *in, uint32_t mask);

/* Bytes of a lane's local memory that the block at hand may have used. */
static inline int64_t sim_local_used(const struct sim_kernel *k, const struct sim_warp *w)
{
    return !k->n_bodies ? k->local_bytes : w->stack_high > k->stack_first ? w->stack_high : k->stack_first;
}

static inline uint32_t *sim_u32(const struct sim_warp *w, int32_t off)
{
    return (uint32_t *)(void *)(w->frame + off);
}
static inline uint64_t *sim_u64(const struct sim_warp *w, int32_t off)
{
    return (uint64_t *)(void *)(w->frame + off);
}
static inline void sim_set_pred(const struct sim_warp *w, int32_t off, uint32_t mask, uint32_t bits)
{
    uint32_t *p = sim_u32(w, off);
    *p = (*p & ~mask) | (bits & mask);
}
#endif
