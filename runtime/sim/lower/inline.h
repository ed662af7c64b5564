/* Calls unfolded: an entry and everything it calls as one list of instructions with registers and labels of its own.
 * What calls itself cannot be: each such function stands behind the entry once, with what it calls unfolded in it, and
 * is called (calls.h). */
#ifndef RG_SIM_INLINE_H
#define RG_SIM_INLINE_H
#include "runtime/sim/ptx/ptx.h"

struct sim_bound {
    const struct ptx_var *formal, *actual;
};
struct sim_call_site {
    int body, n_args, n_rets;
    const struct sim_bound *bound; /* arguments, then results */
};
struct sim_body {
    const struct ptx_func *f;
    int label, first; /* instruction */
};

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
    int n_bodies, cap_bodies;
    struct sim_body *bodies; /* of recursive functions, in the order they stand */
    int n_calls, cap_calls;
    struct sim_call_site *calls;
    char why[256]; /* set: cannot run (indirect or unknown call) */
};

/* RG_INPUT: malformed call. When it cannot be unfolded `why` says so and the status is RG_OK. */
enum rg_status rg__sim_inline(const struct ptx_module *m, const struct ptx_func *entry, struct sim_flat *out,
                              struct rg_error *err);
void rg__sim_flat_release(struct sim_flat *f);
#endif
