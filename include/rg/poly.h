/* The built-in coder: loop tree to isl, steps as changes of loops and kernels, each legal by dependence analysis. */
#ifndef RG_POLY_H
#define RG_POLY_H
#include <rg/coder.h>
#include <rg/ctree.h>
#include <rg/decls.h>
#include <rg/problem.h>

RG_BEGIN_DECLS

/* Both must outlive the coder. RG_INPUT when nothing of the function can be analysed (text says why, file:line). */
enum rg_status rg_poly_new(const struct rg_problem *p, const struct rg_ctree *t, struct rg_coder *out,
                           struct rg_error *err);
/* When analysis ends, for the whole process: once *stop is set (NULL: never), or after so many CPU seconds of isl (0:
 * any). What is not known by then counts as dependent, so that everything under way ends soon; what was found stays.
 * Places that a step has not been tried at by `until` (by rg_now(); 0: any time), or once *stop is set, are not listed.
 */
void rg_poly_bound(const volatile int *stop, double isl_s, double until);
/* Is this, the `poly` word of a step, one that the built-in coder can do? */
bool rg_poly_knows(const char *word);
/* The bit of rg_ctree.without of the step with this `poly` word, where it is one that is taken before any action; 0. */
unsigned rg_poly_first_bit(const char *word);
/* At which loops it took which of these, the front end's first, in their order. The coder's. */
const struct rg_prepared *rg_poly_prepared(const struct rg_coder *c, int *n);
/* Which loops are parallel and what the others carry, in the C's own names, a line each, inner ones indented. */
void rg_poly_loop_facts(const struct rg_coder *c, struct rg_buf *out);
/* Has the C what the step is for, as it stands or once each loop that may has threads? False where no place there has
 * the form, whoever writes the code; true where a place has it and only the step is refused there, and of steps that
 * the built-in coder doesn't know. *traits: of the places where it can be taken. */
bool rg_poly_has_form(const struct rg_coder *c, const struct rg_step *step, uint32_t *traits);
/* For --explain: dependences, which loops are parallel, every legal action, every refusal with its reason.
 * steps: the regraph's. */
void rg_poly_explain(const struct rg_coder *c, const struct rg_step *const *steps, int n_steps, struct rg_buf *out);
/* For --explain=kernel: the kernels of a template of this coder's, its tunables at their starts, as pseudo-code; of
 * those that are not in kernel IR, that they are not. */
enum rg_status rg_poly_explain_kernels(const struct rg_template *t, struct rg_buf *out, struct rg_error *err);
RG_END_DECLS
#endif
