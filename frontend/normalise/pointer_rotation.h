/* The inside of rg__canon_moves: pointers that move between arrays, indices that toggle. */
#ifndef RG_FRONTEND_POINTER_ROTATION_H
#define RG_FRONTEND_POINTER_ROTATION_H
#include "frontend/normalise/canon.h"

enum {
    RG__MOVES_PERIOD = 4,
    RG__MOVES_FORKS = 6,
    RG__MOVES_NODES = 40000,
    RG__MOVES_TRIPS = 64
}; /* at most, of each */

/* What each name stands for at a place of the code. */
struct rg__moves_state {
    int *stands_for; /* [array] an array; -1 unknown */
    bool *known;     /* [var] */
    int64_t *value;
};

struct rg__moves {
    struct rg_ctree *t;
    int n_arrays, n_vars; /* when the pass began */
    bool *toggles;        /* [var] replaced by its value where that is known */
    bool *hidden;         /* [var] its address is taken */
    bool any;             /* something moved or toggled */
    bool failed;
    int forks, depth;          /* loops around */
    int *declared;             /* [array] how many are around its declaration */
    int mod_var, mod, residue; /* in a copy of a body: the loop's variable leaves this rest; -1 */
    long nodes;
};

/* --- pointer_rotation_state.c --- */
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
/* The value of a small integer expression; false: not known. */
bool rg__moves_evaluate(const struct rg__moves *m, const struct rg__moves_state *s, const struct rg_cnode *e,
                        int64_t *v);
/* Integers written below n are not known any more. */
/* Pointers that are moved below n stand for nothing known. */
void rg__moves_lose(struct rg__moves_state *s, const struct rg_cnode *n);
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
/* The rest of a block under a state of its own, with variables of its own. */
void rg__moves_once(struct rg__moves *m, struct rg_cnode *const *rest, int n);
struct rg_cnode *rg__moves_branch(struct rg__moves *m, const struct rg__moves_state *s, struct rg_cnode *const *rest,
                                  int n);
struct rg_cnode *rg__moves_if(struct rg__moves *m, struct rg_cnode *c, struct rg_cnode *yes, struct rg_cnode *no,
                              int line);
struct rg_cnode *rg__moves_twins(struct rg_cnode *n); /* n, marked: its arms are the same code over other arrays */

/* --- pointer_rotation_loop.c --- */
/* Rewrites a loop. Takes the rest of the block along; true: it is done with. */
bool rg__moves_loop(struct rg__moves *m, struct rg__moves_state *s, struct rg_cnode *l, struct rg_cnode *const *rest,
                    int n, struct rg__kids *out);
#endif
