/* The evaluator compiles, verifies and times candidates. The engine knows nothing else of it; tests drive it with
 * fakes. One thread; results come in any order. */
#ifndef RG_EVALUATOR_H
#define RG_EVALUATOR_H
#include <rg/candidate.h>
#include <rg/decls.h>
#include <rg/outcome.h>

RG_BEGIN_DECLS

enum rg_eval_purpose {
    RG_EVAL_FULL,  /* compile, verify at every verify size, time */
    RG_EVAL_AGAIN, /* the same, fresh inputs and a fresh module: a new best is measured again before it is believed */
    RG_EVAL_LAST,  /* as AGAIN, of what the search ends with: what nobody has looked at for races and stray accesses is
                      looked at */
    RG_EVAL_SURE,  /* as FULL, but measured whatever an estimate says: naive, and what somebody asked for by name */
};

struct rg_eval_result {
    int id;
    struct rg_evaluation e;
};

struct rg_duel {
    double ratio;      /* t_a / t_b: > 1, b is faster */
    bool significant;  /* the intervals are apart, however little */
    double a_us, b_us; /* of the same paired runs; 0 unknown */
};

struct rg_evaluator {
    void *self;
    const char *device; /* "cuda:0", "sim:h200" */
    const char *arch;   /* "sm_90": evidence is keyed by it; simulated devices by "sim:h200" */
    bool estimated;
    /* `src` is copied. */
    enum rg_status (*submit)(void *self, int id, const struct rg_source *src, enum rg_eval_purpose purpose,
                             struct rg_error *err);
    enum rg_status (*poll)(void *self, double seconds, struct rg_eval_result *out, bool *got, struct rg_error *err);
    /* New best `b` against the old best `a`: paired, interleaved runs. Synchronous. On a simulated device the model's
     * two estimates. Where they could not be held (a worker died of them), ratio is 1 and nothing significant. */
    enum rg_status (*duel)(void *self, const struct rg_source *a, const struct rg_source *b, struct rg_duel *out,
                           struct rg_error *err);
    /* A hint, may be NULL: `src` is likely to be submitted soon. What can be done ahead without a measurement
     * (compiling) may be done when nobody waits; no result depends on it. `src` is copied. */
    void (*foresee)(void *self, const struct rg_source *src);
    void (*cancel)(void *self, int id);
    void (*free)(void *self);
    /* May be NULL. The device's own counters of `src`, which was ok: into out, of RG_MAX_COUNTERS; *n 0 where they
     * cannot be had. Names begin with "hw_". Synchronous; up to a minute. RG_NOMEM alone is an error. */
    enum rg_status (*profile)(void *self, const struct rg_source *src, struct rg_counter *out, int *n,
                              struct rg_error *err);
    /* May be NULL. Waits until everything is there that candidates are compared with; until then more may come up
     * beside the search. */
    void (*settle)(void *self, double until /* by rg_now() */);
    /* May be NULL. True: `src` was ok, but not in all that candidates are compared with by now: it is to be believed
     * only when it is again. */
    bool (*doubts)(void *self, const struct rg_source *src);
    /* May be NULL. True: `src` was ok, but nobody has looked for races and stray accesses; RG_EVAL_LAST would. */
    bool (*unlooked)(void *self, const struct rg_source *src);
    /* May be NULL. Asked for in full (RG_EVAL_FULL), what proves to take more than `times` the best time may be
     * measured by few samples; 0: no less exactly than the best. What is expected to take more than `behind` times as
     * long comes behind all others; 0: nothing does. */
    void (*contend)(void *self, double times, double behind);
    /* May be NULL. What evaluation `id`, which is submitted next, is expected to take, us. It orders what waits, and
     * nothing else. */
    void (*expect)(void *self, int id, double us);
};
RG_END_DECLS
#endif
