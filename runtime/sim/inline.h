/* Calls unfolded: an entry and everything it calls as one list of instructions with registers and labels of its own. */
#ifndef RG_SIM_INLINE_H
#define RG_SIM_INLINE_H
#include "runtime/sim/ptx.h"

struct sim_flat {
    struct rg_arena arena;
    int n, cap;
    struct ptx_inst *insts;
    int n_regs, cap_regs;
    unsigned char *reg_types;
    int n_labels, cap_labels;
    int *labels;
    int n_vars, cap_vars;
    struct ptx_var **vars; /* local, shared and call-parameter variables of every function taken in */
    char why[256];         /* set: cannot run (recursion, indirect or unknown call) */
};

/* RG_INPUT: malformed call. When it cannot be unfolded `why` says so and the status is RG_OK. */
enum rg_status rg__sim_inline(const struct ptx_module *m, const struct ptx_func *entry, struct sim_flat *out,
                              struct rg_error *err);
void rg__sim_flat_release(struct sim_flat *f);
#endif
