/* Outputs against what they should be. Integers are exact, unless the C itself gives others when it rounds otherwise:
 * then 8 times as many may differ. A real passes when |d| <= atol + rtol |ref| + k eps s sqrt(n_accum)      s =
 * rms(ref), k = 4; a default atol at most s / 100 or when it is no further off than 8 times the C's own uncertainty
 * there (runtime/reference/ref_spread.h): the largest spread of its neighbours to RG_NEAR elements either side, and the
 * median over the array at least, as a few runs may hit one element by little by chance. Of reals that a run of the C
 * with other roundings moves further than the runs before had shown, 8 times as many may differ, a thousandth of all at
 * most. Where that was not measured, 8 times the worst of the sequential run. NaN must match NaN, infinity infinity,
 * unless the C itself gives either or. Where the tolerance is the default one (rg_problem_capped) it must be as exact
 * as the sequential run besides: |d| <= max(8 x worst of the sequential run, 8 x what one rounding of the inputs moves,
 * 8 x the largest spread, 16 ulp s) + 16 ulp |ref| + k eps s sqrt(n_accum)
 * `--allow tf32` takes |d| <= 8 x 2^-11 (s + |ref|), and 8 x what one rounding to 11 bits moves, of floats instead. The
 * reference is the fp64 oracle where there is one, else the sequential run. */
#ifndef RG_RUNTIME_COMPARE_H
#define RG_RUNTIME_COMPARE_H
#include "runtime/data/layout.h"
#include "runtime/device.h"
#include <stdbool.h>

struct rg_seen { /* what one part of a reference is like; zeroed: not looked at yet */
    bool known;
    double rms, sequential;
    double spread, median; /* of the C's own results: the largest finite one, and about the median; < 0: not measured */
};

enum { RG_COMPARE_DIMS = 4, RG_NEAR = 4 };

struct rg_compare {
    const struct rg_problem *problem;
    int param;
    int64_t elements;
    const void *expect;   /* the sequential run, in the parameter's type */
    const double *oracle; /* NULL: none; real slots of each element in order */
    const double
        *moved; /* NULL: not known; by real slot, what inputs one rounding away change at most (NaN: not known) */
    const float *spread;     /* NULL: not measured; of each real slot, as `oracle` */
    const double *unsettled; /* NULL: not measured; by part, values that the C itself gives otherwise: integers, and
                                reals beyond their spread (NaN: not measured) */
    bool
        may_move; /* that is measured when a result differs by this, and no more granted than the tolerance meanwhile */
    const struct rg_sizes *sizes; /* NULL: elements are named by their number alone */
    const void *got;
    double n_accum;       /* terms an output accumulates; 1 when none */
    struct rg_seen *seen; /* one for each part, kept between comparisons with this reference; NULL: not kept */
};

struct rg_difference {
    bool equal;          /* within the rules above */
    int64_t n, n_bad;    /* scalars compared, wrong */
    int64_t first_bad;   /* element */
    char first_part[64]; /* ".mass", "[2]" or "" */
    char expected[48], got[48];
    double max_error, rms_error;     /* absolute, over reals */
    double rms;                      /* of the reference */
    int64_t n_capped;                /* of n_bad: within the tolerance, but far less exact than the sequential run */
    unsigned takes;                  /* the RG_ALLOW_ bit that would take all of n_bad; 0: none */
    int n_dims;                      /* of the parameter; 0: its extents are not known */
    int64_t extent[RG_COMPARE_DIMS]; /* and the box around the elements that are wrong */
    int64_t low[RG_COMPARE_DIMS], high[RG_COMPARE_DIMS], first[RG_COMPARE_DIMS]; /* first: the indices of first_bad */
    double sequential_error; /* worst of the sequential run against the oracle; 0 without one */
};

/* What a case's range (`base`) holds of an output, to be compared with `got`; its seen is NULL. */
void rg__compare_case(struct rg_compare *c, const struct rg_problem *p, const struct rg_sizes *s,
                      const struct rg_layout *l, int param, const void *base, const void *got);
void rg__compare(const struct rg_compare *c, struct rg_difference *out);

/* The bounds within which a real is right at once, for an array of floats or of doubles; false: it is no such array. A
 * real outside may still be right: rg__compare tells. Cost O(elements) the first time, where c->seen keeps it. */
bool rg__compare_bounds(const struct rg_compare *c, struct rg_bounds *out);

struct rg_determined { /* how well the C itself determines an output */
    double digits; /* decimal, of its reals as a whole: rms of their spread beside their own; INFINITY: no spread, or no
                      reals */
    double tolerance; /* the same of what is tolerated anyway */
    int64_t n_loose;  /* reals for which 8 times the spread is more than the tolerance */
    int64_t n_open;   /* reals that are a number in some runs alone, and integers that differ between runs */
    bool integers;    /* n_open counts integers */
    int64_t n_reals, n_nan, n_infinite; /* that the C wrote; of these NaN, and infinite */
};
/* False: it was not measured, and only the last three are known. Cost O(elements). */
bool rg__determined(const struct rg_compare *c, struct rg_determined *out);
/* By part, how many reals are wrong by the rules above, where that is more than `off` has; parts of integers are left
 * as they are. Cost O(elements). */
void rg__reals_off(const struct rg_compare *c, double *off);
/* "y[1][17] is 3.5, expected 2.25; 41 of 1024 values are wrong (4 %), all in [1..8][17..40]; max error 2, rms error
 * 0.4, rms of y 3" */
void rg__compare_text(const struct rg_compare *c, const struct rg_difference *d, char *text, size_t size);
/* Terms an output accumulates, estimated from the counted work. */
double rg__accumulated(const struct rg_problem *p, const struct rg_sizes *s);
#endif
