/* What the elements that a tree writes are made of: every assignment to an array with the loops and conditions around
 * it, and the elements that its value goes back to through scalars. Flow-insensitive: a scalar stands for all its
 * assignments. */
#ifndef RG_FRONTEND_VALUES_H
#define RG_FRONTEND_VALUES_H
#include <rg/ctree.h>

enum { RG__VALUE_LOOPS = 16, RG__VALUE_GUARDS = 16 };

struct rg__write {
    const struct rg_cnode *assign; /* ASSIGN; or INCDEC */
    const struct rg_cnode *target; /* the INDEX written; NULL: scalar `var` */
    const struct rg_cnode *value;  /* NULL: of an INCDEC */
    int var;
    int n_loops, n_guards;
    const struct rg_cnode *loops[RG__VALUE_LOOPS];   /* LOOP, FOR, WHILE, DO around it, outermost first */
    const struct rg_cnode *guards[RG__VALUE_GUARDS]; /* conditions of IFs and of loops that run while they hold */
};

struct rg__writes {
    const struct rg_ctree *t;
    int n, cap;
    struct rg__write *items;
};
void rg__writes_gather(struct rg__writes *w, const struct rg_ctree *t);
void rg__writes_release(struct rg__writes *w);

struct rg__value_source {           /* an element that a value goes back to */
    const struct rg_cnode *element; /* INDEX */
    bool chosen;                    /* a condition, minimum or maximum of it, or beside it, says whether it is taken */
    bool scaled;                    /* it is multiplied or divided on the way */
    bool copied;                    /* nothing happens to it on the way */
    const struct rg_cnode *factor;  /* another element that it is multiplied with; NULL */
};
/* Calls fn for each source of e; of a subscript none. */
void rg__sources(const struct rg__writes *w, const struct rg_cnode *e,
                 void (*fn)(void *arg, const struct rg__value_source *s), void *arg);

/* Does e go back to that scalar? */
bool rg__goes_back_to(const struct rg__writes *w, const struct rg_cnode *e, int var);

/* Does it hang on which of two values is the larger, both of which go back to elements? */
bool rg__compares_elements(const struct rg__writes *w, const struct rg_cnode *e);

/* The INDEX that e is, through conversions, members and scalars with one assignment; NULL: it is more than a copy. */
const struct rg_cnode *rg__element_of(const struct rg__writes *w, const struct rg_cnode *e);
/* e, or what a scalar that it is was set to by its one assignment. */
const struct rg_cnode *rg__defined_as(const struct rg__writes *w, const struct rg_cnode *e);
#endif
