/* The inside of rg__canon_work_lists: a graph search that keeps what is still to be visited in a queue or on a stack.
 */
#ifndef RG_FRONTEND_WORK_LISTS_H
#define RG_FRONTEND_WORK_LISTS_H
#include "frontend/normalise/canon.h"

enum { RG__LIST_PUSHES = 12, RG__LIST_READS = 12 };

struct rg__list_level { /* an array whose elements are what the vertex was found from, and more: D[w] = D[u] + by */
    int array;
    int64_t first, by; /* of the first vertex; greater than 0 */
};

struct rg__list { /* a loop over rounds: each visits what the round before has put on the list */
    struct rg_ctree *t;
    struct rg_cnode *block; /* where the loop stands */
    int at;
    struct rg_cnode **front; /* what runs before the loop: statements of the blocks around it, then of its own */
    int n_front;
    struct rg_cnode *loop, *body;
    struct rg_cnode *inner; /* the body's loop over one level; NULL: a round visits one */
    struct rg_cnode *work;  /* what is done with one */
    int first, end;         /* its statements: behind the one that takes a vertex from the list */
    int out, in;            /* arrays: that vertices are put on, are taken from */
    int head, tail;         /* variables; head -1: the list is emptied as a whole, or a stack */
    bool stack;
    int u;       /* variable: the vertex */
    int sources; /* in `block`: the statement that puts the first vertex on the list, or the loop that puts several */
    const struct rg_cnode *seeds; /* that loop; NULL */
    struct rg_cnode *seed;        /* the statement */
    int mark;                     /* array whose elements say who was found; -1 until it is known */
    double clear;                 /* what those have who were not */
    double source_mark;
    bool preset; /* marks were set before: who can be found has one for which `mark open_op open_k` holds */
    enum rg_c_op open_op;
    double open_k;
    struct rg_cnode *vertices; /* how many there are */
    int n_pushes;
    const struct rg_cnode *pushed[RG__LIST_PUSHES]; /* statements */
    const struct rg_cnode *found[RG__LIST_PUSHES];  /* the block that each stands in: what is done with who is found */
    int n_levels;
    struct rg__list_level level[4];
    int n_reads; /* elements of levels that are read behind the store to them: of who was found just now */
    struct {
        const struct rg_cnode *element;
        int level;
    } read[RG__LIST_READS];
    bool bounded; /* there must be at most `clear` vertices */
};

/* --- work_lists_forms.c --- */
bool rg__list_is_var(const struct rg_cnode *e, int var);
/* One place: conversions that may change it are in both. */
bool rg__list_same(const struct rg_cnode *a, const struct rg_cnode *b);
/* The scalar that the statement gives the value to; -1. */
int rg__list_gives(const struct rg_cnode *k, const struct rg_cnode **value);
/* `list[tail] = x; tail++;`: x; NULL: it is none. */
const struct rg_cnode *rg__list_pushed(const struct rg__list *l, const struct rg_cnode *stmt);
/* tail += 1 */
bool rg__list_moves_tail(const struct rg__list *l, const struct rg_cnode *stmt);
bool rg__list_of_mark(const struct rg__list *l, const struct rg_cnode *e);
/* `mark[place] op k`; a mark alone is != 0. */
bool rg__list_asked(const struct rg__list *l, const struct rg_cnode *test, const struct rg_cnode **mark,
                    enum rg_c_op *op, double *k);
/* Does the test ask whether a vertex was found? 1: it holds where it was not, 0: where it was, -1: it is another.
 * *place: which vertex. */
int rg__list_asks(const struct rg__list *l, const struct rg_cnode *test, const struct rg_cnode **place);
/* Which level array's element of the vertex the node is; -1. */
int rg__list_level_of(const struct rg__list *l, const struct rg_cnode *e);
/* The same of who was found, behind the store to it. */
int rg__list_level_read(const struct rg__list *l, const struct rg_cnode *e);
/* --- work_lists_proof.c --- */
/* Is the result the same, whatever the order in which the vertices of one level are visited? Fills in pushes, marks
 * and levels. */
bool rg__list_proven(struct rg__list *l);
/* --- work_lists_begun.c --- */
/* Everybody's element of the array is filled with one number in front of the loop, then the first vertex gets its own:
 * both, and how many there are; NULL: it is not so. */
const struct rg_cnode *rg__list_begun(const struct rg__list *l, int array, const struct rg_cnode *source, double *clear,
                                      double *first);
/* for i: array[i] = number, with other statements about other arrays beside it: up to where; NULL. */
const struct rg_cnode *rg__list_fills(const struct rg_cnode *k, int array, double *v);
/* The statements in front put one vertex on the empty list, or a loop there does several. Says which. */
bool rg__list_begins(struct rg__list *l);
/* --- work_lists_sources.c --- */
/* The one statement of the loop that puts a vertex on the list; NULL: it does so in another way. */
struct rg_cnode *rg__list_seed(const struct rg__list *l, const struct rg_cnode *loop);
/* Do l's seeds give those whom they put there one number in the array, and, where that is the mark, nobody twice? */
bool rg__list_seeds_have(const struct rg__list *l, int array, double clear, double *first);
/* Are those of l's seeds that have a mark already, or get it there, none of whom the search may find, each on the list
 * once? */
bool rg__list_seeds_closed(const struct rg__list *l);
/* --- work_lists_preset.c --- */
/* Nobody filled the marks: those may be found for whom one test of marks holds, which `value` ends, the mark of who is
 * found. Says which test, and how many marks there are. */
bool rg__list_preset(struct rg__list *l, const struct rg_cnode *source, const struct rg_cnode *value);
/* Is who has that mark not to be found? */
bool rg__list_closed_by(const struct rg__list *l, double v);
/* Does the condition say that x can't be found? */
bool rg__list_closes(const struct rg__list *l, const struct rg_cnode *c, const struct rg_cnode *x);
/* Is b what a is, of the vertex `other` instead of `who`? */
bool rg__list_alike(const struct rg_cnode *a, const struct rg_cnode *who, const struct rg_cnode *b,
                    const struct rg_cnode *other);
/* When vertex `at` is visited, before it is known: -1, or no round at all. */
struct rg_cnode *rg__list_not_yet(const struct rg__list *l, struct rg_cnode *at);
/* --- work_lists_extremes.c --- */
/* `if (value > var) var = value;` and its like: the most, or the least, of values. */
bool rg__list_extreme(const struct rg_cnode *stmt, int *var, const struct rg_cnode **value, bool *most);
/* Those of a loop whose value is one for all: what stands in front of the loop for it, and behind. */
void rg__list_extremes_behind(struct rg_ctree *t, struct rg_cnode *loop, struct rg__kids *before,
                              struct rg__kids *behind);
void rg__own_scalars(struct rg_ctree *t); /* own_scalars.c */
#endif
