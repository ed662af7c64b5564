/* Sequential C to problem. Preprocesses with the user's compiler, parses with libclang (dlopen'd). */
#ifndef RG_FRONTEND_H
#define RG_FRONTEND_H
#include <rg/ctree.h>
#include <rg/decls.h>
#include <rg/problem.h>

RG_BEGIN_DECLS

struct rg_frontend_missing { /* extents that nothing says, as options say them, with what is right for most: "x: n" */
    struct rg_arena *arena;  /* owns them */
    int n;
    const char *items[32];
    bool stated[32]; /* a pointer parameter says it, as the array's end */
};

struct rg_frontend_options { /* what design section 4's options say; lists are "NAME: EXPR"-like texts as on the command
                                line */
    const char *file;
    const char
        *function; /* NULL: the only candidate, else the one under a regraph pragma, else an error that lists them */
    const char *const *sizes;
    int n_sizes; /* "n=1024,m=32" */
    const char *const *extents;
    int n_extents; /* "x: n" or "A: n, k" */
    const char *const *roles;
    int n_roles; /* "A: out" */
    const char *const *inputs;
    int n_inputs; /* "idx=uniform(0,n-1)" or "x=file.npy" */
    const char *const *expects;
    int n_expects; /* "y=file.npy" */
    const char *const *requires_;
    int n_requires; /* "n % 16 == 0" */
    const char *init;
    const char *const *with;
    int n_with;
    const char *cflags;
    double rtol, atol; /* < 0: not given */
    bool may_alias, allow_trivial;
    struct rg_frontend_missing *missing; /* filled where extents are what is wrong; NULL */
    unsigned allow;                      /* RG_ALLOW_ bits */
    unsigned assume;                     /* RG_ASSUME_ bits */
    unsigned without; /* bits of rg_preparation_bit: changes of the loop nest not to be made before the first step */
    /* Told of every pass over the tree, with what it took; NULL. The tree is to be looked at only. */
    void (*pass)(void *arg, const char *name, const char *what, double seconds, const struct rg_ctree *t);
    void *pass_arg;
    /* So often is what there is to do to be halved: at sizes that nobody gave; and what there may be at verify sizes
     * that we choose. RG_MAX_HALVINGS at most. */
    int halvings, verify_halvings;
    /* Where the file's own program makes the inputs: its numbers times that; 0: as they stand. < 0: so many times that
     * the C takes a while, RG_MAX_MAIN_TIMES at most, if it takes none at main's own; problem->main_times says it. */
    int main_times;
    double main_seconds; /* that finding this out may take; 0: as long as it needs, some seconds */
    bool specialize;     /* the first size is the only one: required of whoever calls, and verified */
};

/* Both outputs are the caller's. *tree NULL when the body is not representable (then problem->tree_json is NULL too).
 */
enum rg_status rg_frontend_load(const struct rg_frontend_options *o, struct rg_problem **problem,
                                struct rg_ctree **tree, struct rg_error *err);
/* The problem as understood, for --explain: parameters, roles, extents, sizes, inputs, loop tree, opaque parts and why.
 */
/* Accesses of one round of the loops that data end and other loops stand in (until nothing changes, until it is exact
 * enough), counted at each of the problem's sizes; out: n_sizes of them. False: the function has no such loop. */
bool rg_frontend_rounds(const struct rg_problem *p, const struct rg_ctree *t, double *out);
/* Inputs for real numbers that become subscripts, as options say them (`x=uniform(0, 1)`), where none is stated: for
 * a function that was seen to leave its arrays with reals of both signs. Their number; *inputs and texts: the arena's.
 */
int rg_frontend_positions(const struct rg_problem *p, const struct rg_ctree *t, struct rg_arena *arena,
                          const char ***inputs);
/* Inputs that belong together, for a function that turns back at others: arrays in order where neighbours are compared;
 * square sparse matrices with a diagonal, square matrices, all of them dominated by it. Where nobody states them. */
struct rg_frontend_likely {
    const char *what; /* "a square matrix in compressed rows, dominated by its diagonal" */
    bool signs;       /* says of values that they are above 0, and nothing else */
    int n;
    struct rg_frontend_input {
        int param;
        const char *text; /* "sorted(-1, 1)" */
        const char *path; /* of a member of structures, whose alone it is; NULL: all of it */
    } * inputs;
};
/* Their number, the likeliest first; *out and what it points to: the arena's. */
int rg_frontend_likely_inputs(const struct rg_problem *p, struct rg_ctree *t, struct rg_arena *arena,
                              struct rg_frontend_likely **out);
/* The problem's with that input; RG_INPUT: it is none. Whoever is through with them calls rg_problem_rehash(). */
enum rg_status rg_frontend_state_input(struct rg_problem *p, const struct rg_frontend_input *in, struct rg_error *err);
/* How far the C goes along an array at one of the problem's sizes, in elements. */
struct rg_frontend_reach {
    int size; /* into problem->sizes */
    int64_t elements;
    bool falling; /* the sizes fall in the order of the parameters */
};
/* The extent of an array that the C goes along so far: a product of sizes (`n*m`, `(n + 1)*m`, `3*n`), a number of
 * pieces or a number that is as long at every size, else `proposed` where the C stays inside it and comes near its end,
 * else rows of which the last one may be shorter. `stated`: a pointer says `proposed`; so does everything where data
 * lead: the C goes along more than a quarter of the `length` that the array has, at every size. NULL: none is, several
 * are, or too few sizes say anything. In `arena`. Cost: some microseconds a size. */
const char *rg_frontend_extent(const struct rg_problem *p, const struct rg_frontend_reach *reach, int n,
                               const char *proposed, bool stated, int64_t length, struct rg_arena *arena);
/* Removes what a load in progress keeps in the folder for temporary files: for the handler of a signal that ends the
 * process. Async-signal-safe. */
void rg_frontend_abandon(void);
void rg_frontend_explain(struct rg_buf *out, const struct rg_problem *p, const struct rg_ctree *t);
/* "clang version 16.0.6": the parser that is found on this machine; RG_UNAVAILABLE says what is missing. */
enum rg_status rg_frontend_parser(char *text, size_t size, struct rg_error *err);
RG_END_DECLS
#endif
