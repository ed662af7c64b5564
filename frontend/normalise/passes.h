/* The passes that give the tree its shape: one table, in the order in which they run. */
#ifndef RG_FRONTEND_PASSES_H
#define RG_FRONTEND_PASSES_H
#include "frontend/load.h"
#include "ir/ctree_verify.h"

enum rg__stage {       /* passes that run together */
    RG__STAGE_LOOPS,   /* what makes counted loops of the raw tree */
    RG__STAGE_SHAPE,   /* the canonical tree, and its arrays' dimensions; tried again where symbols for products may serve better */
    RG__STAGE_EXTENTS, /* extents, and what needs them */
    RG__N_STAGES
};

struct rg__pass {
    const char *name, *what;
    enum rg__stage stage;
    /* one of these three */
    void (*tree)(struct rg_ctree *t);
    void (*problem)(struct rg_ctree *t, const struct rg_problem *p);
    enum rg_status (*load)(struct rg__load *l);
    unsigned needs, gives; /* facts about the tree: bits that passes.c names */
    enum rg__c_level level; /* the tree's, after it */
    const char *again;     /* why it runs once more; NULL: it has not run yet */
};
extern const struct rg__pass rg__passes[];
extern const int rg__n_passes;

/* Behind everything that was done to the tree: who asked for it hears of it (rg_frontend_options.pass), and where RG_VERIFY is set the tree
 * is checked: RG_BUG names the pass that broke a promise. */
enum rg_status rg__pass_done(struct rg__load *l, const char *name, const char *what, enum rg__c_level level, double seconds);
/* All of them: from the raw tree to the canonical one with dimensions and extents. */
enum rg_status rg__normalise(struct rg__load *l);
#endif
