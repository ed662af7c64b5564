/* Values of tunables ranked by draft costs (rg_template_draft), corrected by what this run measured. */
#ifndef RG_ENGINE_DRAFTED_H
#define RG_ENGINE_DRAFTED_H
#include "engine/tuner.h"

struct rg__process;
struct rg__search;
struct rg__action;
struct rg_template;

enum { RG__FEATURES = 24 /* tunables by name that a run knows apart */ };

/* A measured vector: its time and its draft cost. Kept by commit, so that an action sees what it may know. */
struct rg__observed {
    uint32_t stamp, node;
    float at[RG__FEATURES]; /* logarithms of values by name; -1: it has no such tunable */
    double ln_us, ln_draft;
};

/* Draft costs of a template's vectors: all that are allowed, or the cheapest around its defaults where these are too
 * many. */
struct rg__drafted {
    uint64_t key_hash;
    const char *key;
    bool whole; /* all that are allowed */
    int most, n, cheapest;
    uint8_t (*at)[RG_MAX_TUNABLES]; /* indices of values */
    float *ln_us;
    int n_slots, *slots; /* index of `at` */
};

/* Of an action's shots from that one on, at its commit. */
void rg__drafted_note(struct rg__search *s, const struct rg__action *a, uint32_t node);
/* Of a template; NULL: unknown. Lives as long as the search, until the next one is asked for. */
const struct rg__drafted *rg__drafted_list(struct rg__search *s, const struct rg_template *t);
/* The same of a few vectors, for the cheapest of them. */
const struct rg__drafted *rg__drafted_glance(struct rg__search *s, const struct rg_template *t);
/* What the run knows of how far draft costs are off, by all that is committed; caller frees. */
struct rg__process *rg__drafted_process(struct rg__search *s);
/* A vector of its tunables (indices of values) as the process takes it. */
void rg__drafted_features(struct rg__search *s, const struct rg_template *t, const uint8_t *at,
                          float out[RG__FEATURES]);
/* Expected gain of a normal guess over the best. */
double rg__improvement(double best, double mean, double spread);
/* Is the template's cost known? */
bool rg__drafted_known(struct rg__search *s, const struct rg_template *t);
/* Where to start: `start`, or what promises to be clearly faster. */
void rg__drafted_start(struct rg__search *s, const struct rg__action *a, struct rg_vector *start);
/* For rg__tuner.propose; arg: the action. Unknown vectors, most promising first; none where nothing promises anything.
 */
int rg__drafted_propose(const void *arg, const struct rg__tuner *t, struct rg_vector *out, int max);
void rg__drafted_release(struct rg__search *s);
#endif
