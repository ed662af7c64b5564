/* Nodes and arrays of a changed tree, and affine values of isl's as nodes. */
#ifndef RG_POLY_MAKE_NODES_H
#define RG_POLY_MAKE_NODES_H
#include "poly/analysis/scop.h"
#include <isl/aff.h>
#include <isl/set.h>

struct poly_maker {
    struct poly_scop *s; /* as it was */
    struct rg_arena *a;
    struct rg_ctree *t;        /* what it becomes */
    const struct rg_cnode *at; /* where new nodes stand in the file */
};

struct rg_cnode *rg__poly_make(struct poly_maker *m, enum rg_c_kind kind, enum rg_c_op op, enum rg_scalar type, int n,
                               struct rg_cnode **kid);
struct rg_cnode *rg__poly_make_two(struct poly_maker *m, enum rg_c_kind kind, enum rg_c_op op, struct rg_cnode *a,
                                   struct rg_cnode *b);
struct rg_cnode *rg__poly_make_int(struct poly_maker *m, int64_t v);
struct rg_cnode *rg__poly_make_var(struct poly_maker *m, int var);
/* The code with one scalar in another's place. */
struct rg_cnode *rg__poly_with_var(struct poly_maker *m, const struct rg_cnode *n, int var, int by);
/* A new scratch array, FROM_WHAT or with a number behind; dims are the arena's. */
int rg__poly_make_array(struct poly_maker *m, const char *from, const char *what, enum rg_scalar type, int n_dims,
                        const struct rg_expr **dims);
/* A new scalar, FROM_WHAT or with a number behind, otherwise as `like`. */
int rg__poly_make_scalar(struct poly_maker *m, int like, const char *what);

/* An affine value over the parameters, if it is one in one piece and whole; takes p, *out is the caller's. */
bool rg__poly_one_piece(__isl_take isl_pw_aff *p, isl_aff **out);
int64_t rg__poly_number(__isl_take isl_val *v);
/* The value as a tree (node; NULL: it is not asked for) and as the problem's expression (text), plus `more`. The tree
 * is of signed parameters alone: others may wrap round on the way. */
bool rg__poly_make_value(struct poly_maker *m, isl_aff *f, int64_t more, struct rg_cnode **out, struct rg_buf *text);
/* Values of the variables of a loop and of those around it, over all that runs in it. */
isl_set *rg__poly_iterations(const struct poly_scop *s, int loop);
#endif
