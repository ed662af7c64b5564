/* Runs in kernel IR: what iterations in a row do to the values that a loop carries, as a value for each of its members;
 * how runs are put together, exchanged among threads and applied; and the code of one iteration that makes its run. */
#ifndef RG_POLY_RUN_CODE_H
#define RG_POLY_RUN_CODE_H
#include "poly/kernel/recurrence.h"
#include "poly/kernel/thread_code.h"

enum {
    POLY_MEMBERS = POLY_MAX_CARRIED * (POLY_MAX_CARRIED + 1),
    POLY_FRACTION = 4, /* members of (a * x + b) / (c * x + d) */
    POLY_TWICE = 4     /* expressions that both passes of a step need */
};

struct poly_run { /* one: its members' values */
    struct kir_node *of[POLY_MEMBERS];
};

struct poly_meeting { /* of a block's threads: what each warp and those in front of it do, in the lane of its number */
    struct kir_node *lane, *warp;
    struct poly_run warps, all;
};

struct poly_run_code { /* of a scan, the arena's */
    const struct poly_scan *sc;
    struct poly_thread *t;
    struct poly_pass pass;
    struct kir_kernel *k;
    int n;
    struct poly_member {
        int row, col; /* col -1: what is added, or all of an operator's */
        enum rg_scalar type;
        const char *name;
    } at[POLY_MEMBERS];
    const struct poly_run *own; /* the iteration's part goes into it, SCALARs: the pass that makes runs; NULL */
    struct kir_node **part;     /* [var * (n + 1) + col + 1] parts of a scalar that depends on carried ones */
    struct kir_node *next[POLY_MEMBERS];     /* what an element's chain comes to hold at the iteration's end; NULL */
    int col;                                 /* carried values mean what goes with that one; -1: what is added */
    bool sums;                               /* those with a bound mean what is added to them */
    struct kir_node *now[POLY_MAX_CARRIED];  /* the other pass: SCALARs, the values that the iteration finds */
    struct kir_node *made[POLY_MAX_CARRIED]; /* what a chain's statement has given its element */
    int n_twice;
    struct {
        const struct rg_cnode *node, *leaf;
        int symbol; /* a register for each of the thread's iterations, or a scalar */
    } twice[POLY_TWICE];
    struct kir_node *q; /* which of the thread's iterations; NULL: it has one */
    bool making;        /* one of twice[] is being worked out */
    bool failed;        /* names->why */
};

/* ---- run_code.c ---- */
struct poly_run_code *rg__poly_run_code(struct poly_thread *t, const struct poly_scan *sc);
const char *rg__poly_carried_base(const struct poly_run_code *x, int i);  /* what the carried value is called */
int rg__poly_run_member(const struct poly_run_code *x, int row, int col); /* which of them it is */
/* A bound that never decides: integers have room to be added to. */
struct kir_node *rg__poly_run_no_bound(struct poly_run_code *x, int row);
/* The word (TABLE) that does what `front` does, and then `word`. */
struct kir_node *rg__poly_run_table(struct poly_run_code *x, struct kir_node *seq, int row, struct kir_node *front,
                                    struct kir_node *word);
/* Scalars of the run under that name, which do nothing yet. */
struct poly_run rg__poly_run_none(struct poly_run_code *x, struct kir_node *seq, const char *name);
/* What a does, and then b. */
struct poly_run rg__poly_run_then(struct poly_run_code *x, struct kir_node *seq, const struct poly_run *a,
                                  const struct poly_run *b);
void rg__poly_run_set(struct poly_run_code *x, struct kir_node *seq, const struct poly_run *to,
                      const struct poly_run *value);
/* The carried values behind the run: `value` are scalars' names. */
void rg__poly_run_after(struct poly_run_code *x, struct kir_node *seq, const struct poly_run *b,
                        struct kir_node *const *value);
/* In each of the first `most` of `width` lanes side by side, of which this is one: it and what is in front of it. `run`
 * are scalars. */
void rg__poly_run_through(struct poly_run_code *x, struct kir_node *seq, const struct poly_run *run,
                          struct kir_node *lane, int64_t width, int64_t most);
/* The one of that lane. */
struct poly_run rg__poly_run_of(struct poly_run_code *x, struct kir_node *seq, const struct poly_run *run,
                                struct kir_node *lane, int64_t width);
/* The one of the lane in front; what does nothing where there is none. */
struct poly_run rg__poly_run_left(struct poly_run_code *x, struct kir_node *seq, const struct poly_run *run,
                                  struct kir_node *lane, int64_t width);
/* The block's threads put their runs together: m->all. tx: the thread's place, a multiple of 32 of them; `one`: all is
 * seen to be one value. Then, from what they found, the run becomes what is in front of it in the block. */
void rg__poly_run_meet(struct poly_run_code *x, struct kir_node *seq, const struct poly_run *run, struct kir_node *tx,
                       int64_t threads, bool one, struct poly_meeting *m);
void rg__poly_run_in_front(struct poly_run_code *x, struct kir_node *seq, const struct poly_run *run,
                           const struct poly_meeting *m);

/* ---- run_part.c ---- */
/* What both passes need is declared, for so many iterations (NULL: one); from here on the first one works it out. */
void rg__poly_run_twice(struct poly_run_code *x, struct kir_node *seq, struct kir_node *items);
/* The iteration's part, put behind the run, SCALARs. False: names->why. */
bool rg__poly_run_part(struct poly_run_code *x, struct kir_node *seq, const struct poly_run *own);
/* The iteration itself, from x->now; more: another one follows it. False: names->why. */
bool rg__poly_run_body(struct poly_run_code *x, struct kir_node *seq, const struct poly_knode *body, bool more);
#endif
