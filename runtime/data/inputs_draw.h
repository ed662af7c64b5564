/* The generators behind runtime/data/inputs.h. */
#ifndef RG_RUNTIME_INPUTS_DRAW_H
#define RG_RUNTIME_INPUTS_DRAW_H
#include <rg/problem.h>
#include <stdint.h>

struct rg_draw {
    enum rg_input_kind kind; /* never FILE or INIT */
    uint64_t key;
    int style; /* DEFAULT reals */
    bool positive;
    double a, b, c;     /* the arguments */
    int64_t ia, ib, ic; /* the same as integers, where they are */
    bool integers;      /* ia.. are exact */
    int64_t n;          /* elements altogether */
    int n_choices;      /* of CHOICE: all arguments */
    double choice[RG_INPUT_ARGS];
    int64_t whole[RG_INPUT_ARGS]; /* the same as integers */
};

/* Elements from .. from+n-1. */
void rg__draw_reals(const struct rg_draw *d, int64_t from, int n, double *out);
void rg__draw_ints(const struct rg_draw *d, int64_t from, int n, int64_t *out);
/* [0,1) */
double rg__draw_unit(uint64_t key, uint64_t index);
#endif
