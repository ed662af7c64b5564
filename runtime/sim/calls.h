/* Calls that stay calls: of functions that call themselves, by way of others or not. Everything else is unfolded
 * (inline.h), and a kernel without such functions has nothing of this.
 *
 * Code. The body of a recursive function stands once, behind the kernel's own code, with what it calls unfolded in it.
 * A call is SAVE, arguments into the callee's registers, CALL; [the callee, RET]; results out of its registers,
 * RESTORE. Activation. A thread's stack lies in its local memory above the kernel's own local variables and grows
 * upward; the register sp, a value a lane, is where its activation begins: sp + 0    room for the return address, as on
 * the device; it is kept apart (sim_warp.returns), where no stray store reaches it sp + 8    local arrays of the
 * function and what is unfolded in it; parameters that are passed in memory
 *   ...       registers saved around the calls it makes
 * Addresses of locals are sp + offset, hence valid and distinct for each activation, and may be passed down. sp grows
 * by the caller's frame, which is known when slots are given (frames.c). Registers. All virtual registers have slots in
 * the one frame of the warp (sim.h), so a deeper activation uses those of its callers: what is alive behind a call is
 * saved by SAVE and comes back by RESTORE, a lane at a time, because lanes differ in depth. The kernel itself is
 * activated once: what it keeps over a call keeps its slot to itself instead, so that estimates can read its loop
 * counters (loop_progress.c). Parameters and results go by register for each part (offset, bytes) as long as all who
 * touch them agree on the parts; otherwise (an aggregate stored by bytes and loaded by words, one whose address is
 * taken) they lie in the frames and PASS copies bytes. Divergence. Splits carry their depth and the deepest goes first,
 * then the lowest pc: lanes that return wait for those that went deeper, as they do on the device; RET splits by where
 * lanes return to. Depth only orders: a lane's own place is its sp. The stack ends at rg_device_stack
 * (runtime/device.h); a call that finds no room is RG_OUTCOME_CRASH, in estimates (which may run on data with gaps) it
 * is left out. Storage is virtual memory: what no lane reaches costs nothing. Checks: a frame's bytes count as not
 * written again once it is left; accesses above the lane's innermost frame are out of bounds; what is saved keeps
 * whether it was defined. */
#ifndef RG_SIM_CALLS_H
#define RG_SIM_CALLS_H
#include "runtime/sim/exec/exec.h"
#include "runtime/sim/lower/flow.h"

enum { SIM_RETURN_BYTES = 8 };

/* lower_call.c. prepare: before lowering; how parameters of the calls are passed. */
void rg__sim_calls_prepare(struct sim_lower *l);
void rg__sim_calls_release(struct sim_lower *l);
/* A parameter of such a call that lies in memory. */
bool rg__sim_passed_in_memory(const struct sim_lower *l, const struct ptx_var *v);
enum rg_status rg__sim_lower_call(struct sim_lower *l);
enum rg_status rg__sim_lower_return(struct sim_lower *l);

/* frames.c: what each call saves, and how large frames are. Liveness is current. */
void rg__sim_frames(struct sim_flow *f);

/* stack.c. enter: lanes that have no room; sp is the callee's for all of them. */
uint32_t rg__sim_stack_enter(const struct sim_run *run, struct sim_warp *w, const struct sim_inst *in, uint32_t mask);
void rg__sim_stack_save(struct sim_run *run, struct sim_warp *w, const struct sim_inst *in, uint32_t mask);
void rg__sim_stack_restore(struct sim_run *run, struct sim_block *b, struct sim_warp *w, const struct sim_inst *in,
                           uint32_t mask);
void rg__sim_stack_pass(struct sim_run *run, struct sim_block *b, struct sim_warp *w, const struct sim_inst *in,
                        uint32_t mask);
void rg__sim_stack_fault(struct sim_run *run, const struct sim_block *b, const struct sim_warp *w,
                         const struct sim_inst *in, int lane, int depth);
/* Where lane i goes on when it returns; frames are multiples of 16 bytes. */
static inline int32_t *rg__sim_return_of(const struct sim_warp *w, uint32_t sp, int i)
{
    return &w->returns[(size_t)(sp / 16) * 32 + (size_t)i];
}
static inline int rg__sim_stack_return(const struct sim_warp *w, int32_t sp, int i)
{
    return *rg__sim_return_of(w, sim_u32(w, sp)[i], i);
}
/* First byte of local memory above what the lane at `in` has in use. */
uint64_t rg__sim_stack_in_use(const struct sim_run *run, const struct sim_warp *w, const struct sim_inst *in, int lane);

/* check_undefined.c: what SAVE and RESTORE do to what is known of values */
void rg__sim_track_saved(struct sim_run *run, struct sim_block *b, struct sim_warp *w, const struct sim_inst *in,
                         uint32_t mask);
#endif
