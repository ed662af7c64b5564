/* What is asked of compiled kernels apart from compiling: that the plan fits them and that they keep within the limits.
 * The compile worker asks it of what it has just compiled, the supervisor of what it finds in the cache: the same
 * function, so the same words. Internal. */
#ifndef RG_RUNTIME_COMPILE_CHECK_H
#define RG_RUNTIME_COMPILE_CHECK_H
#include "runtime/protocol/protocol.h"
#include <rg/plan.h>

/* Parses a plan that launches 1 to RG_MAX_KERNELS kernels. RG_INPUT: the outcome is PLAN, the text says why; with a
 * problem (else NULL), also of what names nothing there. */
enum rg_status rg__compile_plan(const char *text, const struct rg_problem *problem, struct rg_plan **out,
                                struct rg_error *err);
/* OK, PLAN or UNSUPPORTED; err says why, with the place in front. kernels are parallel to the plan's. Limits: 0 none.
 */
enum rg_outcome rg__compile_check(struct rg_plan *plan, const struct rg_problem *problem,
                                  const struct rg_kernel_info *kernels, int n, int64_t limit_regs, int64_t limit_shared,
                                  struct rg_error *err);
#endif
