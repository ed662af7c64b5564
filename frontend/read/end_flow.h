/* Which pointer parameters lead into one array: where the pointers of a function come from, and what they meet. */
#ifndef RG_FRONTEND_END_FLOW_H
#define RG_FRONTEND_END_FLOW_H
#include "frontend/read/build.h"

enum { RG__END_PARAMS = 30 };

enum rg__meeting {
    RG__COMPARED = 1,     /* in any way */
    RG__BOUND_BY = 1 << 1 /* a loop goes on until they meet: that has a meaning in one array alone */
};

struct rg__end_flow { /* by parameters; they are the same array's so far as what leads to both says */
    int n;
    struct rg__end_facts {
        bool read, unknown; /* memory is accessed through it; it goes, or comes from, where nobody follows it */
        unsigned meets[RG__END_PARAMS]; /* RG__COMPARED, .. bits */
        int below[RG__END_PARAMS];      /* how much says that it is the lower of the two */
        unsigned needs; /* bits of those that it must not be behind: the C would not end, or goes outside */
    } of[RG__END_PARAMS];
};

/* Of the function and those that it calls. Cost: a few walks of their bodies. */
void rg__end_flow(struct rg__build *b, const struct rg__function *f, struct rg__end_flow *out);
#endif
