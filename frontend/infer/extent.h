/* Extents of flat pointers read off their accesses, and the conditions under which accesses stay inside written
 * extents. */
#ifndef RG_FRONTEND_EXTENT_H
#define RG_FRONTEND_EXTENT_H
#include "ir/range.h"

struct rg__derived { /* conditions the analysis needs; each >= 0 as an expression over parameters */
    int n, cap;
    struct rg__requirement {
        const struct rg_expr *expr; /* "k <= lda" */
        const char *text, *why;
    } * items;
    /* Does it hold at every size the user gave? A condition that does not is not asked for. */
    bool (*holds)(void *arg, const struct rg_expr *e);
    /* Is a size in it not chosen yet? Then it may be chosen so that the condition holds. place: of a place, which is 1.
     */
    bool (*open)(void *arg, const struct rg_expr *e, bool place);
    void *arg;
};

/* The extents of dims[0] == NULL parameters, from accesses that certainly execute. false: param's stays unknown. */
bool rg__infer_dim(struct rg_ctree *t, const struct rg_problem *p, int array, int dim, struct rg_arena *a,
                   const struct rg_expr **out);
bool rg__infer_extent(struct rg_ctree *t, const struct rg_problem *p, int array, struct rg_arena *a,
                      const struct rg_expr **out);
/* index_kinds.c: adds to g->held what locals and elements stay below where they subscript arrays of known extents. For
 * extents of others alone. */
void rg__given_kinds(struct rg_ctree *t, const struct rg_problem *p, struct rg__given *g);
/* Rows of a delinearised array that its accesses span. */
bool rg__infer_rows(struct rg_ctree *t, const struct rg_problem *p, int array, const struct rg_expr **out);
/* The function's own memory, whose rows nobody can say to be whole ones: as many as hold all of it. Where it
 * is none, or they are known, they stay. */
const struct rg_expr *rg__rows_that_hold(struct rg_ctree *t, const struct rg_carray *x);
/* Conditions under which certain accesses stay inside written extents. */
void rg__bounds_requirements(struct rg_ctree *t, const struct rg_problem *p, struct rg_arena *a,
                             struct rg__derived *need);
/* Conditions under which elements that nobody knows the row of (rg_c_linear), whose place parameters say alone, stay
 * inside their arrays. Asked for where the sizes say where they are: otherwise every place would need a size. */
void rg__place_requirements(struct rg_ctree *t, const struct rg_problem *p, struct rg_arena *a,
                            struct rg__derived *need);
#endif
