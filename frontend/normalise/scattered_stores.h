/* The inside of rg__canon_scattered: stores whose order is free, in one loop. */
#ifndef RG_FRONTEND_SCATTERED_STORES_H
#define RG_FRONTEND_SCATTERED_STORES_H
#include "frontend/normalise/update_rounds.h"

enum { RG__SCATTERED_MOST = 32, RG__SCATTERED_READS = 96 };

enum rg__scattered { RG__SCATTER_NONE, RG__SCATTER_ONE, RG__SCATTER_LESS, RG__SCATTER_MORE };

struct rg__holds { /* a condition, or a part of one, that holds where something stands, or does not */
    const struct rg_cnode *c;
    bool holds;
    int first_read, n_reads; /* the elements that it asks for */
};

struct rg__effect {                     /* a store to an element, or to a scalar from outside the loop */
    const struct rg_cnode *stmt, *loop; /* the innermost loop around it */
    const struct rg_cnode *to;          /* INDEX, VAR; NULL: the end of a loop, a local's new value */
    const struct rg_cnode *value;       /* of SET; NULL: an update of what stands there */
    int n;
    struct rg__holds facts[RG__ROUNDS_FACTS];
};

struct rg__element { /* an element that is read */
    const struct rg_cnode *node;
    const struct rg_cnode *compared; /* the relation with what does not change that asks for it, or the condition that
                                        asks whether it is 0; NULL: its value is needed */
    const struct rg_cnode *with;     /* what it is compared with; NULL: 0 */
    enum rg_c_op op;                 /* of `node op with` */
    bool in_fact;                    /* conditions of effects ask for it, nothing else */
};

struct rg__scatter { /* a loop with such stores */
    struct rg_ctree *t;
    const struct rg__given *given;
    const struct rg_cnode *loop;
    const struct rg_cnode *const *around; /* the loops around it */
    int n_around, n_vars, n_arrays;
    const struct rg_cnode **is;   /* [var] the value that a local of the loop is declared with and keeps */
    bool *own, *set;              /* [var] declared in the loop; assigned in it */
    bool *link;                   /* [var] goes from link to link, at the head of a loop alone: one value in its body */
    bool *from_data;              /* [var] a local that is declared as what an element says */
    bool *flag;                   /* [var] assigned in it, and asked whether it is 0 everywhere else, nothing more */
    const struct rg_cnode **part; /* [var] of a sum that an iteration has of its own: `sum += var`; NULL */
    bool *written, *updated;      /* [array] stored to in it; otherwise than by = */
    enum rg__scattered *kind;     /* [array] what all stores to it are, whose order is free */
    bool *counted;                /* [var] a sum of what is done but once to each element */
    int *counted_in;              /* [var] ... of this array */
    int n_effects, n_reads;
    struct rg__effect effect[RG__SCATTERED_MOST];
    struct rg__element read[RG__SCATTERED_READS];
    bool *left;      /* [var] a scalar from outside that keeps its form: what it gets is an iteration's */
    bool assume;     /* the user says that the order does not matter */
    const char *why; /* what keeps it from being one of these; NULL: nothing */
};

/* Follows the loop's statements: fills in effects and reads. */
void rg__scatter_follow(struct rg__scatter *s);
/* May its iterations go by the elements as the loop found them, in any order? */
bool rg__scatter_proven(struct rg__scatter *s);
const struct rg_cnode *rg__scatter_resolve(const struct rg__scatter *s, const struct rg_cnode *e);
/* With what the user says: may they, at all? */
bool rg__scatter_assumable(struct rg__scatter *s);
/* Is the element one that no other iteration stores to? */
bool rg__scatter_held(const struct rg__scatter *s, const struct rg_cnode *element);
/* Does data say which element it is? */
bool rg__scatter_led(const struct rg__scatter *s, const struct rg_cnode *element);
#endif
