/* The tuner inside a node: which vectors of a template's tunables to measure, under an evaluation allowance.
 * A pure state machine: it sees only the results fed to it, so it is deterministic whatever order the evaluator
 * finishes in. Neighbour search from a start vector, several vectors ahead; improvements earn more evaluations. */
#ifndef RG_ENGINE_TUNER_H
#define RG_ENGINE_TUNER_H
#include "engine/params.h"
#include <rg/tunable.h>

enum { RG__TUNER_AHEAD = 4, RG__TUNER_KNOWN = 160 };

struct rg__tuner {
    const struct rg__params *p;  /* the default ones at first */
    const struct rg_tunables *t; /* the template's; outlives the tuner */
    int rank[RG_MAX_TUNABLES];   /* coordinates, most promising first */
    int *order[RG_MAX_TUNABLES]; /* indices of a domain's values, ascending; owned */
    struct rg_vector start, best;
    double best_us, parent_us, reference_us; /* 0: none */
    int n_old;                               /* and that it had */
    int n_new;                               /* tunables that the parent did not have */
    bool wide;                               /* past a local optimum, other values and pairs of moves */
    bool lean;                               /* the start alone, and what it takes to find one that works */
    bool scatter;                            /* one vector of each batch is any that is allowed */
    int spent, allowance, cap;
    bool started, given_up, climbing;
    /* What a move is expected to gain, in ln of the time; NULL: nothing is known. */
    double (*expect)(const void *arg, const char *name, int64_t from, int64_t to);
    const void *expect_arg;
    /* Vectors to try next, most promising first, none of them known; count, 0: nothing is worth it. NULL: moves are
     * tried. */
    int (*propose)(const void *arg, const struct rg__tuner *t, struct rg_vector *out, int max);
    const void *propose_arg;
    int n_recovery; /* vectors tried because the start failed */

    int n_known; /* every vector handed out or fed */
    struct rg_vector known[RG__TUNER_KNOWN];

    /* The batch in flight: moves from `base`. */
    struct rg_vector base;
    double base_us;
    int n_batch, n_fed;
    struct rg_vector batch[RG__TUNER_AHEAD];
    bool better[RG__TUNER_AHEAD];
    int n_given;
    int n_combine; /* the move built from all improving ones, tried first */
    struct rg_vector combine[2];
};

/* start: the first vector, must be allowed (see rg__vector_inherit). inherited: how many leading... bit i set when
 * tunable i came from the parent. parent_us: the parent's best time; reference_us: the time of the best candidate there
 * is; 0 unknown. */
void rg__tuner_init(struct rg__tuner *t, const struct rg_tunables *tunables, const struct rg_vector *start,
                    uint32_t inherited, double parent_us, double reference_us);
void rg__tuner_release(struct rg__tuner *t);
/* Before the first rg__tuner_know: only the start is measured, more only when it fails. */
void rg__tuner_lean(struct rg__tuner *t);
/* Results known before tuning starts (a node measured earlier); costs nothing. */
void rg__tuner_know(struct rg__tuner *t, const struct rg_vector *v, bool ok, double time_us);
/* The next vector to measure; false: none until the ones handed out are fed, or none ever (rg__tuner_done). */
bool rg__tuner_next(struct rg__tuner *t, struct rg_vector *out);
/* Results in the order the vectors were handed out. free: it cost no evaluation (the coder refused the vector). */
void rg__tuner_feed(struct rg__tuner *t, const struct rg_vector *v, bool ok, double time_us, bool free);
bool rg__tuner_done(struct rg__tuner *t);
/* What would be asked for next if all that is in flight came out no better than what is known (the start: as its
 * parent). At most max vectors; changes nothing. */
int rg__tuner_foresee(const struct rg__tuner *t, struct rg_vector *out, int max);

/* The child's start: the parent's values by name; for new tunables what `advise` gives (NULL: nothing), else defaults.
 * What is not allowed together falls back: without advice, then all defaults. *inherited (may be NULL): bit i for each
 * tunable taken over from the parent. parent NULL: none is. */
typedef bool rg__advice(void *arg, const char *name, int64_t *value);
void rg__vector_inherit(const struct rg_tunables *child, const struct rg_tunables *parent,
                        const struct rg_vector *parent_v, rg__advice *advise, void *arg, struct rg_vector *out,
                        uint32_t *inherited);
#endif
