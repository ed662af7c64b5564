/* Elements of arrays and members of them as places: what reads them, what may set them. */
#ifndef RG_FRONTEND_ELEMENT_WRITES_H
#define RG_FRONTEND_ELEMENT_WRITES_H
#include "ir/ctree_util.h"

/* The element that a place is, or is a member of; the node itself where it is neither. */
const struct rg_cnode *rg__place_element(const struct rg_cnode *n);

/* An element of an array, or a member of one, that is no pointer and no structure. */
bool rg__is_element(const struct rg_cnode *n);

/* How often the subtree touches what `like` is an element of: its member, where it is one, or anything of the array. */
int rg__touches(const struct rg_cnode *n, const struct rg_cnode *like);

/* May running n set the place, an element or a member of one? */
bool rg__may_set_element(const struct rg_cnode *n, const struct rg_cnode *place);

/* May running n change what e is: a variable of it, or a place that it reads? */
bool rg__changes_place(const struct rg_ctree *t, const struct rg_cnode *n, const struct rg_cnode *e);

#endif
