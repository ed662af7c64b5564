/* A function that calls itself for both halves of what it was given, taken apart (build_halves.c builds it,
 * halves_form.c says what it is, halves_levels.c makes loops over levels of it).
 *
 * A call has m elements, a power of two, and h = m / 2. Its two calls have h each; pair k < h of the call is the k-th
 * element of either. Which memory the elements are in differs (enum rg__halves_kind), and is one array here: call
 * number b of those with m elements has the elements b * m .. b * m + m - 1, so that pair k is b * m + k, and h behind
 * it. What the function does before and behind its calls must go from pair to pair: then a call touches nothing but its
 * own elements, calls that are not within one another do not meet, and all of a level may be done at once. */
#ifndef RG_FRONTEND_HALVES_H
#define RG_FRONTEND_HALVES_H
#include "frontend/read/build.h"
#include "ir/range.h"

enum { RG__HALVES_PARAMS = 24, RG__HALVES_FAMILIES = 8, RG__HALVES_SETS = 64 };

enum rg__halves_kind {
    RG__HALVES_SAME,    /* a parameter that both calls are given as it is */
    RG__HALVES_SIZE,    /* a number that halves */
    RG__HALVES_STRIDE,  /* a number that doubles */
    RG__HALVES_BLOCK,   /* a place: of the first call as it is, of the second h behind it */
    RG__HALVES_COMB,    /* a place: of the second call the stride behind it */
    RG__HALVES_SCRATCH, /* a pointer: to memory of the call, filled with every other element */
    RG__HALVES_SPARE, /* a pointer: to the memory that another parameter has as SCRATCH, to that one's for the calls */
    RG__HALVES_SWAP   /* a pointer: to where another parameter led, that to where this one did; places as COMB */
};

struct rg__halves_param {
    int var;              /* the number; of a pointer where in its array it leads to */
    int array;            /* -1: a number */
    struct rg_cnode *top; /* what the function is called with: the number, the place; NULL: the array's beginning */
    enum rg__halves_kind kind;
    int child_array[2];
    struct rg__poly child_at[2]; /* of a pointer: where in it each call's begins */
    int partner;                 /* of a pointer whose calls get what a parameter leads to: which */
    bool swaps;                  /* and that is another */
};

struct rg__halves_family { /* an array that the function writes to */
    int param;             /* the pointer */
    int block;             /* the number that says where in it the call's elements are, of a pointer that stays; -1 */
};

struct rg__halves {
    struct rg__build *b;
    struct rg_ctree *t;
    int function;
    struct rg_cnode *body;
    int n;
    struct rg__halves_param p[RG__HALVES_PARAMS];
    struct rg_cnode *again[2]; /* the calls */
    int size, stride, whole;   /* parameters; whole: without a size, what the stride goes up to; -1 */
    int h, k;                  /* variables that stand for them in polynomials, and nowhere else */
    bool plain;                /* polynomials are of the parameters as they are */
    int n_sets;                /* locals that are set once, to what is computed from others */
    struct {
        int var;
        const struct rg_cnode *value;
    } set[RG__HALVES_SETS];
    int loop_var; /* in a loop: it is loop_value; -1 */
    struct rg__poly loop_value;
    struct rg__kids base, pre, post;
    int n_families;
    struct rg__halves_family family[RG__HALVES_FAMILIES];
    bool sorted_out;             /* what stands in front of the calls does no more than give each every other element */
    struct rg_cnode *whole_size; /* of the first call: a power of two */
};

struct rg__halves_loop { /* for (var = first; var < ..; var += step) of h or m iterations */
    int var;
    struct rg__poly first, step;
    struct rg_cnode *body;
    bool pairs, elements; /* h, m */
    bool counts;          /* from 0 by 1 */
};

/* ---- halves_numbers.c ---- */
/* An integer expression; bad: no polynomial. */
struct rg__poly rg__halves_poly(const struct rg__halves *x, const struct rg_cnode *e);
/* p / d where that leaves no rest, of a d of one term; else bad. */
struct rg__poly rg__halves_divided(const struct rg__poly *p, const struct rg__poly *d);
struct rg__poly rg__halves_twice(int a, int b); /* 2 * a * b; b -1: 2 * a */
int rg__halves_times_set(const struct rg_cnode *n, int var);
/* What the statement sets a scalar to. */
const struct rg_cnode *rg__halves_set_by(const struct rg_cnode *s, int *var);
void rg__halves_find_sets(struct rg__halves *x, const struct rg_cnode *n); /* fills set[] */

/* ---- halves_form.c ---- */
/* Is it a function of that kind? Fills what is said above from body and p[]. */
bool rg__halves_form(struct rg__halves *x);
/* The largest power of two for which a number of the size's type doubles up to it and once more. */
int64_t rg__halves_most(const struct rg__halves *x);
bool rg__halves_read_loop(struct rg__halves *x, const struct rg_cnode *n, struct rg__halves_loop *l);
/* The family of an array's element, and whether it is the low or (1) high one of its pair, by its own array or by that
 * of the calls. -1: it is none, -2: one that is neither. */
int rg__halves_place(struct rg__halves *x, const struct rg_cnode *e, int *high, bool *own);
/* Do the calls have their elements elsewhere? */
bool rg__halves_moves(const struct rg__halves *x, const struct rg__halves_family *f);

/* ---- halves_levels.c ---- */
/* The loops over levels; false: something in it has no place there. */
bool rg__halves_levels(struct rg__halves *x, struct rg__kids *out);
#endif
