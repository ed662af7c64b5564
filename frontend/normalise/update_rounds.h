/* The inside of rg__canon_rounds: rounds of updates of one array that go on until nothing changes. */
#ifndef RG_FRONTEND_UPDATE_ROUNDS_H
#define RG_FRONTEND_UPDATE_ROUNDS_H
#include "frontend/normalise/canon.h"

enum { RG__ROUNDS_STORES = 16, RG__ROUNDS_FACTS = 32 };

/* How elements move: an update leaves a smaller value, a greater one, one and the same, or more bits. */
enum rg__direction { RG__LESS, RG__MORE, RG__ONE, RG__BITS, RG__DIRECTIONS };

struct rg__condition { /* a condition that holds, or does not, where something stands */
    const struct rg_cnode *c;
    bool holds;
    bool stale;    /* an element was stored since it was evaluated */
    bool gone;     /* a local in it has another value now */
    bool resolved; /* a variable, what it stands for is among the facts, too */
    bool derived;  /* what such a variable stands for */
    bool own;      /* says no more than that the store behind it changes its element */
};

struct rg__round_place { /* where a statement stands in the round */
    const struct rg_cnode *stmt;
    const struct rg_cnode *loop; /* the innermost */
    int n;
    struct rg__condition facts[RG__ROUNDS_FACTS];
};

struct rg__update { /* a store to the array */
    const struct rg_cnode *to, *value;
    struct rg__round_place at;
    bool flagged; /* whenever it changes the element, a flag is set beside it */
    bool guarded; /* it stands behind a condition that it changes the element */
};

struct rg__round {
    struct rg_ctree *t;
    int array, n_vars;
    enum rg__direction direction;
    bool *flag; /* [var] what iterations may only set, and none reads */
    const struct rg_cnode *
        *part;          /* [var] of a flag that an iteration has of its own: the statement that adds it to the flag */
    bool *varies;       /* [var] from round to round */
    bool *written;      /* [array] in the round */
    bool *side;         /* [array] stored to in each round at the same places, and not read */
    bool bounded;       /* every element was one of a few numbers before the first round */
    double least, most; /* the range of these */
    bool apart;         /* no update makes an element the background, or changes one that is */
    double background;
    const struct rg_cnode *one; /* ONE: the value */
    bool equation; /* an element is what the others make of it, whatever it was: it is seen at run time whether all move
                      one way, whichever */
    int n_stores, n_sets;
    struct rg__update store[RG__ROUNDS_STORES];
    struct rg__round_place set[RG__ROUNDS_STORES]; /* where flags are set */
    bool other;                                    /* it is of another form */
    const char *unproven;                          /* why its result may depend on the order; NULL: it does not */
};

struct rg__rounds { /* of a function */
    struct rg_ctree *t;
    const struct rg_problem *p;
    struct rg__kids declarations;
    const struct rg_cnode *around[RG__MAX_NEST]; /* loops */
    int n_around;
};

struct rg__round_shape { /* of a loop over rounds */
    struct rg_cnode *loop, *body;
    int first, n;      /* the nests */
    bool until;        /* it ends when a round has changed nothing; else only after a number of rounds */
    bool endless;      /* ... and not before */
    bool asked_behind; /* a flag is, behind the loop */
};

/* Follows the statements of a round. */
void rg__round_follow(struct rg__round *r, struct rg_cnode *const *items, int n);
/* x of `a = c ? x : a`, with *c and whether it holds then; NULL: the assignment is of another form. */
const struct rg_cnode *rg__round_choice(const struct rg_cnode *assign, const struct rg_cnode **c, bool *holds);
bool rg__round_number(const struct rg_cnode *e, double *v);
/* Reads of the variable below n; all of them must ask whether it is 0, or be left out (`except`). */
bool rg__round_only_asked(const struct rg_cnode *n, int var, bool asked, const struct rg_cnode *except);

/* Is the variable read anywhere but below `except`? */
bool rg__round_asked_outside(const struct rg_cnode *n, int var, const struct rg_cnode *except);

/* The scalar that the statement sets; -1. */
int rg__round_sets(const struct rg_cnode *n);

/* --- update_rounds_flags.c, update_rounds_forms.c --- */
struct rg__round_edits { /* of the tree, in the order that they were made */
    int n, room;
    struct {
        struct rg_cnode **slot, *was;
    } * items; /* to be freed */
};
void rg__round_edit(struct rg__round_edits *e, struct rg_cnode **slot, struct rg_cnode *now);
/* Elements are stored behind what asks whether they change; the bound on rounds is the loop's. */
void rg__round_plain_forms(struct rg_ctree *t, struct rg_cnode *loop, struct rg__round_edits *e);
/* Flags of the loop's rounds are raised from 0, and by plain assignments. */
void rg__round_plain_flags(struct rg_ctree *t, struct rg_cnode *loop, struct rg__round_edits *e);
bool rg__round_flag(const struct rg_ctree *t, const struct rg_cnode *loop, int var);
/* All but the first `to` are undone. */
void rg__round_undo(struct rg__round_edits *e, int to);

/* update_rounds_loop.c: the round's statements, in `work`, go by the elements in `before`. at_flag: by variable, the
 * array that a flag has become; moved: what says that an element moved, or -1; of an equation, that one rose and that
 * one fell. */
struct rg__round_flags {
    const int *at_flag;
    int moved, rose, fell;
};
void rg__round_renew(struct rg_ctree *t, const struct rg__round *r, struct rg_cnode *work, int before,
                     const struct rg__round_flags *flags);

/* update_rounds_made.c: the loop at block->kid[at] becomes such rounds, with the loop as it stands behind them for
 * where these are not enough. */
void rg__round_replace(struct rg__rounds *w, const struct rg__round_shape *s, struct rg__round *r,
                       struct rg_cnode *block, int at);

/* --- update_rounds_tree.c: new arrays are added to `declarations` --- */
/* NULL: it is not known, or the last row may be shorter than the others. */
struct rg_cnode *rg__round_extent(struct rg_ctree *t, int array, int d);
/* The same of arrays whose last row may be shorter, which is copied as far as it goes: nests at the end of `out`.
 * False: nobody knows how far. */
bool rg__round_copies(struct rg_ctree *t, int to, int from, const struct rg_cnode *at, struct rg__kids *out);
struct rg_cnode *rg__round_copy_all(struct rg_ctree *t, int to, int from, const struct rg_cnode *at); /* a nest */
/* The array gets one dimension of so many elements. */
void rg__round_flatten(struct rg_ctree *t, int array, const struct rg_cnode *elements);
/* An array like it, called ARRAY_NAME. */
int rg__round_another(struct rg_ctree *t, int array, const char *name, const struct rg_cnode *at,
                      struct rg__kids *declarations);
int rg__round_one_element(struct rg_ctree *t, const char *name, enum rg_scalar type, const struct rg_cnode *at,
                          struct rg__kids *declarations);
struct rg_cnode *rg__round_either(struct rg_ctree *t, struct rg_cnode *c, struct rg_cnode *a, struct rg_cnode *b);
struct rg_cnode *rg__round_raise(struct rg_ctree *t, int array, int64_t to, const struct rg_cnode *at); /* [0] = to; */
/* int is_so = c; if (is_so) flag[0] = 1; with flag -1: an arm that nothing stands in yet. */
void rg__round_if_so(struct rg_ctree *t, struct rg_cnode *c, int flag, const struct rg_cnode *at, struct rg__kids *out);
#endif
