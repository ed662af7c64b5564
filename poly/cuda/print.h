/* Printing kernels. One `struct poly_print` a kernel: the body is printed first, which tells what arguments the
 * signature needs. */
#ifndef RG_POLY_PRINT_H
#define RG_POLY_PRINT_H
#include "poly/kernel/kernel.h"
#include "poly/kernel/resident_kernel.h"
#include "poly/kernel/sort_kernel.h"
#include "poly/kernel/tiling.h"
#include <rg/buf.h>

struct poly_print {
    struct rg_buf out;     /* the body */
    struct rg_arena arena; /* texts */
    int indent;
    const struct poly_program *p;
    const struct poly_scop *s;
    const struct rg_ctree *t;
    const struct poly_kernel *k;
    const struct kir_kernel *kir;  /* in kernel IR: as built for these values */
    struct poly_sort_kernels sort; /* form SORT */
    struct poly_values v;
    struct rg_error *err;
    bool failed;
    /* what the body used */
    bool *var_used;   /* [var] parameters and host iterators: by value */
    bool *scalar_mem; /* [var] through its buffer */
    bool *scalar_mem_written;
    bool *array_used, *array_written;
    bool *top_decl;                  /* [var] declared at the kernel's top */
    bool *declared_array;            /* [array] declared in the body */
    struct poly_phase phase;         /* of a cooperative kernel: what it is given */
    bool any_host;                   /* counts hold for every value of the host loops' variables */
    struct poly_tiling tiling;       /* threads, axes */
    int n_promoted, n_registers;     /* array elements held in registers where we stand */
    const struct rg_cnode *just_set; /* the assignment in front of the loop that comes next, not printed yet; NULL */
    struct poly_register {
        int array;
        char name[96];
    } promoted[8];
    /* accumulators of a reduction where we stand: statement targets replaced */
    int n_acc;
    struct {
        int array, var;
        char name[96];
        int at, loop;                 /* the number of the select whose iteration it holds, from 1; 0: no such thing */
        const struct rg_cnode *place; /* the one element that is meant; NULL: those that a reduction updates */
    } acc[48];
    /* inside a scan: what of its loop is printed, and the elements that stand for carried values */
    const struct poly_scan *scan;
    bool scan_part; /* what the iteration does to the carried values, into the run of that name */
    const char *scan_run;
    int scan_accs; /* accumulators outside */
    int n_subst;
    struct {
        const struct rg_cnode *node;
        char name[96];
    } subst[8];
    int n_twice; /* what both passes of a scan's step need, in the second one */
    struct {
        const struct rg_cnode *node, *leaf;
        char name[96];
    } twice[4];
    const char *twice_at;             /* behind the name */
    int *same_as;                     /* [var] whose value it has in the whole kernel: its own, or a dimension's */
    int n_scopes, n_closed, n_values; /* where values have names */
    struct {
        size_t at;
        int indent, var;
    } scope[POLY_MAX_DEPTH + 1];
    struct {
        int var, scope;
        const struct rg_cnode *node;
        const char *name;
    } value[12];
    bool flat;                /* blocks are numbered along x alone: an axis has more than CUDA's y and z hold */
    bool uses_reduce[16][16]; /* [op][type] helper needed */
    bool uses_exchange[2];    /* atomic_update32, 64 */
};

/* ---- print_text.c ---- */
void rg__poly_line(struct poly_print *pr, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void rg__poly_open_brace(struct poly_print *pr, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void rg__poly_close_brace(struct poly_print *pr);
bool rg__poly_uses_name(const struct poly_print *pr, size_t from,
                        const char *name); /* does the text from there on have the identifier? */
void rg__poly_insert_line(struct poly_print *pr, size_t at, int indent, const char *text);
const char *rg__poly_index_type(const struct poly_print *pr, int var);
const char *rg__poly_elem_type(const struct poly_print *pr, int array);
const char *rg__poly_var_type(const struct poly_print *pr, int var);
const char *rg__poly_printf(struct poly_print *pr, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* A name that nothing in the function has. */
const char *rg__poly_fresh(struct poly_print *pr, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
const char *rg__poly_array_name(struct poly_print *pr, int array);
const char *rg__poly_call_of_ints(struct poly_print *pr,
                                  bool most); /* CUDA's max or min; NULL: the function has that name itself */
const char *rg__poly_buffer_name(struct poly_print *pr, int array); /* the kernel's argument */
const char *rg__poly_part_stride(struct poly_print *pr, int array); /* between neighbouring elements of a part */
/* The threads that share a point. */
const char *rg__poly_lane(struct poly_print *pr); /* this thread's place among them */
const char *rg__poly_team_size(struct poly_print *pr);
const char *rg__poly_lone(struct poly_print *pr); /* condition under which this one acts for all */
const char *rg__poly_meet(struct poly_print *pr); /* a barrier */
/* Texts of expressions put together. */
const char *rg__poly_factor(struct poly_print *pr,
                            const char *text); /* in parentheses where it is a sum, a product or the like */
const char *rg__poly_negated(struct poly_print *pr, const char *text);
const char *rg__poly_sum_text(struct poly_print *pr, const char *a, char op, const char *b); /* a op b; b an operand */
/* The phase is given that, too. */
void rg__poly_given(struct poly_print *pr, enum poly_given what, int index, const char *name, enum rg_scalar type,
                    bool written);

/* ---- print_operator.c ---- */
const char *rg__poly_combine(struct poly_print *pr, enum poly_op op, const char *a, const char *b);
const char *rg__poly_updated(struct poly_print *pr, enum poly_op op, const char *place,
                             const char *value);                                         /* place += value; */
const char *rg__poly_identity(struct poly_print *pr, enum poly_op op, enum rg_scalar t); /* what changes nothing */

/* ---- print_expr.c ---- */
/* Arena text of an expression with this kernel's names. */
const char *rg__poly_text(struct poly_print *pr, const struct rg_cnode *e);
/* The same in parentheses unless it is a name, a number or a sum. */
const char *rg__poly_operand(struct poly_print *pr, const struct rg_cnode *e);
const char *rg__poly_addend(struct poly_print *pr, const struct rg_cnode *e);   /* may stand beside + and left of - */
const char *rg__poly_conjunct(struct poly_print *pr, const struct rg_cnode *e); /* may stand beside && */
const char *rg__poly_var_name(struct poly_print *pr, int var);
const char *rg__poly_extent(struct poly_print *pr, int array, int dim);
const char *rg__poly_linear_text(struct poly_print *pr, const struct poly_linear *l,
                                 const char *(*name)(struct poly_print *, int));
/* Numbers that nothing writes while the kernel, or the launch it is a phase of, runs. */
bool rg__poly_reads_only(const struct poly_print *pr, int array);

const char *rg__poly_array_dims(struct poly_print *pr, int array);   /* [n][m], of a declaration */
void rg__poly_code(struct poly_print *pr, const struct rg_cnode *n); /* C with the kernel's names */

/* ---- print_statement.c ---- */
void rg__poly_statement(struct poly_print *pr, const struct rg_cnode *n);

/* ---- print_store.c ---- */
/* a = c ? x : a, where nothing else of the kernel reads the array, as if (c) a = x: what is not written costs no
 * traffic. False: printed as it is. */
bool rg__poly_store_if(struct poly_print *pr, const struct rg_cnode *n);

/* ---- print_tidy.c ---- */
/* The same value with fewer words: sums with one constant, no zeros added, no ones multiplied; signed index arithmetic
 * alone, and what it computes on the way fits wherever it did before. Array elements stay the nodes they were. */
const struct rg_cnode *rg__poly_tidy(struct poly_print *pr, const struct rg_cnode *e);
void rg__poly_find_aliases(struct poly_print *pr);            /* sets pr->same_as */
bool rg__poly_sets_var(const struct poly_print *pr, int var); /* the kernel's body, or a loop around its launches */
/* What stands for a variable of the file's loops has its name in a scope; NULL: not here. `var`: of the loop whose body
 * it is, -1: what the grid's dimensions alone decide. */
const char *rg__poly_value_named(struct poly_print *pr, const struct rg_cnode *e);
void rg__poly_open_scope(struct poly_print *pr, int var);
void rg__poly_close_scope(struct poly_print *pr); /* declares the names in front of what was printed in it */

/* ---- bounds.c ---- */
/* Least value of a dimension's variable and how many it takes, over parameters and host loops; plan and device text
 * alike. `plan`: min() and max() as calls, names as the problem's. */
const char *rg__poly_dim_lower(struct poly_print *pr, int loop, bool plan);
const char *rg__poly_dim_count(struct poly_print *pr, int loop, bool plan);
bool rg__poly_dim_exact_lower(const struct poly_print *pr, int loop); /* the least value is the loop's own bound */
/* The loop's end as an operand, and a value of its variable to compare with it. An unsigned variable goes by its value:
 * an end below zero (n - w, where the loop says i + w < n) is one that it never reaches. */
const char *rg__poly_limit(struct poly_print *pr, int loop);
const char *rg__poly_signed(struct poly_print *pr, int loop, const char *value);
const char *rg__poly_plan_text(struct poly_print *pr, const struct rg_cnode *e);

/* Would the grid pass 65535 blocks along y or z at one of the problem's sizes? Sets pr->flat. */
void rg__poly_choose_grid(struct poly_print *pr);
/* Do whole blocks cover the dimension: is each of their points one of it? */
bool rg__poly_whole_blocks(struct poly_print *pr, int dim);
const char *rg__poly_block(struct poly_print *pr, int axis); /* the block's place along the axis */
void rg__poly_block_lines(struct poly_print *pr);            /* what rg__poly_block() needs declared */

/* ---- print_names.c ---- */
void rg__poly_plain_names(struct poly_print *pr, struct rg_buf *b,
                          size_t from); /* in the text of a kernel, which starts there */

/* ---- print_part.c: local arrays of which each thread or block has a part of a buffer ---- */
void rg__poly_part_lines(struct poly_print *pr, int array); /* the array's declaration */

/* ---- print_thread.c: code of one thread ---- */
void rg__poly_thread_code(struct poly_print *pr, const struct poly_knode *k);
const char *rg__poly_guard(struct poly_print *pr);           /* "" when none is needed */
const char *rg__poly_upper(struct poly_print *pr, int loop); /* the loop's end, beside a comparison */
void rg__poly_loop_header(struct poly_print *pr, int loop, bool unroll);
const char *rg__poly_dealt_header(struct poly_print *pr, int loop, const char *first, const char *stride);
void rg__poly_unroll_line(struct poly_print *pr, int64_t otherwise);
void rg__poly_simple_body(struct poly_print *pr);
void rg__poly_aliases(struct poly_print *pr); /* variables of loops fused into a dimension */

/* ---- print_opaque.c ---- */
void rg__poly_opaque_header(struct poly_print *pr, const struct poly_opaque_loop *o);

/* ---- print_block.c ---- */
void rg__poly_block_body(struct poly_print *pr);
void rg__poly_block_items(struct poly_print *pr, struct poly_knode *const *items,
                          int n); /* all have seen what they wrote */

/* ---- print_team.c: the threads that share a point's loops ---- */
void rg__poly_team_lines(struct poly_print *pr); /* the point's variables */

/* ---- print_run.c: what iterations in a row do to carried values ---- */
struct poly_scan;
const char *rg__poly_run_name(struct poly_print *pr, const struct poly_scan *sc);
const char *rg__poly_run_member(struct poly_print *pr, const struct poly_scan *sc, int row,
                                int col); /* col < 0: what is added, or all of an op's */
enum rg_scalar rg__poly_run_type(const struct poly_scan *sc, int row);
bool rg__poly_run_has(const struct poly_scan *sc, int row, int col);
const char *rg__poly_carried_name(struct poly_print *pr, const struct poly_scan *sc,
                                  int i); /* where it is between iterations */
const char *rg__poly_carried_now(struct poly_print *pr, const struct poly_scan *sc, int i); /* in an iteration */
const char *rg__poly_carried_type(struct poly_print *pr, const struct poly_scan *sc, int i);
/* The iteration's part, into the run; the iteration itself, from values named NAME_now (chains: NAME_before). */
void rg__poly_run_part(struct poly_print *pr, const struct poly_scan *sc, const char *run);
void rg__poly_run_body(struct poly_print *pr, const struct poly_scan *sc, const struct poly_knode *body, bool more);
bool rg__poly_run_leaf(struct poly_print *pr, const struct rg_cnode *n); /* false: printed as it is */
const char *rg__poly_run_after(struct poly_print *pr, const struct poly_scan *sc, const char *run,
                               bool now); /* a call */
void rg__poly_run_helpers(struct poly_print *pr, struct rg_buf *out);

/* ---- print_bound.c: of sums above a floor or below a ceiling ---- */
const char *rg__poly_no_bound(struct poly_print *pr, const struct poly_scan *sc, int row);
const char *rg__poly_bound_sum(struct poly_print *pr, const struct poly_scan *sc, int row, const char *a,
                               const char *b);
const char *rg__poly_bound_text(struct poly_print *pr, const struct poly_scan *sc, int row,
                                const char *front); /* what is in front, and then the run b */
void rg__poly_bound_helpers(const struct poly_scan *sc, struct rg_buf *out);

/* ---- print_twice.c: of a scan's step, what its second pass takes from the first ---- */
void rg__poly_twice_open(struct poly_print *pr, const struct poly_scan *sc); /* declares it; from here on it is named */
void rg__poly_twice_leaf(struct poly_print *pr,
                         const struct rg_cnode *leaf); /* in front of the statement, in the first pass */
bool rg__poly_twice_read(struct poly_print *pr, struct rg_buf *out, const struct rg_cnode *e);

/* ---- print_scan.c ---- */
void rg__poly_scan_body(struct poly_print *pr);
void rg__poly_scan_loop(struct poly_print *pr, const struct poly_scan *sc, const struct poly_knode *k); /* by a team */
const char *rg__poly_scan_grid(struct poly_print *pr); /* blocks of the first and the last launch */
void rg__poly_scan_scratch(struct poly_print *pr, struct rg_buf *plan);
void rg__poly_scan_arguments(struct poly_print *pr, struct rg_buf *decl, struct rg_buf *pass, int *n);

/* ---- print_reduce.c ---- */
const char *rg__poly_reduce_call(struct poly_print *pr, const struct poly_acc *a, const char *v);
/* Replaces a loop's targets by this thread's own, starting from the identity; index of the first in pr->acc. */
int rg__poly_open_accumulators(struct poly_print *pr, const struct poly_acc *acc, int n);
/* Those of the team's threads, combined; target = target op total, in every thread (a scalar) or in one (an element).
 * All for the accumulators that were opened from pr->acc[before] on. */
void rg__poly_reduce_all(struct poly_print *pr, const struct poly_acc *acc, int n, int before);
void rg__poly_take_totals(struct poly_print *pr, const struct poly_acc *acc, int n, int before);
void rg__poly_reduce_helpers(struct poly_print *pr, struct rg_buf *out);

/* ---- print_scatter.c ---- */
/* An assignment or increment as an atomic; false: it needs none. */
bool rg__poly_atomic_update(struct poly_print *pr, struct rg_buf *out, const struct rg_cnode *n);
/* place = place op value, atomically. */
const char *rg__poly_atomic_text(struct poly_print *pr, enum poly_op op, enum rg_scalar t, const char *place,
                                 const char *value);

/* ---- print_sort.c ---- */
void rg__poly_sort_scratch(struct poly_print *pr, struct rg_buf *plan);
void rg__poly_sort_launch(struct poly_print *pr, struct rg_buf *plan, int indent);

/* ---- print_kernel.c ---- */
void rg__poly_print_init(struct poly_print *pr, const struct poly_program *p, int kernel, const struct poly_values *v,
                         struct rg_error *err);
void rg__poly_print_release(struct poly_print *pr);
void rg__poly_print_refused(struct poly_print *pr, const struct rg_reason *why); /* the values do not fit the kernel */
enum rg_status rg__poly_print_program(const struct poly_program *p, const struct poly_values *v, struct rg_buf *cuda,
                                      struct rg_buf *plan, struct rg_error *err);

/* Signature and what the plan passes; of a phase, also what it is given. */
void rg__poly_fixed_parameters(struct poly_print *pr,
                               struct rg_buf *out); /* declarations of those that are constants */
void rg__poly_arguments(struct poly_print *pr, struct rg_buf *decl, struct rg_buf *pass);

/* ---- print_plan.c ---- */
struct poly_planning {
    const struct poly_program *p;
    struct poly_print *prints; /* one a kernel */
    struct rg_buf *pass;       /* arguments of each */
    struct rg_buf *out;
    struct rg_buf *cuda; /* cooperative kernels go there */
};
enum { POLY_SHARED_BYTES = 48 * 1024 }; /* what every launch may use */
/* Elements over the parameters, as the plan writes them; NULL: an extent is unknown. *constant: -1 where they vary. */
const char *rg__poly_plan_elements(struct rg_arena *mem, const struct rg_carray *c, int64_t *constant);

void rg__poly_plan_node(struct poly_planning *pl, const struct poly_hnode *h, int indent);
/* ---- print_resident.c ---- */
/* A loop of the plan as one cooperative kernel, and its launch. */
void rg__poly_plan_resident(struct poly_planning *pl, const struct poly_hnode *h, int indent);

/* ---- print_plan.c ---- */
/* Buffers into the plan; into `cuda` the kernels that fill those of changed parameters. */
enum rg_status rg__poly_plan_scratch(struct poly_planning *pl, struct rg_buf *cuda, struct rg_error *err);
#endif
