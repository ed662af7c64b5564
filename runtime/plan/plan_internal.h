/* Shared by the files of the plan language. */
#ifndef RG_PLAN_INTERNAL_H
#define RG_PLAN_INTERNAL_H
#include <rg/plan.h>

#define RG__PLAN_FILE "plan" /* what errors name as their file */
#define RG__PLAN_RESIDENT                                                                                              \
    "resident_blocks" /* in the grid of a cooperative launch: how many blocks the device holds at once */

enum {
    RG__PLAN_MAX_TEXT = 256 * 1024,
    RG__PLAN_MAX_DEPTH = 160, /* of nested statements */
    RG__PLAN_MAX_STMTS = 4096,
    RG__PLAN_MAX_KERNELS = 256,
    RG__PLAN_MAX_ARGS = 128,
    RG__PLAN_MAX_NAMES = 512, /* variables and scratch buffers alive at once */
};

/* A pointer expression: `name`, `name + e - e...`. base NULL when its leftmost operand is no name. */
struct rg__pointer {
    const char *base;
    const struct rg_expr *offset; /* NULL: 0 */
};
/* is_buffer decides which names are pointers (NULL: the leftmost name is). */
struct rg__pointer rg__plan_split(struct rg_arena *a, const struct rg_expr *e, bool (*is_buffer)(void *, const char *),
                                  void *arg);

/* Names that every plan knows: INT_MAX, true, ...; 1 when known. */
int rg__plan_constant(const char *name, int64_t *value);
/* Real constants: INFINITY, NAN, FLT_MAX, ... */
bool rg__plan_real_constant(const char *name, double *value);
/* A real literal or constant stands in it (outside calls): evaluated in double. */
bool rg__plan_is_real(const struct rg_expr *e);
enum rg_status rg__plan_eval_real(const struct rg_expr *e, const struct rg_expr_env *env, double *out,
                                  struct rg_error *err);
/* What names mean in a condition that compares reals, and their values. */
struct rg__reals {
    void *arg;
    bool (*is_real)(void *arg, const char *name,
                    bool element); /* a real scalar parameter; with `element` a buffer of float or double */
    enum rg_status (*value)(void *arg, const struct rg_expr *e, double *out,
                            struct rg_error *err); /* of a scalar's name, x[i] or read(x, i) */
};
bool rg__plan_real_valued(const struct rg_expr *e, const struct rg__reals *r);
bool rg__plan_real_operation(const struct rg_expr *e);                            /* + - * / - abs min max */
bool rg__plan_compares(const struct rg_expr *e, const struct rg__reals *r);       /* is a comparison with a real side */
bool rg__plan_compares_reals(const struct rg_expr *e, const struct rg__reals *r); /* holds one */
/* An integer, as rg_expr_eval, or whether a condition holds that compares reals. */
enum rg_status rg__plan_truth(const struct rg_expr *e, const struct rg__reals *r, const struct rg_expr_env *env,
                              int64_t *out, struct rg_error *err);
/* read(x, i) or x[i] stands in it. */
bool rg__plan_reads(const struct rg_expr *e);
/* CUDA's vector types: float4 of floats and so on. 0 when `name` is none, else its number of elements. */
int rg__vector_type(const char *name, enum rg_scalar *elem);
/* The same bits for a kernel and for C: long and long long, char and signed char. */
bool rg__same_scalar(enum rg_scalar a, enum rg_scalar b);
/* Names of types that C sources give twice: is `mangled` (as a kernel's name has it) the C type `c_name`? */
bool rg__same_struct(const struct rg_problem *p, const char *c_name, const char *mangled);
bool rg__is_enum(const struct rg_problem *p, const char *mangled);
/* Index of the struct that `words` name ("struct body", "body_t"), -1 unknown. */
int rg__find_struct(const struct rg_problem *p, const char *words);
/* May `value` be passed as, or stored in, an integer of type t? */
bool rg__fits(enum rg_scalar t, int64_t value);

/* The problem's parameters by group of what `swap` may exchange: group[i] is the least parameter of i's group, -1 for
 * one that is never swapped. A group of several parameters needs a spare buffer to put them back. */
void rg__plan_swap_groups(const struct rg_plan *p, const struct rg_problem *problem, int *group);
/* Calls fn for every statement, outer ones first, a loop's init and step included. */
void rg__plan_each(const struct rg_plan *p, void (*fn)(void *, const struct rg_plan_stmt *), void *arg);
/* An integer scalar parameter whose value the sizes give. */
bool rg__is_size_param(const struct rg_problem *p, int param);

/* Words of C-like text: identifiers, numbers, single characters; blanks, comments, preprocessor lines and the insides
 * of literals are passed over. */
struct rg__scan {
    const char *p;
    char word[128]; /* cut when longer */
};
bool rg__scan_next(struct rg__scan *s);

/* How a plan is written as host code. */
struct rg__host {
    const char *prefix;  /* of macros and internal names: in no name of the kernels or the user's code */
    const char *helpers; /* what stands before the name of a helper: "rg::" of regraph_host.h */
    void *arg;
    const char *(*local)(void *arg,
                         const char *name); /* a parameter's, variable's or scratch buffer's name in the code */
    const char *(*kernel)(void *arg, const char *kernel); /* a kernel's or symbol's */
    bool (*plain)(void *arg,
                  const struct rg_plan_stmt *launch); /* its arguments convert by themselves to the kernel's types */
};
void rg__plan_print(struct rg_buf *out, const struct rg_plan *p, const struct rg_problem *problem,
                    const struct rg__host *host, int indent);
/* An integer expression over the problem's parameters and `plan`'s names (NULL: none) as 64-bit C. */
void rg__print_int(struct rg_buf *out, const struct rg_plan *p, const struct rg_problem *problem,
                   const struct rg__host *host, const struct rg_expr *e);
/* Elements of an array parameter, the same way. */
void rg__print_elements(struct rg_buf *out, const struct rg_problem *problem, const struct rg__host *host, int param);
/* The C++ type of an element: "float", "__half", "rg_s0". */
void rg__print_elem(struct rg_buf *out, const struct rg__host *host, enum rg_scalar elem, int struct_index);

/* Of a plan that could be read in part: tells what names nothing, words of what could not be read aside. */
void rg__plan_check_names(struct rg_plan *p, const struct rg_problem *problem, const char *const *unread, int n_unread,
                          struct rg_error *err);
#endif
