/* One launch, whole or sampled. */
#ifndef RG_SIM_LAUNCH_H
#define RG_SIM_LAUNCH_H
#include "runtime/sim/exec/exec.h"
#include "runtime/sim/model/model.h"

/* Blocks of a kernel that fit on a multiprocessor at once; 0: none. */
int rg__sim_resident(const struct sim_model *m, const struct sim_kernel *k, int threads, int64_t shared_bytes);

/* Checks the launch against the device and fills run: everything but memory, fault, budget. A launch the device would
 * refuse sets *fault. */
enum rg_status rg__sim_prepare(struct sim_run *run, const struct sim_model *m, const struct sim_kernel *k,
                               const struct rg_launch *l, struct rg_error *err);
void rg__sim_finish(struct sim_run *run);

/* block_profile.c: while a block is watched, run->estimating says whether it still is, and exec changes from round to
 * round. */
void rg__sim_watch_begin(struct sim_run *run, struct sim_block *b, const struct sim_choice *c);
sim_exec_fn rg__sim_watch_exec(struct sim_run *run, const struct sim_block *b);
void rg__sim_watch_end(struct sim_run *run, struct sim_block *b);

/* Every block, in order; blocks that wait for others are interleaved with them. run->choices are watched. */
enum rg_status rg__sim_run_all(struct sim_run *run, struct rg_error *err);

/* block_parallel.c: every block of an independent kernel, on up to run->workers threads; what comes out does not depend
 * on how many. */
enum rg_status rg__sim_run_apart(struct sim_run *run, struct rg_error *err);
/* Threads a new device uses: RG_SIM_THREADS, else the processors this process may run on. */
int rg__sim_workers(void);
#endif
