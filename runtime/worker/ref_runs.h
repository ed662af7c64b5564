/* Two runs of the user's C on the same inputs (ref_runs.c). */
#ifndef RG_RUNTIME_REF_RUNS_H
#define RG_RUNTIME_REF_RUNS_H
#include "runtime/data/layout.h"
#include "runtime/reference/ref_call.h"

/* The second run's buffers start as RG__OTHER_POISON where the first's start as RG_POISON: what neither wrote is alike.
 */
enum { RG__OTHER_POISON = 0x7B };

bool rg__all_bytes_are(const unsigned char *p, size_t n, int byte);
/* Values that are no finite numbers and that the C writes itself: INFINITY for what no ray hits, NAN for an empty
 * group.
 */
enum { RG__SAYS_INFINITY = 1, RG__SAYS_NAN = 2 };
unsigned rg__runs_says(const struct rg_problem *p);
/* How many reals are numbers: all of them, all but a few of each output (NaN is compared with NaN there, and infinity
 * with infinity), or so few of one that a comparison would say little. */
enum rg__finite { RG__FINITE_ALL, RG__FINITE_MOST, RG__FINITE_FEW };
/* Both against each other (RG_INPUT where they differ) and against NaN and infinity, but for the kinds in `says`:
 * where *finite is not RG__FINITE_ALL, with RG_OK, `what` names the output that is worst and an element of it. */
enum rg_status rg__runs_check(const struct rg_problem *p, const struct rg_layout *l, const char *where,
                              const struct rg_call *a, const struct rg_call *b, unsigned says, enum rg__finite *finite,
                              char *what, size_t size, struct rg_error *err);
/* Integers alike, reals but for how they were rounded: compilers contract operations otherwise on the way through a
 * table's first use than past it. */
bool rg__runs_rounded_alike(const struct rg_problem *p, const struct rg_layout *l, const struct rg_call *a,
                            const struct rg_call *b);
#endif
