/* The inside of rg__canon_moves: pointers that move between arrays, indices that toggle. */
#ifndef RG_FRONTEND_POINTER_ROTATION_H
#define RG_FRONTEND_POINTER_ROTATION_H
#include "frontend/normalise/canon.h"

enum {
    RG__MOVES_PERIOD = 4,
    RG__MOVES_FORKS = 6,
    RG__MOVES_TURN_FORKS = 24, /* where a loop's body stands for several states */
    RG__MOVES_NODES = 40000,
    RG__MOVES_TRIPS = 64,
    RG__MOVES_STATES = 6,
    RG__MOVES_BUFFERS = 16,
    RG__MOVES_SYMBOLS = 32
}; /* at most, of each */
/* A value from there on stands for an expression that nothing changes. */
#define RG__MOVES_SYMBOL ((int64_t)1 << 40)

/* Values of integers that are no small numbers: n + 3. */
struct rg__moves_symbols {
    int n;
    struct rg_cnode *of[RG__MOVES_SYMBOLS];
};

/* What each name stands for at a place of the code. */
struct rg__moves_state {
    int *stands_for; /* [array] an array; -1 unknown */
    bool *known;     /* [var] */
    int64_t *value;
};

/* What the pass may do beside writing out loops until everything comes round. */
enum {
    RG__MOVES_OWN = 1 << 0,  /* buffers that an iteration fills before it reads them are its own */
    RG__MOVES_TURNS = 1 << 1 /* a local says in which of several states an iteration begins */
};

/* A loop whose iterations begin in one of several states. */
struct rg__moves_turns {
    int var; /* says which; what sets it at the end of an iteration stands as var = 0 in the body that is followed */
    bool *carried; /* [array] names that the states are about */
    int n;
    struct rg__moves_state at[RG__MOVES_STATES];
    struct rg__moves_turns *outer;
};

/* A buffer of a loop's iteration, instead of one from outside. */
struct rg__moves_own {
    int array, instead_of;
};

struct rg__moves {
    struct rg_ctree *t;
    unsigned may;                      /* RG__MOVES_OWN, RG__MOVES_TURNS */
    int n_arrays, n_vars;              /* when the pass began */
    bool *toggles;                     /* [var] replaced by its value where that is known */
    bool *hidden;                      /* [var] its address is taken */
    struct rg__moves_symbols *symbols; /* NULL: only numbers are followed */
    bool any;                          /* something moved or toggled */
    bool failed;
    int forks, depth; /* loops around */
    int free_depth;   /* where as many are, what follows may be written once for each state */
    struct rg__moves_turns *turns;
    int own_depth; /* so many loops are around those whose iterations may have buffers of their own */
    int n_own;
    struct rg__moves_own own[RG__MOVES_BUFFERS];
    int *declared;             /* [array] how many are around its declaration */
    int mod_var, mod, residue; /* in a copy of a body: the loop's variable leaves this rest; -1 */
    long nodes;
};

static inline int rg__moves_most_forks(const struct rg__moves *m)
{
    return m->may & RG__MOVES_TURNS ? RG__MOVES_TURN_FORKS : RG__MOVES_FORKS;
}

/* --- pointer_rotation_state.c --- */
/* What both know. */
void rg__moves_join(const struct rg__moves *m, struct rg__moves_state *s, const struct rg__moves_state *other);
struct rg__moves_state rg__moves_new(const struct rg__moves *m); /* nothing is known; rg__moves_free it */
void rg__moves_free(struct rg__moves_state *s);
void rg__moves_set(const struct rg__moves *m, struct rg__moves_state *to, const struct rg__moves_state *from);
struct rg__moves_state rg__moves_copy(const struct rg__moves *m, const struct rg__moves_state *from);
/* The array whose name, as a pointer, the expression is; -1. */
int rg__moves_pointer(const struct rg_cnode *e);
/* p = q as a statement: p; -1 otherwise. */
int rg__moves_moved(const struct rg_cnode *s);
/* Is a pointer moved anywhere below n? */
bool rg__moves_any(const struct rg_cnode *n);
/* An integer local whose address nobody takes. */
bool rg__moves_local_int(const struct rg__moves *m, int var);
bool rg__moves_is_zero(const struct rg_cnode *e);
/* The value of a small integer expression; false: not known. What a variable's known value stands as in the tree. */
bool rg__moves_evaluate(const struct rg__moves *m, const struct rg__moves_state *s, const struct rg_cnode *e,
                        int64_t *v);
struct rg_cnode *rg__moves_known(const struct rg__moves *m, const struct rg__moves_state *s, int var);
/* Pointers that are moved below n stand for nothing known. */
void rg__moves_lose(struct rg__moves_state *s, const struct rg_cnode *n);
/* Integers written below n are not known any more. */
void rg__moves_forget(const struct rg__moves *m, struct rg__moves_state *s, const struct rg_cnode *n);
/* An integer local after the statement; false: the statement is of another kind. */
bool rg__moves_note(const struct rg__moves *m, struct rg__moves_state *s, const struct rg_cnode *n);
/* The array that a statement declares; -1. */
int rg__moves_declared(const struct rg__moves *m, const struct rg_cnode *s);
/* Pointer value as an array; -1. */
int rg__moves_resolve(const struct rg__moves *m, const struct rg__moves_state *s, const struct rg_cnode *e);
/* Follows the body once; false: it moves pointers in a way that is not followed. */
bool rg__moves_simulate(const struct rg__moves *m, struct rg__moves_state *s, const struct rg_cnode *body);

/* --- pointer_rotation.c --- */
/* The node with names replaced by what they stand for; m->failed when one stands for nothing. */
struct rg_cnode *rg__moves_substitute(struct rg__moves *m, const struct rg__moves_state *s, struct rg_cnode *n);
/* Gives the copy n, which stands in root, loop variables and locals of its own. */
void rg__moves_fresh(struct rg_ctree *t, struct rg_cnode *root, struct rg_cnode *n);
/* ... and arrays of its own. */
void rg__moves_fresh_arrays(struct rg_ctree *t, struct rg_cnode *root, struct rg_cnode *n);
bool rg__moves_local_arrays(const struct rg_cnode *n);
bool rg__moves_gets_memory(const struct rg_ctree *t, const struct rg_cnode *n);
/* A block rewritten from state s on, which it moves along. */
struct rg_cnode *rg__moves_followed(struct rg__moves *m, struct rg__moves_state *s, const struct rg_cnode *block);
struct rg_cnode *rg__moves_block(struct rg__moves *m, struct rg_cnode *const *items, int n); /* of copies */
void rg__moves_once(struct rg__moves *m, struct rg_cnode *const *rest, int n);
/* The rest of a block under a state of its own, with variables of its own. `end`: the state behind it; NULL. */
struct rg_cnode *rg__moves_branch(struct rg__moves *m, const struct rg__moves_state *s, struct rg_cnode *const *rest,
                                  int n, struct rg__moves_state *end);
struct rg_cnode *rg__moves_if(struct rg__moves *m, struct rg_cnode *c, struct rg_cnode *yes, struct rg_cnode *no,
                              int line);
struct rg_cnode *rg__moves_twins(struct rg_cnode *n); /* n, marked: its arms are the same code over other arrays */

/* --- pointer_rotation_loop.c --- */
/* Is the array's name read in the body before the body sets it? */
bool rg__moves_read_first(const struct rg_cnode *body, int array);
/* Rewrites a loop. Takes as much of the rest of the block along as it says. */
int rg__moves_loop(struct rg__moves *m, struct rg__moves_state *s, struct rg_cnode *l, struct rg_cnode *const *rest,
                   int n, struct rg__kids *out);

/* --- pointer_rotation_rest.c --- */
/* What follows code that ends in one of p states, where[r] (of r > 0) true in the r-th, s the state in front of it: its
 * statements up to the last that sees a difference, once for each, where that is allowed. How many these are. */
int rg__moves_rest(struct rg__moves *m, struct rg__moves_state *s, const struct rg__moves_state *at, int p,
                   struct rg_cnode *const *where, const struct rg_cnode *code, bool allowed,
                   struct rg_cnode *const *rest, int n, struct rg__kids *out);
/* How many statements of the rest it takes to the last that sees a difference between the states. Declarations that
 * others need go in front (to out). */
int rg__moves_seen(struct rg__moves *m, const struct rg__moves_state *at, int p, struct rg_cnode **rest, int n,
                   struct rg__kids *out);

/* --- pointer_rotation_turns.c --- */
/* The loop whose turn the statement sets; NULL. */
struct rg__moves_turns *rg__moves_sets_turn(const struct rg__moves *m, const struct rg_cnode *s);
/* The number of the state. */
int rg__moves_turn(struct rg__moves *m, struct rg__moves_turns *k, const struct rg__moves_state *s);
/* A loop that moves pointers in ways that do not come round: a local says in which state it is. */
int rg__moves_by_turns(struct rg__moves *m, struct rg__moves_state *s, struct rg_cnode *l, struct rg_cnode *const *rest,
                       int n, struct rg__kids *out);

/* --- pointer_rotation_own.c --- */
/* A loop with buffers of its iterations' own, to be proven once all is done; false: not of this kind. */
bool rg__moves_with_own(struct rg__moves *m, struct rg__moves_state *s, struct rg_cnode *l, struct rg__kids *out);
/* Are they filled before they are read, and are those from outside used for nothing else? The tree's root is what the
 * pass has made. */
bool rg__moves_own_proven(struct rg__moves *m, const struct rg_problem *p);
#endif
