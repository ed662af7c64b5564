/* Visits every array element access of a tree with what is known at its place. */
#ifndef RG_IR_ACCESS_WALK_H
#define RG_IR_ACCESS_WALK_H
#include "ir/range.h"

struct rg__visit {
    struct rg_cnode *node;   /* INDEX, or VAR of an array used as a pointer */
    struct rg__range *range; /* loops and conditions around it */
    bool read, write;
    bool plain_write;  /* `=`: not read first */
    bool certain;      /* runs whenever its loops do; no condition, no opaque loop around it */
    bool one_of_twins; /* would be certain, were the code not written out for each array a pointer may mean, or did not
                          stand in a loop that ends when its data says so */
    bool first;        /* would be certain, were loops that end when their data says so not around it, all of which are
                          entered: it runs in the first round of each */
    bool pointer;      /* the whole array is passed on */
    const struct rg_cnode
        *member; /* the outermost of the chain of members that picks a part of the element; NULL the whole of it */
    const struct rg_cnode *from; /* then: from this element on (`a + i`, `&a[i]`), or NULL */
    int order;                   /* evaluation order, from 0 */
    const struct rg_cnode *stmt; /* the statement it stands in; NULL: a loop's bounds */
};

void rg__each_access(struct rg_ctree *t, struct rg_cnode *root, const struct rg__given *given,
                     void (*fn)(void *arg, const struct rg__visit *v), void *arg);
#endif
