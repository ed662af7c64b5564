/* Forward uncertainty of the user's C at the inputs of one case: how far its own results move when its operations are
 * rounded at random (stochastic arithmetic), without contraction, and when its inputs are half an ulp away. What the C
 * cannot hold, no candidate must. Internal to the reference worker. */
#ifndef RG_RUNTIME_REF_SPREAD_H
#define RG_RUNTIME_REF_SPREAD_H
#include "runtime/reference/ref_call.h"

/* C for the user's compiler, linked with a build that calls __sanitizer_cov_trace_pc at every basic block. It exports
 *     void rg_rounding_begin(unsigned long long seed, unsigned long long most);
 *     unsigned long long rg_rounding_end(int *over);
 *     unsigned long long rg_rounding_rounds(void);
 * Between the two each basic block rounds up or down, drawn from `seed` (0: to nearest), until `most` blocks have run;
 * then to nearest, and *over is set. rg_rounding_end gives the number of blocks, rg_rounding_rounds
 * how often the body of the problem's loop of rounds was begun. */
extern const char rg__rounding_text[];
/* Functions of the library whose results the rounding direction decides, not only how they are rounded; NULL ends. In
 * that build name stands for rg_nearest_name, which rounds to nearest. */
extern const char *const rg__rounding_direction[];

struct rg_spread_of {
    const struct rg_problem *problem;
    const struct rg_sizes *sizes;
    const struct rg_layout *layout;
    unsigned char *base;                 /* the case's range */
    const struct rg_library *c, *oracle; /* oracle: NULL where the case's reals are not its values */
    const struct rg_library *rounded;    /* handle NULL: none */
    const char *where;
    double most_s;    /* for draws of a kind after the least there must be; 0: as stated at rg__spread_measure */
    bool was_rounded; /* set: results rounded at random are in it */
};

/* Fills `spread`, `unsettled` and `moved` of every output. What a case that was not looked at holds:
 * rg__spread_unknown. Runs of a kind (rounded at random where that takes no more than seconds; on nudged inputs) are
 * drawn until 0.3 s are spent on it, one at least. Of a large case without an oracle: 2.5 s; with integers among its
 * outputs: 1 s, or 5 s while rounding has turned none of those; never more than most_s. Errors: as rg__call_run; what
 * the runs before gave stays. */
enum rg_status rg__spread_measure(struct rg_spread_of *s, struct rg_error *err);
/* Basic blocks of the user's C in a run on the case's inputs, by the same build, rounding to nearest; and rounds, 0
 * where the problem does not say where they begin. RG_UNAVAILABLE without one; else as rg__call_run. */
enum rg_status rg__count_steps(const struct rg_spread_of *s, double *steps, double *rounds, struct rg_error *err);
void rg__spread_unknown(const struct rg_problem *p, const struct rg_layout *l, unsigned char *base);
#endif
