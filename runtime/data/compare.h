/* Outputs against what they should be. Integers are exact; a real passes when
 *     |d| <= atol + rtol |ref| + k eps s sqrt(n_accum)      s = rms(ref), k = 4; a default atol at most s / 100
 * or when it is no further off than 8 times the worst of the user's own sequential run; NaN must match NaN, infinity
 * infinity. Where the tolerance is the default one (rg_problem_capped) it must be as exact as the sequential run besides:
 *     |d| <= max(8 x worst of the sequential run, 8 x what one rounding of the inputs moves, 16 ulp s) + 16 ulp |ref| + k eps s sqrt(n_accum)
 * `--allow tf32` takes |d| <= 8 x 2^-11 (s + |ref|), and 8 x what one rounding to 11 bits moves, of floats instead. The reference is the fp64 oracle where there is one, else the sequential run. */
#ifndef RG_RUNTIME_COMPARE_H
#define RG_RUNTIME_COMPARE_H
#include <rg/problem.h>
#include <stdbool.h>

struct rg_seen { /* what one part of a reference is like; zeroed: not looked at yet */
    bool known;
    double rms, sequential;
};

enum { RG_COMPARE_DIMS = 4 };

struct rg_compare {
    const struct rg_problem *problem;
    int param;
    int64_t elements;
    const void *expect;   /* the sequential run, in the parameter's type */
    const double *oracle; /* NULL: none; real slots of each element in order */
    const double *moved;  /* NULL: not known; by real slot, what inputs one rounding away change at most (NaN: not known) */
    const struct rg_sizes *sizes; /* NULL: elements are named by their number alone */
    const void *got;
    double n_accum;       /* terms an output accumulates; 1 when none */
    struct rg_seen *seen; /* one for each part, kept between comparisons with this reference; NULL: not kept */
};

struct rg_difference {
    bool equal;           /* within the rules above */
    int64_t n, n_bad;     /* scalars compared, wrong */
    int64_t first_bad;    /* element */
    char first_part[64];  /* ".mass", "[2]" or "" */
    char expected[48], got[48];
    double max_error, rms_error; /* absolute, over reals */
    double rms;           /* of the reference */
    int64_t n_capped;     /* of n_bad: within the tolerance, but far less exact than the sequential run */
    unsigned takes;       /* the RG_ALLOW_ bit that would take all of n_bad; 0: none */
    int n_dims;           /* of the parameter; 0: its extents are not known */
    int64_t extent[RG_COMPARE_DIMS]; /* and the box around the elements that are wrong */
    int64_t low[RG_COMPARE_DIMS], high[RG_COMPARE_DIMS], first[RG_COMPARE_DIMS]; /* first: the indices of first_bad */
    double sequential_error; /* worst of the sequential run against the oracle; 0 without one */
};

void rg__compare(const struct rg_compare *c, struct rg_difference *out);
/* "y[1][17] is 3.5, expected 2.25; 41 of 1024 values are wrong (4 %), all in [1..8][17..40]; max error 2, rms error 0.4, rms of y 3" */
void rg__compare_text(const struct rg_compare *c, const struct rg_difference *d, char *text, size_t size);
/* Terms an output accumulates, estimated from the counted work. */
double rg__accumulated(const struct rg_problem *p, const struct rg_sizes *s);
#endif
