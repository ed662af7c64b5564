/* A kernel between lowering and code: what the passes over it share. */
#ifndef RG_SIM_FLOW_H
#define RG_SIM_FLOW_H
#include "runtime/sim/lower/lower.h"
#include "runtime/sim/lower/instruction_schedule.h"

struct sim_flow {
    struct sim_lower *l;
    struct sim_kernel *k;
    int n; /* instructions */
    int nb;
    int *first;    /* block -> first instruction, nb + 1 entries */
    int *block_of; /* instruction -> block */
    int words;     /* of a register set */
    uint64_t *use, *def, *in, *out;
    int *n_defs, *n_uses;
    bool *dead;
    bool *rolled;   /* a block: its loop is not to be unrolled */
    int *unroll;    /* a block: see loop_unroll.c */
    int *region;    /* a block: see predicate.c */
    bool *polls;    /* a block: looks, round after round, at what only others change: see independent.c */
    bool *meets;    /* an instruction: other blocks may notice it, or it notices them */
    bool *equal;    /* a block: ends a loop whose rounds all do the same: see steady_loops.c */
    bool *steers;   /* of a memory instruction: what it reads decides where the kernel goes or what it touches */
    uint64_t *kept; /* registers whose slots no other may share: what the kernel keeps over calls of recursive
                       functions; NULL none */
    int *leader;    /* of a merged shared access: who stands for it; -1 */
};

static inline bool sim_alive_at_entry(const struct sim_flow *f, int reg)
{
    return f->in[reg >> 6] >> (reg & 63) & 1;
}

/* flow.c: makes use, def, in and out; of blocks as they are */
void rg__sim_liveness(struct sim_flow *f);
/* optimise.c; n_defs and n_uses are current before each */
void rg__sim_remove_copies(struct sim_flow *f);
void rg__sim_remove_repeats(struct sim_flow *f);
void rg__sim_remove_dead(struct sim_flow *f);
/* independent.c: makes f->polls and f->meets; slot: of each register */
void rg__sim_mark_independent(struct sim_flow *f, const int32_t *slot);
/* A loop, instructions from to to, that does nothing but wait until it sees what others did. */
bool rg__sim_spins(const struct sim_flow *f, int from, int to);
/* steady_loops.c: makes f->equal; liveness and f->polls are current */
void rg__sim_mark_rounds(struct sim_flow *f);
/* latches.c: makes latch and leaves of the basic blocks; the code is final. Quadratic in the length of a loop. */
void rg__sim_mark_latches(struct sim_kernel *k);
/* An instruction that may change global memory. */
bool rg__sim_writes(int op);
/* control_slice.c: makes f->steers */
void rg__sim_mark_steering(struct sim_flow *f);
/* loop_unroll.c */
void rg__sim_mark_unrolled(struct sim_flow *f, int block);
/* Marks loads of instructions [first, end) and what their addresses need there; false: too much of that. */
bool rg__sim_mark_early(struct sim_flow *f, int first, int end);
/* predicate.c: makes f->region */
void rg__sim_mark_predicated(struct sim_flow *f, int in_flight);
#endif
