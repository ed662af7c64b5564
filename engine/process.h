/* A Gaussian process over ln(time / draft cost), of vectors that this run measured: how far a draft is off at a vector
 * nobody measured. Vectors of one node are off together; values near one another are off alike, also at other nodes,
 * and jointly: no value is good or bad by itself. Rasmussen and Williams, Gaussian Processes for Machine Learning,
 * ch. 2. */
#ifndef RG_ENGINE_PROCESS_H
#define RG_ENGINE_PROCESS_H
#include "engine/drafted.h"
#include "engine/params.h"

enum { RG__SEEN_MOST = 96 /* measured vectors that are looked at */ };

struct rg__point {
    uint32_t node;
    float at[RG__FEATURES]; /* as in rg__observed */
    double ln_us, ln_draft;
};

/* Begin, add what was seen, then fit; what is added later joins by another fit, with the beliefs of the first. */
struct rg__process {
    const struct rg__params *p;
    double matters[RG__FEATURES]; /* by tunable: how much a doubling changes what drafts are off by, 1 as expected */
    int n, n_solved;
    int n_features; /* tunables known by name */
    struct rg__point seen[RG__SEEN_MOST];
    double lower[RG__SEEN_MOST][RG__SEEN_MOST], z[RG__SEEN_MOST], weight[RG__SEEN_MOST];
    double squares; /* of z */
    double mean;    /* of residuals: a device may be faster or slower throughout */
    double slope;   /* how far times follow draft costs: 1 where these are right, 0 where they say nothing */
    double scale;   /* of all spreads, as the residuals show it: where drafts are good, little is left to hope for */
};

void rg__process_init(struct rg__process *g, const struct rg__params *p, int n_features);
/* Nothing happens where it is full. */
void rg__process_add(struct rg__process *g, uint32_t node, const float *at, double ln_us, double ln_draft);
/* Cost O(n^2) a new point. */
void rg__process_fit(struct rg__process *g);
/* Expected ln us. Cost O(n). */
double rg__process_mean(const struct rg__process *g, const struct rg__point *x);

/* The spread at a point, as far as it is worked out: asked for again after a fit, it costs O(n) a new point. Begins
 * with n 0. */
struct rg__spread {
    int n;
    double left, v[RG__SEEN_MOST];
};
double rg__process_spread(const struct rg__process *g, const struct rg__point *x, struct rg__spread *known);

/* Means of many vectors of one template: what each value of a tunable makes of the likeness to every point seen is
 * worked out once, and products are shared by vectors that agree in their last tunables. Borrows g, as it is now. */
struct rg__profile;
/* feature: by tunable, RG__FEATURES and more: none. Caller frees. */
struct rg__profile *rg__profile_new(const struct rg__process *g, uint32_t node, const struct rg_tunables *t,
                                    const int *feature);
/* at: indices of values. Cost O(n * tunables up to the last that differs from the call before). */
double rg__profile_mean(struct rg__profile *f, const uint8_t *at, double ln_draft);
void rg__profile_free(struct rg__profile *f);

float rg__feature(int64_t value);     /* its logarithm */
extern const float rg__feature_lacks; /* in its place, of a tunable that a candidate has not */
#endif
