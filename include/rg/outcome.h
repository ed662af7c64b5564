/* What the evaluator says of a candidate. Data, never a program error. "ok", "pruned" and "refused" are no failures;
 * "pruned" says nothing of the step: what comes after it may be the best. "refused": there is none to measure. */
#ifndef RG_OUTCOME_H
#define RG_OUTCOME_H
#include <rg/decls.h>
#include <rg/words.h>
#include <stdbool.h>
#include <stdint.h>

RG_BEGIN_DECLS

#define RG_OUTCOME_MAP(X)                                                                                              \
    X(OK, "ok", "verified and timed")                                                                                  \
    X(COMPILE, "compile", "does not compile")                                                                          \
    X(PLAN, "plan", "its plan is malformed or does not fit")                                                           \
    X(WRONG, "wrong", "computes something else")                                                                       \
    X(RACE, "race", "threads race")                                                                                    \
    X(BOUNDS, "bounds", "touches memory out of bounds")                                                                \
    X(TIMEOUT, "timeout", "did not end in time")                                                                       \
    X(CRASH, "crash", "trapped or killed its worker")                                                                  \
    X(UNSUPPORTED, "unsupported", "needs what this device lacks")                                                      \
    X(SUSPECT, "suspect", "faster than physics allows")                                                                \
    X(PRUNED, "pruned", "verified, not timed: estimated to be far slower than the best")                               \
    X(REFUSED, "refused", "its coder declined the step: there is no candidate")

enum rg_outcome {
#define X(name, word, text) RG_OUTCOME_##name,
    RG_OUTCOME_MAP(X)
#undef X
        RG_N_OUTCOMES
};

const char *rg_outcome_word(enum rg_outcome o);
int rg_outcome_parse(const char *word); /* -1 unknown */

enum { RG_MAX_COUNTERS = 56 };
struct rg_counter { /* "regs", "spill_bytes", "shared_bytes", "occupancy", "dram_bytes", ...: docs/worker.md lists them
                     */
    char name[32];
    double value;
};

struct rg_evaluation {
    enum rg_outcome outcome;
    char message[1024];          /* one short error, for people and coders; "" when ok */
    double time_us;              /* median kernel time of the plan at the timed size; 0 unless ok */
    double noise_us;             /* half-width of its interval */
    double total_us;             /* with transfers; < 0 unknown */
    bool estimated;              /* by a timing model, not measured */
    double max_error, rms_error; /* worst over the verify cases, in units of the reference; NaN when not compared */
    char kernel[96];             /* the one that takes the most time; "" unknown */
    double threads;              /* most threads of any of its launches at the timed size */
    enum rg_limiter limiter;
    char ptx_hash[65]; /* of its normalised PTX: equal PTX, equal kernel */
    int n_counters;
    struct rg_counter counters[RG_MAX_COUNTERS];
    double compile_s, verify_s, time_s; /* host seconds spent */
    bool compiled_before;               /* its program came from the cache on disk */
};

#define RG_COUNTER_SHARE "share_"              /* a kernel's name follows: its share of the time */
bool rg_counter_of_hardware(const char *name); /* "hw_..." */
double rg_evaluation_counter(const struct rg_evaluation *e, const char *name); /* NaN when missing */
RG_END_DECLS
#endif
