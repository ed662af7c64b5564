/* Where the C follows lists whose elements are named by their places. */
#ifndef RG_FRONTEND_INFER_LINKED_LISTS_H
#define RG_FRONTEND_INFER_LINKED_LISTS_H
#include <rg/ctree.h>

enum rg__list_kind { RG__LIST_NONE, RG__LIST_VALUE, RG__LIST_BELOW /* from the extent on */, RG__LIST_SELF };
struct rg__list_end { /* what the last element of a list holds */
    enum rg__list_kind kind;
    int64_t value;
};

/* Tells `next`, the element `next[k]` or `node[k].next` that a local integer k is set to in a loop, and by which value
 * of k its end is known. Cost: four walks of the tree. */
void rg__linked_lists(const struct rg_ctree *t,
                      void (*found)(void *arg, const struct rg_cnode *next, const struct rg__list_end *end), void *arg);
#endif
