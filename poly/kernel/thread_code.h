/* What one thread runs of a kernel, in kernel IR: the form's own file says which points are the thread's. */
#ifndef RG_POLY_THREAD_CODE_H
#define RG_POLY_THREAD_CODE_H
#include "poly/kernel/kernel.h"
#include "poly/kir/kir.h"

struct poly_pass { /* the code is not what its words say, but what it does to something */
    void *arg;
    struct kir_node *(*element)(void *arg, const struct rg_cnode *index); /* NULL: as it is */
    struct kir_node *(*value)(void *arg, const struct rg_cnode *e);       /* likewise, any expression */
    /* The statement, with *done, or it is as it is. False: names->why. */
    bool (*leaf)(void *arg, struct kir_node *seq, const struct rg_cnode *n, bool *done);
};

enum { POLY_HELD = 8, POLY_NAMED = 12, POLY_KEPT = 4, POLY_ACCS = 16 };

struct poly_thread { /* the arena's: what is converted asks it for elements */
    const struct poly_program *p;
    const struct poly_kernel *kernel;
    struct kir_kernel *k;
    struct kir_names *names;
    int64_t unroll; /* so many iterations of an innermost loop at once; 0, 1: as the compiler likes */
    int64_t chunk;  /* prefetch.register: so many iterations whose loads come first */
    int64_t parts;  /* reduce.split: so many of the loop that is cut over the grid */
    int *own;       /* [array] the buffer of the block's copy, its elements in a row; -1: it has none */
    bool *taken;    /* [array] an element of it is in a register where we stand */
    int n_held;
    struct {
        int array;
        struct kir_node *is; /* the register: a scalar, or one for each of the thread's points */
    } held[POLY_HELD];
    int n_kept; /* arrays whose latest elements are in registers */
    struct {
        struct poly_forward of;
        int scalar[POLY_FORWARD_MOST + 1]; /* [d] of d iterations before */
    } kept[POLY_KEPT];
    int n_acc; /* what loops that are shared accumulate, where we stand: this thread's part of it */
    struct poly_accumulating {
        struct poly_acc of;
        int scalar;
        struct kir_node *before; /* what stands for the variable outside; NULL: nothing yet */
    } acc[POLY_ACCS];
    int n_several; /* elements of several points, or iterations, in registers */
    struct {
        const struct poly_access *access;
        int buffer;
        struct kir_node *at; /* which of them it is where we stand */
    } several[POLY_MAX_WIDE];
    /* The element where a step has staged it; NULL: it has not. NULL function: nothing is staged. */
    struct kir_node *(*staged)(void *arg, const struct poly_access *a);
    void *staged_arg;
    const struct rg_cnode *just_set; /* what is assigned right before the loop that we come to; not done yet */
    int ahead;                       /* the chunks' length, by name; -1: not asked for yet */
    int n_named;                     /* values that have names where we stand */
    struct {
        const struct rg_cnode *node;
        struct kir_node *name;
    } named[POLY_NAMED];
    struct poly_pass *pass;         /* what else the code is gone through for where we stand; NULL */
    bool meets;                     /* a scalar of the launch is read and stored: all have read it first */
    const struct rg_cnode *updated; /* the element that is the value `old` where we stand; NULL none */
    int old;
};

/* Names for a kernel whose threads each run points of their own, with parameters, buffers and scalars of the launch
 * bound. What the scalars start from is added to `top`, what is left of them to `bottom`
 * (NULL: nothing is). NULL: why. */
struct poly_thread *rg__poly_thread_new(const struct poly_program *p, const struct poly_kernel *kernel,
                                        struct rg_arena *a, struct kir_node *top, struct kir_node *bottom,
                                        struct rg_reason *why);
/* The body's code. NULL: names->why. */
struct kir_node *rg__poly_thread_code_of(struct poly_thread *t, const struct poly_knode *body);
bool rg__poly_add_code(struct poly_thread *t, struct kir_node *seq, const struct poly_knode *n); /* false: names->why */
/* ---- thread_loop.c ---- */
bool rg__poly_add_loop(struct poly_thread *t, struct kir_node *seq, const struct poly_knode *n);
/* The statement that stores what iterations to come read, with the register that they have it in; NULL: it is none, or
 * names->why. */
struct kir_node *rg__poly_keeping(struct poly_thread *t, const struct rg_cnode *n);
/* The loop around what `body` adds. False: names->why. */
typedef bool poly_loop_body(void *arg, struct kir_node *seq);
bool rg__poly_add_loop_around(struct poly_thread *t, struct kir_node *seq, const struct poly_knode *n,
                              poly_loop_body *body, void *arg);
/* What is declared in a loop has no place behind it: what names mean, to come back to. */
struct kir_node **rg__poly_enter_loop(struct poly_thread *t);
void rg__poly_leave_loop(struct poly_thread *t, struct kir_node *const *before);
/* Is the plain assignment one to an element that the loop behind it holds in a register, whether it runs or not? */
bool rg__poly_sets_held(struct poly_thread *t, const struct poly_knode *leaf, const struct poly_knode *loop);
/* ---- thread_code.c ---- */
/* element = element op value, by all threads of the scope at once. */
struct kir_node *rg__poly_kir_atomic_op(struct kir_kernel *k, enum kir_scope scope, enum poly_op op,
                                        struct kir_node *element, struct kir_node *value);

/* The statements where the condition holds: their own SEQ, or `seq` where there is none. */
struct kir_node *rg__poly_kir_where(struct kir_kernel *k, struct kir_node *seq, struct kir_node *when);
/* The same where the kernel's own conditions hold (poly_guard). */
struct kir_node *rg__poly_kir_guarded(struct poly_thread *t, struct kir_node *seq);
/* What launch.bounds says of kernels of so many threads a block: what asks for more than there can be asks for nothing.
 */
int rg__poly_min_blocks(const struct poly_kernel *k, const struct poly_values *v, int64_t threads);

/* ---- thread_reduction.c: what a loop that is shared accumulates ---- */
/* From here on the thread has a scalar of its own for each of them, which starts from what changes nothing. False:
 * there are too many. */
bool rg__poly_acc_open(struct poly_thread *t, struct kir_node *seq, const struct poly_acc *acc, int n);
struct kir_node *rg__poly_acc_now(struct poly_thread *t, int i); /* the scalar of the i-th of the last n */
/* The last n are over: their targets are what they were. */
void rg__poly_acc_close(struct poly_thread *t, int n);
/* The iteration that is chosen, in front of the statement that keeps the best. False: names->why. */
bool rg__poly_acc_key(struct poly_thread *t, struct kir_node *seq, const struct rg_cnode *n);
/* The kernel's buffers for the partial results of the loop, in part[n], one more subscript than the kernel has
 * dimensions; their plan's names are those of both stages. */
bool rg__poly_acc_buffers(struct poly_thread *t, const struct poly_acc *acc, int n, int *part);
const char *rg__poly_acc_buffer(const struct poly_program *p, const struct poly_kernel *k, const struct poly_acc *acc,
                                struct rg_arena *a);
/* The point's element of such a buffer, of the part `which`. */
struct kir_node *rg__poly_acc_part(struct poly_thread *t, int part, struct kir_node *which);
bool rg__poly_name_taken(const struct poly_scop *s, const char *name); /* by the file */
/* Partial results taken into the last n accumulators. */
void rg__poly_acc_take(struct poly_thread *t, struct kir_node *seq, const struct poly_acc *acc, int n,
                       struct kir_node *const *part);
/* target = target op total, of closed accumulators; elements where `lone` holds (NULL: here). False: names->why. */
bool rg__poly_acc_totals(struct poly_thread *t, struct kir_node *seq, const struct poly_acc *acc, int n,
                         struct kir_node *const *total, struct kir_node *lone);
/* THREADS with a partner: the point's parts put together. */
bool rg__poly_acc_parts(struct poly_thread *t, struct kir_node *seq);
/* Blocks of the first stage over the grid, in that type; NULL: names->why. */
struct kir_node *rg__poly_partial_blocks(const struct poly_program *p, const struct poly_kernel *part,
                                         struct kir_names *names, const struct poly_values *v, enum rg_scalar type);

/* ---- kir_bounds.c: loops' bounds ---- */
/* c * name + ... + k, in 64 bits. NULL: names->why. */
struct kir_node *rg__poly_kir_linear(struct kir_names *names, const struct poly_linear *l);
/* The loop's end as a value of its variable's type: an unsigned one's, below zero, is one that it never reaches. NULL:
 * names->why. */
struct kir_node *rg__poly_kir_end(const struct poly_scop *s, struct kir_names *names, const struct poly_loop *l);
/* How many values the variable takes, where it stands. */
struct kir_node *rg__poly_kir_count(const struct poly_scop *s, struct kir_names *names, const struct poly_loop *l);
/* How many a dimension's variable takes at most, over parameters and host loops, computed in that type. */
struct kir_node *rg__poly_kir_most(const struct poly_program *p, const struct poly_kernel *k, struct kir_names *names,
                                   int dim, enum rg_scalar type);
/* The same of a loop that is none of them. */
struct kir_node *rg__poly_kir_most_of(const struct poly_program *p, const struct poly_kernel *k,
                                      struct kir_names *names, int loop, enum rg_scalar type);
/* The same whatever the loops around the launch are at. */
struct kir_node *rg__poly_kir_most_ever(const struct poly_program *p, const struct poly_kernel *k,
                                        struct kir_names *names, int dim, enum rg_scalar type);
/* The value that a dimension is counted from: the loop's own first one, or, where this differs between points of other
 * dimensions and the loop goes by 1, the outermost of them. */
struct kir_node *rg__poly_kir_first(const struct poly_program *p, const struct poly_kernel *k, struct kir_names *names,
                                    int dim);
bool rg__poly_starts_exactly(const struct poly_program *p, const struct poly_kernel *k, int dim); /* its own one */
/* An expression's value in 64 bits, with the parameters of env; NULL: over numbers alone. False: it is not known. */
bool rg__poly_kir_value(struct kir_kernel *k, const struct kir_node *n, struct rg_problem_env *env, int64_t *v);
/* A loop over values of the variable, the first one given and `stride` of them apart, ascending or descending as the
 * loop is; the variable is bound in it. Its body is to be filled: *body. NULL: names->why. */
struct kir_node *rg__poly_kir_loop(const struct poly_scop *s, struct kir_names *names, const struct poly_loop *l,
                                   struct kir_node *place, struct kir_node *stride, int64_t unroll,
                                   struct kir_node **body);

/* ---- rows_end.c ---- */
/* How many elements a flat array has that is read as rows, where its last row may not be whole; NULL: it is. */
struct kir_node *rg__poly_rows_end(const struct poly_program *p, struct kir_names *names, int array);
#endif
