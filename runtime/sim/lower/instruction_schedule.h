/* The order ptxas would choose, roughly: within a basic block loads move up as far as dependences and registers allow.
 * Estimates depend on it - how many loads are under way at once decides what latency costs; results do not. */
#ifndef RG_SIM_INSTRUCTION_SCHEDULE_H
#define RG_SIM_INSTRUCTION_SCHEDULE_H
#include "runtime/sim/sim.h"

/* Reorders code[from..to), registers still virtual; dead instructions are skipped and stay where they are. in_flight:
 * loaded registers that may be waited for at once. Cost O(n log n + dependences). */
void rg__sim_schedule(struct sim_kernel *k, int from, int to, const bool *dead, int n_regs, int in_flight);

/* Shared accesses with one base and neighbouring offsets that ptxas makes one 8- or 16-byte access: sets I->group of
 * the first to their number and leader[i] of the others to the first's index (-1 elsewhere). */
void rg__sim_merge_shared(struct sim_kernel *k, int from, int to, const bool *dead, int *leader);

/* Every register operand of an instruction; fn may change it. */
typedef void (*sim_visit_fn)(void *arg, int32_t *operand, bool is_def);
void rg__sim_visit(struct sim_kernel *k, struct sim_inst *in, sim_visit_fn fn, void *arg);
#endif
