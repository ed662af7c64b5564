/* Elements of integer arrays, and locals that hold one, where they are compared. */
#ifndef RG_FRONTEND_COMPARED_H
#define RG_FRONTEND_COMPARED_H
#include "frontend/load.h"

struct rg__seen;             /* compared_inputs.c */
struct rg__compared_member { /* an integer in the structures of an array: its elements count as those of a parameter */
    int param;
    const char *path;
};
struct rg__compared {
    const struct rg__load *l;
    const struct rg_ctree *t;
    const struct rg__compared_member *members; /* member k counts as parameter n_params + k */
    int n_members;
    int depth; /* of the helper */
    int *held; /* by variable: the parameter whose element it holds, -1 none, -2 several */
    struct rg__seen *seen;
};

/* The parameter of which e is an element, or a local that holds one; -1. */
int rg__compared_element(const struct rg__compared *x, const struct rg_cnode *e);
/* For rg__c_walk, arg a struct rg__compared: fills .held, in which parameters are -2 and others -1 before. */
bool rg__compared_held(void *arg, struct rg_cnode *n);
#endif
