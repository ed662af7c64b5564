#include "runtime/compile/compile_check.h"

enum rg_status rg__compile_plan(const char *text, const struct rg_problem *problem, struct rg_plan **out,
                                struct rg_error *err)
{
    enum rg_status s = rg_plan_parse_for(text, problem, out, err);
    if (s != RG_OK) return s;
    int n = (*out)->n_kernels;
    if (n >= 1 && n <= RG_MAX_KERNELS) return RG_OK;
    rg_plan_free(*out);
    *out = NULL;
    return rg_error_set(err, RG_INPUT, n ? "plan: more than %d kernels" : "plan: it launches no kernel",
                        RG_MAX_KERNELS);
}

enum rg_outcome rg__compile_check(struct rg_plan *plan, const struct rg_problem *problem,
                                  const struct rg_kernel_info *kernels, int n, int64_t limit_regs, int64_t limit_shared,
                                  struct rg_error *err)
{
    struct rg_arena a = RG_ARENA_INIT;
    struct rg_kernel_sig *sigs = rg_arena_alloc(&a, (size_t)(n + 1) * sizeof *sigs);
    enum rg_status s = RG_OK;
    for (int i = 0; i < n && s == RG_OK; i++)
        if (kernels[i].lowered) /* else the source does not define it: told where it is launched */
            s = rg_kernel_sig_parse(&a, kernels[i].name, kernels[i].lowered, &sigs[i], err);
    if (s == RG_OK) s = rg_plan_check(plan, problem, sigs, err);
    rg_arena_release(&a);
    if (s != RG_OK) return RG_OUTCOME_PLAN;
    for (int i = 0; i < n; i++) {
        const struct rg_kernel_attributes *k = &kernels[i].attributes;
        if (limit_regs > 0 && k->regs > limit_regs)
            rg_error_set(err, RG_LIMIT, "kernel %s needs %d registers, the limit is %lld", kernels[i].name, k->regs,
                         (long long)limit_regs);
        else if (limit_shared > 0 && k->shared_bytes > limit_shared)
            rg_error_set(err, RG_LIMIT, "kernel %s needs %lld bytes of shared memory, the limit is %lld",
                         kernels[i].name, (long long)k->shared_bytes, (long long)limit_shared);
        else
            continue;
        return RG_OUTCOME_UNSUPPORTED;
    }
    return RG_OUTCOME_OK;
}
