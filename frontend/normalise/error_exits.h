/* The inside of rg__canon_errors: loops that an error ends. */
#ifndef RG_FRONTEND_ERROR_EXITS_H
#define RG_FRONTEND_ERROR_EXITS_H
#include "frontend/normalise/counted_loops.h"

enum { RG__ERRORS_FRAMES = 48, RG__ERRORS_KNOWN = 8 };

struct rg__frame { /* where the code is, in a block */
    const struct rg_cnode *block;
    int at;
    bool loop; /* the block is a loop's body */
};

struct rg__way { /* blocks around a place, the innermost last */
    int n;
    struct rg__frame f[RG__ERRORS_FRAMES];
};

struct rg__known { /* scalars that are numbers */
    int n, var[RG__ERRORS_KNOWN];
    int64_t value[RG__ERRORS_KNOWN];
};

struct rg__errors {
    struct rg_ctree *t;
    struct rg__way around; /* the loop's own place last */
    struct rg_cnode *loop;
    struct rg__counted h;
    int failed;           /* was there an error? */
    int left, value;      /* of the loop that leaves: that it did, and what it returns; -1 */
    bool in_loop;         /* another loop stands around it */
    bool returns, breaks; /* how errors leave it */
    bool places;          /* one gives a counter's: that of steps in time, where no store goes by it */
    bool numbers;         /* every return gives a number other than 0, or a counter's, or says such a one elsewhere */
    bool nested;          /* one leaves from a loop inside */
    bool bad;
    bool *own, *derived; /* [var] declared in the body; and changes with the counter */
    bool *saved;         /* [array] */
    bool *by_place;      /* [array] ... where the loop writes it: nobody knows its extent, or a loop is around */
    int n_vars, n_arrays;
    struct rg__known at_break; /* what all breaks say */
    struct rg__known entry;    /* what flags are in front of the loop, which the body then must leave alone */
    const bool *watched;       /* [array] is one of them named where lead() comes by? */
    bool touched;
};

enum rg__leads {
    RG__LEADS_NOWHERE, /* nobody knows, or on into the next iteration */
    RG__LEADS_OUT,     /* past the end of all frames */
    RG__LEADS_BACK
};

/* ---- error_exits_paths.c ---- */
/* False: too deep. */
bool rg__way_push(struct rg__way *w, const struct rg_cnode *block, int at, bool loop);
void rg__known_learn(struct rg__known *k, int var, int64_t value);
/* The value of an integer expression; false: not known. */
bool rg__known_number(const struct rg__known *k, const struct rg_cnode *e, int64_t *out);
/* Goes on behind the place of the innermost frame; *back: the return that it comes to. */
enum rg__leads rg__way_leads(struct rg__errors *e, struct rg__way *w, struct rg__known *k,
                             const struct rg_cnode **back);
/* Nothing but numbers for scalars, at least one. */
bool rg__errors_codes(const struct rg_cnode *arm);
/* Does whoever comes here leave the loop by an error? By a jump, or as what follows goes by the numbers set here. Notes
 * how. */
bool rg__errors_fails(struct rg__errors *e, const struct rg__way *in, const struct rg_cnode *arm);
/* ---- error_exits_places.c ---- */
/* The loop with nothing left in it but to[..] = from[..] wherever it writes array[..]; NULL: what it computes says
 * where that is. */
struct rg_cnode *rg__errors_copied(struct rg_ctree *t, const struct rg_cnode *loop, int array, int to, int from);
#endif
