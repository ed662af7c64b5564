/* Lengths of rows in the subscripts of flat arrays (delinearisation.c). */
#ifndef RG_FRONTEND_ROW_STRIDES_H
#define RG_FRONTEND_ROW_STRIDES_H
#include "ir/range.h"

enum { RG__MAX_SHIFTS = 3 };

/* Rows of n + 2 elements (a rim, a border of zeros, w = m + 1), or of n + m - 1 (what was before a block, and the
 * block): while rows are looked for, the symbol of n stands for the sum as a whole, which makes strides products of
 * symbols again. Facts, proofs and what is written into the tree have n itself. */
struct rg__shifts {
    int n;
    struct rg__shift {
        int var;
        struct rg__poly by; /* over parameters, with the symbols of the shifts before it, and never with var */
    } items[RG__MAX_SHIFTS];
};

struct rg__stride { /* c * product of parameters */
    int64_t c;
    int degree, var[RG__MAX_DEGREE];
};

/* p with the shifted symbols for the parameters, and the parameters again. */
struct rg__poly rg__shifted(const struct rg__shifts *s, const struct rg__poly *p);
struct rg__poly rg__unshifted(const struct rg__shifts *s, const struct rg__poly *p);
bool rg__stride_param(const struct rg_ctree *t, int v); /* a parameter that keeps its value */
/* The parameters of a term; true when something else multiplies them. */
bool rg__stride_part(const struct rg_ctree *t, const struct rg__term *m, struct rg__stride *s);
/* a / b when b divides a. */
bool rg__stride_over(const struct rg__stride *a, const struct rg__stride *b, struct rg__stride *q);
struct rg__poly rg__stride_poly(const struct rg__stride *s);
/* p = quotient * stride + rest, term by term. */
void rg__poly_over(const struct rg_ctree *t, const struct rg__poly *p, const struct rg__stride *s, struct rg__poly *q,
                   struct rg__poly *rest);
#endif
