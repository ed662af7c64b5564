/* One program being timed on a real device, sample by sample. Internal to run_time.c, timer.c and timer_places.c. */
#ifndef RG_RUNTIME_TIMER_H
#define RG_RUNTIME_TIMER_H
#include "runtime/measure/runner.h"

enum {
    RG_TIMER_SAMPLES = 60,
    RG_TIMER_BATCH = 10, /* samples behind one held stream */
    RG_TIMER_PLACES = 3,
    RG_TIMER_GRAPH = 8, /* launches from which a graph pays */
};
/* Seconds of a run from which on its noise is small beside it and every further run is dear; and from which on what a
 * cache holds at its start no longer matters. */
static const double RG_TIMER_DEAR_S = 0.5, RG_TIMER_SLOW_S = 0.05;

/* A fresh module of the program somewhere in the device's memory, and graphs of it: none, one for all sets, or one for
 * each. */
struct rg_place {
    struct rg_module *module;
    int n_graphs;
    void *graphs[RG_TIMED_SETS];
};

struct rg_timer {
    struct rg_exec x;
    struct rg_loaded *l;
    int n_sets, all_sets; /* that it has been checked on; that there are for it */
    bool every_set;
    enum rg_status (*check)(struct rg_timer *t, struct rg_runner *r, int set, void *arg, struct rg_error *err);
    void *check_arg;
    struct rg_resident *sets[RG_TIMED_SETS];
    int n_places; /* samples take them in turn; 0: the module that was checked */
    struct rg_place places[RG_TIMER_PLACES];
    int turn, only;                 /* of the next sample; only: -1, or the place to stay at */
    uint64_t hashes[RG_TIMED_SETS]; /* of this program's outputs on each set, as they were checked in full */
    int last;                       /* the set whose outputs are in the buffers */
    bool surprised;                 /* a sample's outputs were not those of the checked run on its set */
    bool varies;                    /* they differ from run to run, and are right all the same */
    int operations;                 /* queued by one sample */
    bool hopeless;                  /* long, and several times what the best so far takes: one sample says so */
    bool behind;                    /* a first look has shown that it is not to be the best: nothing else was taken */
    double run_s;                   /* a run took, by the host's clock */
    int n;
    double us[RG_TIMER_SAMPLES];
    signed char at[RG_TIMER_SAMPLES]; /* place of each */
    double hz[RG_TIMER_SAMPLES];      /* the multiprocessors' clock around each sample; 0 unknown */
    int discarded;                    /* samples that were taken at a low clock and thrown away */
    bool throttled;                   /* some such were kept: the clock does not come up again */
};

enum { RG_TIMER_DISCARDS = 40 }; /* samples of one program, at most */

/* Throws away the samples whose clock is below a bound of the highest that this worker has seen; true: some went, and
 * it may take the clock a moment to come up. Of a and b (NULL: alone) the same ones. may: there is time to take others
 * instead; else they stay and are marked. */
bool rg__timer_sift(struct rg_runner *r, struct rg_timer *a, struct rg_timer *b, bool may);

/* Median of n <= RG_TIMER_SAMPLES, and the half-width of its 95 % interval from the median absolute deviation (half may
 * be NULL). */
double rg__timer_median(const double *v, int n, double *half);
/* First run on every set - where there is a best time to be compared with, on the first alone -, unmeasured: allocates
 * scratch, counts launches, checks guards and inputs, takes the outputs' hashes. A program whose run takes
 * RG_TIMER_DEAR_S gets one set unless every_set: what later ones are compared with must be there for all. check (may be
 * NULL) sees the outputs of each set while they are there. Faults in t->x.fault with RG_OK. Release in any case. */
enum rg_status rg__timer_start(struct rg_timer *t, struct rg_runner *r, struct rg_loaded *l,
                               struct rg_resident *const *sets, int n_sets, bool every_set,
                               enum rg_status (*check)(struct rg_timer *t, struct rg_runner *r, int set, void *arg,
                                                       struct rg_error *err),
                               void *arg, struct rg_error *err);
/* The same on the first n of the sets, as far as it was not run there yet. */
enum rg_status rg__timer_sets(struct rg_timer *t, struct rg_runner *r, int n, struct rg_error *err);
/* Clocks of the samples that were kept, as counters: docs/worker.md. */
void rg__timer_clocks(struct rg_runner *r, const struct rg_timer *t, struct rg_msg *reply);
/* `batch` samples, on input sets in an order that the program cannot foresee; alternating between a and b where b is
 * given. Each sample: inputs restored, outputs and scratch poisoned, L2 flushed by reading, mark, plan, mark, outputs
 * hashed. */
enum rg_status rg__timer_sample(struct rg_runner *r, struct rg_timer *a, struct rg_timer *b, int batch,
                                struct rg_error *err);
/* Samples that fit behind a held stream, for `pairs` programs. */
int rg__timer_batch(const struct rg_runner *r, const struct rg_timer *t, int pairs);
/* A run on one set, inputs restored and L2 flushed, waited for, its outputs left in the buffers. */
enum rg_status rg__timer_run(struct rg_runner *r, struct rg_timer *t, int set, struct rg_error *err);
/* --- timer_places.c --- */
/* From now on samples are taken in up to `most` places by turns; fewer where graphs are so large that making them would
 * take seconds, or memory is short; none: samples stay in the module that was checked. */
enum rg_status rg__timer_places(struct rg_runner *r, struct rg_timer *t, int most, struct rg_error *err);
bool rg__timer_same_scalars(const struct rg_timer *t); /* on all sets that it has been checked on */
/* Another module in this place, which keeps its number. */
enum rg_status rg__timer_renew(struct rg_runner *r, struct rg_timer *t, int place, struct rg_error *err);
/* All but the first `keep`. */
void rg__timer_leave(struct rg_runner *r, struct rg_timer *t, int keep);
/* The time by the samples, of which there is one at least: their median where no place differs from another by more
 * than 1 % and its noise; else that of the fastest places. half: as of the median; 1 % where one sample of several is
 * left. spread (may be NULL): how much longer it takes in the slowest place, 0: none differs. */
double rg__timer_time(const struct rg_timer *t, double *half, double *spread);
void rg__timer_release(struct rg_runner *r, struct rg_timer *t);
#endif
