/* Sorts that are known by what they do, whatever their text: the inside of rg__sorting_trials. */
#ifndef RG_FRONTEND_SORTING_TRIALS_H
#define RG_FRONTEND_SORTING_TRIALS_H
#include "frontend/load.h"
#include "frontend/normalise/interpreter.h"
#include "frontend/normalise/sorting_loops.h"

enum { RG__TRIAL_LENGTH = 6000 /* of the longest array that is tried */ };

/* Orders, as bits. */
enum {
    RG__ASCENDING = 1,
    RG__DESCENDING = 2,
    RG__ASCENDING_BITS = 4, /* as if the numbers had no sign, or the bits of real ones were such numbers */
    RG__DESCENDING_BITS = 8,
    RG__ANY_ORDER = 15
};

/* What a sort leaves in an array that it uses besides, as bits. */
enum {
    RG__LEFT_SORTED = 1,    /* the elements in order; */
    RG__LEFT_HALVES = 2,    /* the first n / 2 elements in order, and the others; */
    RG__LEFT_HALVES_UP = 4, /* the first (n + 1) / 2 */
    RG__LEFT_ROUNDS = 8, /* what the last but one of rounds by 1, 2, 4 .. has made, or, where they are odd, the last */
    RG__LEFT_ROUNDS_FROM = 64, /* the same of rounds by B, 2 B, 4 B ..; of B elements or fewer it is left alone */
    RG__LEFT_ANY = 15 | 64,
    RG__LEFT_ONE = 16, /* a single element was copied, too; */
    RG__LEFT_NONE = 32 /* it was left alone */
};

struct rg__trial {
    struct rg__load *l;
    struct rg_ctree *t;
    struct rg_cnode *block; /* the outermost */
    int from, to;           /* its statements from .. to - 1 */
    uint32_t may, reaches;  /* its statements (bits) that do what a sort does; that have the array */
    /* what they are taken to do: */
    int array, length;     /* what is sorted; the parameter that says how many */
    int first;             /* the parameter that says where the elements begin, and length says where they end; -1 */
    bool last;             /* ... namely, at the last of them, not behind it */
    int source;            /* the array that has the elements before, and keeps them; -1: the sorted one itself */
    int keys;              /* elements are places in this array, and go by what is there; -1 */
    struct rg_cnode *pick; /* only the element at this place must be the one that a sort puts there; NULL: all */
    int result;            /* ... and this variable has it behind the statements; -1: it is read from the array */
    uint64_t with;         /* arrays (bits) whose elements change places as those of the sorted one do, .. */
    uint64_t stands;       /* .. and those that nothing was seen to change */
    unsigned left[64];     /* by array: what it may be that the runs have left in others */
    int64_t alone_to[64];  /* ... at least 1: the most elements with which they left it alone */
    int64_t used_from[64]; /* ... and the fewest with which they did not */
    unsigned rounds[64];   /* by array, powers of two (bits) from 2 on: what B may be */
    bool made;             /* .. and the statements make the places themselves, from 0 on */
    bool not_negative;     /* asked of values below 0, they do not */
    bool by_bits;          /* real numbers, any of them, go by their bits */
    /* runs: */
    struct rg__interpreter run;
    uint64_t seed;
    int64_t steps, most_steps;
    int64_t looked;       /* steps of first runs */
    struct rg__value *in; /* what the elements begin as, or by what records and places are compared */
    int *place;           /* of elements that are places: which */
    int64_t n, at;        /* elements, and where the first one is */
    unsigned orders;      /* those that all runs agreed with */
    bool stable, quick;
    int kept;      /* runs that C defines and that were seen to sort; */
    int long_kept; /* of 40 elements and more */
    int undefined; /* others */
    bool guarded;  /* what was taken for a sort stays, for elements that are in no order */
};

/* ---- sorting_trials.c ---- */
/* Statements of the raw tree that sort an array become a sort. False: none does. */
bool rg__sorting_trials(struct rg__load *l);
/* May the variable say how many elements there are? */
bool rg__trial_is_length(const struct rg_ctree *t, int v);
/* The largest number that the block's statements from .. to - 1 and what they call mention, but for masks and shifts.
 */
int64_t rg__trial_largest_number(const struct rg__load *l, const struct rg_cnode *block, int from, int to);

struct rg__trial_was { /* a block, before anything was moved */
    struct rg_cnode *block, **kid;
    int n;
};
/* if (n < 2) return 0; at the top makes all that follows an arm: the arm of the block's last statement that `may` says
 * yes to, with what stands in front of the statement for it alone moved into it. NULL: there is none. `was` gets two
 * more blocks, which rg__trial_put_back makes as they were. */
struct rg_cnode *rg__trial_arm(struct rg_ctree *t, struct rg_cnode *block,
                               bool (*may)(const void *arg, const struct rg_cnode *n), const void *arg,
                               struct rg__trial_was *was, int *n_was);
void rg__trial_put_back(const struct rg__trial_was *was, int n);

/* ---- merging_trials.c ---- */
/* Statements of the raw tree that merge two arrays in order into a third: each element of that finds its place. */
bool rg__merging_trials(struct rg__load *l);

/* ---- sorting_trial_runs.c ---- */
enum rg__arrangement {
    RG__RANDOM,
    RG__RISING,
    RG__FALLING,
    RG__EQUAL,
    RG__FEW,
    RG__PIPE, /* up and down again */
    RG__N_ARRANGEMENTS
};
enum { RG__N_RANGES = 9 }; /* of values, from all that the type has to a few; the first one has negative ones */
void rg__trial_arrange(struct rg__trial *x, int64_t n, int range, enum rg__arrangement how);
/* Elements by their ranks; wide: some are negative, and no two are neighbours. */
void rg__trial_ranks(struct rg__trial *x, const int *rank, int n, bool wide);
/* Runs the statements on x->in. False: they do something else, or nobody can tell. */
bool rg__trial_sorts(struct rg__trial *x, int64_t most_steps);
/* Of what is compared; of real numbers that go by their bits, the integer of as many. */
enum rg_scalar rg__trial_type(const struct rg__trial *x);
bool rg__trial_signed(enum rg_scalar type);
const struct rg_field *rg__trial_field(const struct rg__trial *x, const char *name);
struct rg__value rg__trial_member(void *x, int64_t record, const char *name);

/* What the sort leaves in an array that it has as scratch; 0: it is none, or something else. */
unsigned rg__trial_left(const struct rg__trial *x, int array);
/* Is it left alone up to a number of elements, with which the sort takes another way, and is that number certain? */
bool rg__trial_left_from(struct rg__trial *x, int array, int64_t most);
/* Is it in `with`, and moved? */
bool rg__trial_with(const struct rg__trial *x, int array);

/* ---- sorting_trial_places.c ---- */
/* Do functions that are called allocate as much as they compute themselves? No device text says that. */
bool rg__trial_computes_lengths(const struct rg__trial *x, const struct rg_cnode *n, int depth);
/* Puts the sort there. */
bool rg__trial_replace(struct rg__trial *x);
#endif
