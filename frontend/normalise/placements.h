/* What placements.c (places by counters) and list_building.c (linked lists) share: both sort elements by their keys. */
#ifndef RG_FRONTEND_PLACEMENTS_H
#define RG_FRONTEND_PLACEMENTS_H
#include "frontend/normalise/canon.h"

/* An array of ours with n elements; its declaration goes to `out`. */
int rg__placed_scratch(struct rg_ctree *t, const char *name, enum rg_scalar elem, const struct rg_expr *n,
                       const struct rg_cnode *at, struct rg__kids *out);
/* to = value; */
struct rg_cnode *rg__placed_set(struct rg_ctree *t, struct rg_cnode *to, struct rg_cnode *value,
                                const struct rg_cnode *at);
/* if (c) yes; else no; -- no: may be NULL */
struct rg_cnode *rg__placed_either(struct rg_ctree *t, struct rg_cnode *c, struct rg_cnode *yes, struct rg_cnode *no,
                                   const struct rg_cnode *at);
/* A side of the comparison that a sort by those keys makes. */
struct rg_cnode *rg__placed_key(struct rg_ctree *t, int keys, const char *text);
#endif
