/* What a function must do to be worth verifying against: internal to the reference worker. */
#ifndef RG_RUNTIME_REF_GATES_H
#define RG_RUNTIME_REF_GATES_H
#include "runtime/data/layout.h"
#include "runtime/worker/worker.h"

/* Over all expected cases of the message: kernels that do nothing, write zeros or one constant must fail; outputs must
 * depend on inputs. RG_INPUT says which does not hold and what to change; skipped with problem->allow_trivial. */
enum rg_status rg__gates(struct rg_worker *w, const struct rg_msg *in, struct rg_error *err);
/* The reference's output against the user's --expect file; a file of another shape is for another size and is skipped.
 */
enum rg_status rg__gate_expect_file(const struct rg_problem *p, const struct rg_sizes *s, int param,
                                    const struct rg_layout *layout, const unsigned char *base, struct rg_error *err);
/* Does this input change from one input set to the next? */
bool rg__gate_varies(const struct rg_problem *p, int param);
#endif
