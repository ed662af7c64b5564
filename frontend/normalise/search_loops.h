/* The inside of rg__canon_searches: loops that are left early by what their data say. */
#ifndef RG_FRONTEND_SEARCH_LOOPS_H
#define RG_FRONTEND_SEARCH_LOOPS_H
#include "frontend/normalise/counted_loops.h"

enum { RG__SEARCH_DEPTH = 4, RG__SEARCH_PARTS = 8 };

struct rg__flag { /* an integer that a loop goes on by: its value whenever an iteration begins */
    int var;      /* -1: none */
    int64_t value;
};

struct rg__search { /* a loop, or a perfect nest of them, whose iterations may leave it */
    struct rg_ctree *t;
    const struct rg_problem *p;
    struct rg_cnode *loop; /* the outermost FOR */
    int depth;
    struct rg__counted h[RG__SEARCH_DEPTH];
    struct rg_cnode *body; /* of the innermost, with its conditions on data as statements that leave it: a copy */
    struct rg__flag flag;
    bool inner;                     /* in the body of another, which becomes a search only if this one does */
    bool equality;                  /* the flag's condition: any other value ends the loop; else some numbers do */
    const struct rg_cnode *goes_on; /* the flag's condition; NULL none */
    int n_vars;                     /* when it began; the arrays are that long */
    bool *own;                      /* [var] declared in the body */
    bool *fresh;                    /* [var] given a value by each iteration before it is read */
    bool *outside;                  /* [var] named outside the loop */
    bool *needed;                   /* [var] decides who leaves */
    int n_arrays;                   /* when it began */
    bool *own_array;                /* [array] declared in the body, with a length that is no call's */
    bool *needed_array;             /* [array] ... and its elements decide who leaves */
    bool returns, breaks;           /* what leaves it */
    int exits;                      /* so many of these */
    bool value;                     /* returns by setting these: what is returned, and that something is */
    int left, result, hit;
};

/* ---- search_slice.c ---- */
/* What decides whether an iteration leaves, alone; sets hit. NULL: it has effects, or depends on what other iterations
 * do. */
struct rg_cnode *rg__search_slice(struct rg__search *s);
/* Must part of a loop's body not run in iterations that the C leaves out? Data lead its subscripts or end its loops:
 * they may be anything there. n_vars: the tree's. */
bool rg__search_wild(int n_vars, const struct rg_cnode *body, const struct rg_cnode *part);
/* Does the value hang on an element of an array, where `data` says which variables do? */
bool rg__search_from_data(int n_vars, const struct rg_cnode *e, const bool *data);
/* Marks what is set to such values below n; true: more than before. */
bool rg__search_spread_data(int n_vars, const struct rg_cnode *n, bool *data);
/* guarded_reads.c: reads of the slice that data lead ask first whether they are inside their array. False: it is wild
 * in other ways. */
bool rg__search_guard(struct rg_ctree *t, int n_vars, const struct rg_cnode *body, struct rg_cnode *slice);
/* v = e or for (v = e; ...) before anything else of the body names it, or so in the one loop that does. */
bool rg__search_given_first(const struct rg_cnode *body, int v);
/* number_before.c: the number that the variable was given in front of block->kid[at], there or in a block around it
 * below root. */
bool rg__search_number_before(const struct rg_cnode *root, const struct rg_cnode *block, int at, int var,
                              int64_t *value);
/* The parts of a condition that && joins, up to as many as there is room for. */
void rg__search_conjuncts(struct rg_cnode *c, struct rg_cnode **parts, int *n);
/* The body of an iteration that does not leave. */
struct rg_cnode *rg__search_rest(struct rg__search *s);
/* Does that do anything that is seen behind the loop? */
bool rg__search_effects(const struct rg__search *s, const struct rg_cnode *rest);
/* May all iterations decide before any has its effects? */
bool rg__search_apart(const struct rg__search *s, const struct rg_cnode *slice, const struct rg_cnode *rest);
/* The iteration that leaves, as it stands. NULL: it returns where no return can stand (s->value helps). */
struct rg_cnode *rg__search_replay(struct rg__search *s);
/* Variables of its own for a copy of the body: those it declares, and fresh ones that nobody sees behind the loop (all:
 * any fresh). */
struct rg_cnode *rg__search_own_vars(struct rg__search *s, struct rg_cnode *copy, bool all);
/* n = e of a scalar: the variable, else -1. */
int rg__search_sets(const struct rg_cnode *n);
bool rg__search_ends(const struct rg__search *s,
                     const struct rg_cnode *n); /* does it give the flag a value that ends the loop? */
#endif
