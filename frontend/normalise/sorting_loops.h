/* The inside of rg__canon_sorts: loops that bring an array into order by comparing and moving its elements. */
#ifndef RG_FRONTEND_SORTING_LOOPS_H
#define RG_FRONTEND_SORTING_LOOPS_H
#include "frontend/normalise/counted_loops.h"

struct rg__sorting { /* what a nest does, once its form is known: it sorts elements base + lo .. base + hi - 1 */
    struct rg_ctree *t;
    struct rg__range *r;
    struct rg_cnode *block; /* the nest is block->kid[at] */
    int at;
    struct rg_cnode *nest;
    const struct rg_cnode *like; /* one of its elements: all have this array and these subscripts but the last */
    struct rg__poly base, lo, hi;
    struct rg_cnode *upper;  /* what hi is, for who has no range of its own with the parts of it; NULL: hi says it */
    struct rg_cnode *key[2]; /* what two elements are compared by, with a mark for the element */
    bool descending;
    bool equal_move;                 /* equal elements change places, too */
    bool stable;                     /* equal elements stay in their order */
    bool not_negative;               /* it sorts where no key is below 0 */
    bool one_to_one;                 /* different elements have different keys, which their text does not tell */
    int n_locals, local[2];          /* places by name, as an exchange in a function of its own has them .. */
    const struct rg_cnode *value[2]; /* .. and what they are */
    int keys;                        /* array: elements are places in it, and keys what it has there; -1 */
    struct rg__kids before;          /* statements in front of all; released with the sort put there */
    struct rg_cnode *behind;         /* a statement behind the sort, where that is run; NULL */
    struct rg__kids front;           /* statements in front of the sort, where that is run; released likewise */
    int shrinks;                     /* a variable of hi that the nest takes 1 from after each pass; -1 none */
};

/* May a sort take its place? Elements that are equal may be told apart only if it keeps their order. */
bool rg__sorting_may(struct rg__sorting *s, const struct rg_problem *p);
/* Puts a sort in place of `count` statements from s->at on, which are s->nest. Numbers that have no place in an order
 * are left to the nest. */
void rg__sorting_replace(struct rg__sorting *s, int count);
/* The same sort of elements lo .. hi - 1 of another array, as a statement. */
struct rg_cnode *rg__sorting_part(const struct rg__sorting *s, int array, struct rg__poly lo, struct rg__poly hi);
/* Is the nest one of the forms? */
bool rg__sorting_form(struct rg__sorting *s);

/* ---- sorting_parts.c ---- */
enum { RG__MOST_STATEMENTS = 8 };

struct rg__list { /* statements in order, blocks opened, declarations without a value left out */
    int n;
    const struct rg_cnode *s[RG__MOST_STATEMENTS + 1];
};

struct rg__element { /* at a place, or held by a variable */
    const struct rg__poly *at;
    int held;
};

struct rg__list rg__sorting_statements(const struct rg_cnode *n);
/* The last subscript of an element of the array that is sorted. */
bool rg__sorting_place(struct rg__sorting *s, const struct rg_cnode *e, struct rg__poly *at);
struct rg__poly rg__sorting_plus(const struct rg__poly *a, int64_t k);
/* a - b, a number. */
bool rg__sorting_gap(const struct rg__poly *a, const struct rg__poly *b, int64_t *out);
bool rg__sorting_scalar(const struct rg_cnode *e);
/* v = e, as a statement or a declaration: e; v in *var. */
struct rg_cnode *rg__sorting_sets(const struct rg_cnode *n, int *var);
/* a[x] = a[y] */
bool rg__sorting_moves(struct rg__sorting *s, const struct rg_cnode *n, struct rg__poly *to, struct rg__poly *from);
/* v = a[x] */
bool rg__sorting_takes(struct rg__sorting *s, const struct rg_cnode *n, int *var, struct rg__poly *from);
/* a[x] = v */
bool rg__sorting_puts_back(struct rg__sorting *s, const struct rg_cnode *n, int var, struct rg__poly *to);
/* Statements from `at` on that exchange two elements. */
bool rg__sorting_exchanges(struct rg__sorting *s, const struct rg__list *l, int at, struct rg__poly *x,
                           struct rg__poly *y);
/* `long x_at = i;` in front of an exchange. */
void rg__sorting_open_places(struct rg__sorting *s, struct rg__list *l, int at);
bool rg__sorting_two(const struct rg__poly *a, const struct rg__poly *b, const struct rg__poly *x,
                     const struct rg__poly *y);
/* Does the condition say that the one in front belongs behind the other? */
bool rg__sorting_out_of_order(struct rg__sorting *s, const struct rg_cnode *c, struct rg__element front,
                              struct rg__element behind);
bool rg__sorting_breaks(const struct rg_cnode *n);
#endif
