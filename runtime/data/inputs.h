/* Inputs: every element is a function of (seed, parameter, element) and of nothing else, so any part of an array can
 * be made anywhere, by any number of threads. */
#ifndef RG_RUNTIME_INPUTS_H
#define RG_RUNTIME_INPUTS_H
#include <rg/problem.h>

/* How real inputs without a stated distribution are drawn, by `seed` modulo RG_N_STYLES:
 * 0 uniform in [-1,1)   1 normal(0,1)   2 uniform in [0,1)   3 mixed signs, magnitudes up to 100   4 five values,
 * repeated With `positive` the same in magnitude, bounded away from 0. */
enum { RG_N_STYLES = 5 };

struct rg_fill {
    const struct rg_problem *problem;
    const struct rg_sizes *sizes;
    uint64_t base; /* the run's seed */
    int seed;      /* of the case: 0, 1, ... */
    bool positive;
    bool plain; /* style 0 whatever the seed */
};

/* Fills parameter `param` (array: `elements` of it; scalar: its value in its own type) at `to`.
 * FILE inputs are read; RG_INPUT when the file's type or shape does not fit. INIT inputs are filled as DEFAULT: the
 * init function comes after. Cost O(elements), threads for large arrays. */
enum rg_status rg__input_fill(const struct rg_fill *f, int param, int64_t elements, void *to, struct rg_error *err);

/* Does a .npy file have the parameter's shape at these sizes? RG_INPUT when it is no such file or of another type. */
enum rg_status rg__npy_fits(const char *path, const struct rg_problem *p, int param, const struct rg_sizes *s,
                            bool *fits, struct rg_error *err);
/* The file's elements into `to` (NULL: only the check); RG_INPUT says both shapes when they differ. */
enum rg_status rg__input_load(const char *path, const struct rg_problem *p, int param, const struct rg_sizes *s,
                              void *to, struct rg_error *err);
/* Real parts times (1 + u), |u| <= by: how init-filled inputs vary by seed. */
void rg__input_perturb(const struct rg_fill *f, int param, int64_t elements, double by, void *to);
#endif
