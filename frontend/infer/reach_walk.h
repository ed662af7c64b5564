/* Reads off a tree what the subscripts of one array depend on, where no loop over sizes bounds them. */
#ifndef RG_FRONTEND_REACH_WALK_H
#define RG_FRONTEND_REACH_WALK_H
#include "frontend/infer/infer.h"
#include "frontend/infer/reach.h"

enum { RG__REACH_NEST = 24, RG__REACH_TIMES = 4096, RG__REACH_VALUES = 4 };

/* What a subscript is: `times` elements of `of` at most, `more` behind it. */
struct rg__reach_top {
    int of;
    bool run;    /* it stays below the element */
    bool counts; /* and goes from 0 or so: the element is a number of elements, no place among all */
    int64_t times, more;
};

struct rg__reach_walk {
    struct rg__load *l;
    const struct rg_ctree *t;
    int param, dim;                /* whose extent is looked for, in which dimension */
    const struct rg_cnode **value; /* by variable: what it is set to, where that is in one place */
    bool *several;                 /* and where it is in several */
    bool *written;                 /* by parameter */
    int n_loops, n_guards;
    const struct rg_cnode *loop[RG__REACH_NEST], *guard[RG__REACH_NEST];
    const struct rg_cnode *guarded[RG__REACH_NEST]; /* the node that each guard is of, where the guard is true here */
    const struct rg_cnode *at;                      /* the access that is looked at */
    struct rg__reach found;
    bool run[RG__MAX_REACH];      /* by source: it bounds a loop */
    const struct rg_cnode *fixed; /* no data, but an expression of the sizes is above its subscripts */
    int parts_of;       /* the source of which each access takes one of `parts` elements: corners[3 * t + 1] */
    int64_t parts, had; /* and those that are taken: a bit each */
    bool searched;      /* as halves of an interval are tried */
    bool counts;        /* all of them bound loops from 0: numbers of elements */
    bool flat;          /* its subscripts are those of the whole block, whatever its rows */
    bool loosely;       /* elements that conditions leave out, and members of structures, count, too */
    int64_t added;      /* then: the largest number that is added to what leads there */
    bool bad;
    struct rg__given *given; /* what locals keep within through all loops; NULL: nobody asked yet */
    struct rg__invariants *known;
};

/* Once a tree: what its variables are set to, which arrays it writes. */
void rg__reach_walk_init(struct rg__reach_walk *w, struct rg__load *l);
void rg__reach_walk_release(struct rg__reach_walk *w);
/* Fills in what is known of the subscripts of parameter `param`; .bad: nothing. */
void rg__reach_walk(struct rg__reach_walk *w, int param);
/* The array parameter of integers that the function does not write whose element this is, subscripted by loops
 * (from_start: those from 0); -1. */
int rg__reach_source(const struct rg__reach_walk *w, const struct rg_cnode *e, bool from_start);
/* Calls fn with the e of each `var < e` that is true at `place`: a condition around the access says so, and nothing
 * changes the variable in between. True: fn took one. */
bool rg__reach_guarded(const struct rg__reach_walk *w, int var, const struct rg_cnode *place,
                       bool (*fn)(void *arg, const struct rg_cnode *e), void *arg);
/* Has the variable at the place the value that it had when the condition of `of` was true? */
bool rg__reach_still_holds(const struct rg__reach_walk *w, const struct rg_cnode *of, const struct rg_cnode *guard,
                           const struct rg_cnode *place, int var);
/* fn with the e of each `var < e` that must be true where c is; true: it took one. */
bool rg__reach_bounds(const struct rg_cnode *c, int var, bool (*fn)(void *arg, const struct rg_cnode *e), void *arg);
/* reach_sum.c: the top of a sum, where no single term is. */
bool rg__reach_sum(const struct rg__reach_walk *w, const struct rg_cnode *e, struct rg__reach_top *out);
/* reach_sizes.c: a subscript that a condition around it or the halving of an interval keeps below an expression of
 * sizes: sets .fixed. */
bool rg__reach_by_sizes(struct rg__reach_walk *w, const struct rg_cnode *subscript);
/* The same of what its locals keep within through all loops, where nothing nearer says it. */
bool rg__reach_kept(struct rg__reach_walk *w, const struct rg_cnode *subscript);
/* reach_sizes.c: a subscript in an interval between elements of an array that is halved: the columns of a row. */
bool rg__reach_halved(const struct rg__reach_walk *w, const struct rg_cnode *subscript, struct rg__reach_top *out);
/* What is searched by halves is in order: its input where nobody states one. */
void rg__reach_sorted(struct rg__reach_walk *w, struct rg_param *q);
/* own_rows.c: is each row that the parameter's member leads to as long as the one element found says that has its own
 * subscript? */
bool rg__reach_own_rows(const struct rg__reach_walk *w, int param);
#endif
