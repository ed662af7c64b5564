/* Polynomials over loop variables and integer parameters, and proofs that one is never negative. */
#ifndef RG_IR_RANGE_H
#define RG_IR_RANGE_H
#include "ir/ctree_util.h"

enum {
    RG__MAX_TERMS = 24,
    RG__MAX_DEGREE = 5,
    RG__MAX_ATOMS = 384,
    RG__MAX_NEST = 24,
    RG__MAX_FACTS = 64,
    RG__ATOM = 1 << 20
};

struct rg__term {
    int64_t c;
    int degree, var[RG__MAX_DEGREE]; /* sorted ids: tree variables, or RG__ATOM + index */
};

struct rg__poly {
    bool bad; /* overflow or too many terms: says nothing */
    int n;
    struct rg__term terms[RG__MAX_TERMS]; /* sorted, no zero coefficient */
};

struct rg__value_range { /* all that a local, the elements of a local array, or a member of them ever hold lies there */
    int var, array;
    const char *member;
    bool chosen;               /* one of several is stored, and a condition may ask which where it is used */
    struct rg__poly low, high; /* over parameters */
};

struct rg__given {  /* what is known everywhere */
    bool *positive; /* by variable: parameters that are extents or bound loops, taken to be at least 1 */
    bool *place;    /* those known from subscripts alone (the vertex to start from): 0 is fine too */
    int n_vars;     /* entries of positive and definition: later variables have none */
    const struct rg_cnode **definition; /* by variable: the value of an integer local that is set once; NULL */
    const struct rg_cnode *
        *clamped; /* by variable: what a local is behind its clamps, where subscripts read it; NULL */
    int64_t *least,
        *most; /* by variable: all values that an integer local is ever set to lie there; least > most: nobody knows */
    int n_held;
    struct rg__value_range *held; /* range_elements.c */
    int n;
    struct rg_cnode **conditions; /* the problem's own */
    int n_computed;
    struct rg__computed { /* derived parameters: var has this value */
        int var;
        struct rg_cnode *value;
        bool plain; /* of a quotient: what is divided is never negative, wherever the function is called */
    } * computed;
};

struct rg__range { /* what is known at a place */
    struct rg_ctree *t;
    int n_loops;
    const struct rg_cnode *loops[RG__MAX_NEST]; /* enclosing LOOPs, outermost first */
    int n_computed_facts; /* how many of the first facts say what quotient a derived parameter is */
    int n_facts;
    struct rg__poly facts[RG__MAX_FACTS]; /* each >= 0 here */
    int n_atoms;
    bool told[RG__MAX_ATOMS]; /* of an atom there were facts; those of a condition's arm go with it */
    const struct rg_cnode *atoms[RG__MAX_ATOMS]; /* parts that are no polynomial, each standing for its value */
    const struct rg__given *given;               /* NULL: nothing is known */
    int fuel;                                    /* bounds the proof search */
    bool dividing;                               /* a proof that a quotient is exact is under way */
    bool weighing;                               /* whether a condition's parts come round is being proven */
    bool squares; /* loop variables in higher powers are followed to an end of their range, too */
    bool hull;    /* an extent is looked for, off subscripts: every parameter is taken to be at least 1, as those in
                     extents must be, and values that are chosen say nothing: a place that was not found is no element */
    bool symbols; /* quotients of parameters stay as they are: never negative, and nothing else is asked of them */
    signed char symbol[RG__MAX_ATOMS]; /* then, by atom: 1 one of these, -1 none, 0 not asked yet */
};

/* What a derived parameter's expression is but for the constant added to it. */
const struct rg_cnode *rg__computed_quotient(const struct rg_cnode *e, int64_t *c);

struct rg__poly rg__poly_int(int64_t v);
struct rg__poly rg__poly_var(int id);
struct rg__poly rg__poly_add(const struct rg__poly *a, const struct rg__poly *b, int64_t factor); /* a + factor b */
struct rg__poly rg__poly_mul(const struct rg__poly *a, const struct rg__poly *b);
bool rg__poly_is_int(const struct rg__poly *p, int64_t *v);
bool rg__poly_equal(const struct rg__poly *a, const struct rg__poly *b);
/* Coefficient of `var` (which must occur to the first power only; false otherwise) and the rest. */
bool rg__poly_split(const struct rg__poly *p, int var, struct rg__poly *coef, struct rg__poly *rest);
bool rg__poly_mentions(const struct rg__poly *p, int var);

/* Any integer expression; what is no polynomial becomes an atom. */
struct rg__poly rg__poly_of(struct rg__range *r, const struct rg_cnode *e);
struct rg_cnode *rg__poly_node(struct rg__range *r, const struct rg__poly *p);

void rg__range_init(struct rg__range *r, struct rg_ctree *t, const struct rg__given *given);
/* A condition that holds here (its negation with `holds` false): adds what it says linearly. */
void rg__range_assume(struct rg__range *r, const struct rg_cnode *condition, bool holds);
/* What is known of the atoms in p becomes facts again, where none is about them: n_facts has been set back since. */
void rg__range_describe(struct rg__range *r, const struct rg__poly *p);
bool rg__prove(struct rg__range *r, const struct rg__poly *p); /* p >= 0 */
bool rg__range_above(struct rg__range *r, const struct rg__poly *a, const struct rg__poly *b,
                     int64_t by); /* a >= b + by */
/* 1: `a op b` always, 0: never, -1 unknown; op is a relation. */
int rg__range_decide(struct rg__range *r, enum rg_c_op op, const struct rg__poly *a, const struct rg__poly *b);
/* The smallest value of p over the loops as a polynomial of parameters alone; false when there is none. */
bool rg__lowest(struct rg__range *r, const struct rg__poly *p, struct rg__poly *out);
/* The same, of parameters and of quotients of these: `w / 8` is a number as good as w, where it is never negative. */
bool rg__lowest_of_quotients(struct rg__range *r, const struct rg__poly *p, struct rg__poly *out);
/* Fills g->clamped (range_clamps.c). stable: keeps the value its value, from where the local is set to its uses? */
void rg__given_clamps(struct rg_ctree *t, struct rg__given *g, bool (*stable)(void *arg, const struct rg_cnode *e),
                      void *arg);
/* Fills g->held (range_elements.c); what else is given is there. */
void rg__given_elements(struct rg_ctree *t, struct rg__given *g);
/* Of a scalar, an element or a member of one; NULL: nobody knows. */
const struct rg__value_range *rg__given_held(const struct rg__given *g, const struct rg_cnode *e);
/* From extents, loop bounds and require(). p NULL: no conditions. Freed with rg__given_free. */
struct rg__given *rg__given_of(struct rg_ctree *t, const struct rg_problem *p);
void rg__given_free(struct rg__given *g);
/* Reads e as mathematical integers: no unsigned wrap, no division of something negative, no change of sign. */
bool rg__value_safe(struct rg__range *r, const struct rg_cnode *e);
#endif
