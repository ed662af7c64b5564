/* Loop exits as predicates, in parts (loop_exits.c): bodies without jumps (loop_exits_body.c). */
#ifndef RG_FRONTEND_LOOP_EXITS_H
#define RG_FRONTEND_LOOP_EXITS_H

#include "frontend/normalise/canon.h"

struct rg__exits {
    struct rg_ctree *t;
    int go;        /* the flag */
    int done, ret; /* left by a return, with this value; -1 none */
    bool bad;
};

/* The statement `var = value;`, standing where `at` does. */
struct rg_cnode *rg__exit_set(struct rg_ctree *t, int var, struct rg_cnode *value, const struct rg_cnode *at);
/* The condition as 0 or 1. */
struct rg_cnode *rg__exit_truth(struct rg_ctree *t, struct rg_cnode *c);
/* The statements if the flag is set (or clear). */
void rg__exit_when(struct rg__exits *u, bool set_is, struct rg_cnode *const *items, int n, struct rg__kids *out);
/* The body without jumps; tail: what ends every iteration that was not left. Sets `bad` where it can't be done. */
void rg__exit_emit(struct rg__exits *u, struct rg_cnode *const *items, int n, const struct rg__kids *tail,
                   struct rg__kids *out);

#endif
