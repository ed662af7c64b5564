/* The inside of rg__canon_placements: what a nest that places elements by counters consists of. */
#ifndef RG_FRONTEND_PLACEMENTS_FORM_H
#define RG_FRONTEND_PLACEMENTS_FORM_H
#include "frontend/normalise/counted_loops.h"

enum { RG__MOST_PLACED = 8, RG__MOST_FRONT = 16, RG__MOST_READS = 16, RG__MOST_LEVELS = 3 };

struct rg__placement {
    struct rg_ctree *t;
    const struct rg_cnode *loop; /* the outermost loop of the nest */
    int n_levels;
    struct rg__counted level[RG__MOST_LEVELS];
    int between[RG__MOST_LEVELS]; /* how many of the front stand in front of that level's loop */
    bool rows;                    /* two levels, of which data bound the inner one */
    struct rg_cnode *body;        /* of the innermost loop */
    int counter;                  /* array */
    struct rg_cnode *key;         /* the counter's subscript */
    bool down;                    /* it is counted down */
    int n_front, n_reads, n_stores;
    struct {
        const struct rg_cnode *node; /* a declaration of a scalar, or a condition of all that follows */
        bool condition;
    } front[RG__MOST_FRONT];
    struct {
        const struct rg_cnode *node; /* reads the counter */
        bool moved;                  /* ... behind its step */
    } read[RG__MOST_READS];
    const struct rg_cnode *stores[RG__MOST_PLACED]; /* statements that store */
    int written[RG__MOST_PLACED];                   /* the arrays they store to */
};

/* Does the loop at p->loop have that form? */
bool rg__placement_form(struct rg__placement *p);
/* e over parameters, where it is of locals that are set once and to such; else NULL. */
struct rg_cnode *rg__placement_of_params(struct rg_ctree *t, const struct rg_cnode *e);
/* e with the values of the front's declarations, of which the first n stand in front of it. */
struct rg_cnode *rg__placement_opened(struct rg__placement *p, const struct rg_cnode *e, int n);
struct rg__placing { /* what the nest becomes */
    struct rg__placement form;
    struct rg_ctree *t;
    const struct rg_cnode *loop;
    enum rg_scalar number;  /* of elements */
    struct rg_cnode *trips; /* how many elements there are at most */
    int element;            /* stands for an element's number in `start`; -1: the loop's own variable does */
    struct rg_cnode *start[RG__MOST_LEVELS]; /* each level's variable at an element; NULL: it is the element's number */
    int row_of;                              /* array: an element's row, below 0 if it has none; -1 */
    int keys, order, at;                     /* arrays of ours */
    bool some;                               /* elements may have no place */
    struct rg_cnode *rows;                   /* how many rows there are */
};

/* ---- placements.c ---- */
/* How often the level's loop runs. */
bool rg__placing_trips(struct rg_ctree *t, struct rg__range *r, const struct rg__counted *h, struct rg__poly *n);
/* `for (step ..) { mid = ..; if (lo < hi) { if (below) lo = mid + 1; else hi = mid; } }` behind lo and hi: the first
 * between them that is not below. */
void rg__placing_bisect(struct rg__placing *p, int lo, int hi, int mid, int step, struct rg_cnode *below,
                        struct rg__kids *out);
/* for (v = 0; v < upper; v++) body */
struct rg_cnode *rg__placing_counted(struct rg__placing *p, int v, struct rg_cnode *upper, struct rg__kids *body);

/* ---- placements_tiles.c ---- */
/* Places, in p->at, of elements among counters of a number that the file says; arrays: of ours, declared in front.
 * false: there are no such counters. */
bool rg__placing_tiles(struct rg__placing *p, struct rg__kids *arrays, struct rg__kids *out);

/* ---- placements_rows.c ---- */
/* Rows whose beginnings and ends data say, as those of sparse matrices: elements are what the inner loop's variable
 * comes by. *n: how many they are at most. */
bool rg__placing_in_rows(struct rg__placing *p, struct rg__load *l, struct rg__range *r, struct rg__poly *n);
/* for e: the row that ends behind e, and none does in front of it; if that begins behind e, none. */
struct rg_cnode *rg__placing_rows(struct rg__placing *p);
/* Statements that look whether elements come by no more than once and in their order: the condition of it, negated. */
struct rg_cnode *rg__placing_crossing(struct rg__placing *p, struct rg__kids *out);
#endif
