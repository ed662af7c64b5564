/* The plan: the host side of a candidate in a small safe language (design section 5). Parsed and checked in the
 * worker, interpreted over a struct of functions, printed as host code by the exporter. */
#ifndef RG_PLAN_H
#define RG_PLAN_H
#include <rg/arena.h>
#include <rg/buf.h>
#include <rg/candidate.h>
#include <rg/decls.h>
#include <rg/error.h>
#include <rg/expr.h>
#include <rg/problem.h>
#include <stdbool.h>
#include <stdint.h>

RG_BEGIN_DECLS

enum rg_plan_kind {
    RG_PLAN_SCRATCH,
    RG_PLAN_LAUNCH,
    RG_PLAN_FOR,
    RG_PLAN_WHILE,
    RG_PLAN_DO,
    RG_PLAN_IF,
    RG_PLAN_FILL,
    RG_PLAN_COPY,
    RG_PLAN_SWAP,
    RG_PLAN_INT /* int c = expr; or c = expr; */,
    RG_PLAN_BLOCK,
    RG_PLAN_REQUIRE,
    RG_PLAN_BREAK
};

enum rg_arg_kind { RG_ARG_BUFFER /* name + offset */, RG_ARG_INT, RG_ARG_REAL, RG_ARG_SCALAR /* a scalar parameter */ };

struct rg_plan_arg {
    enum rg_arg_kind kind;
    const char *name;             /* BUFFER, SCALAR */
    const struct rg_expr *offset; /* BUFFER: in elements, NULL 0 */
    const struct rg_expr *value;  /* INT, REAL */
    int line, column;
};

struct rg_plan_stmt {
    enum rg_plan_kind kind;
    int line, column;
    /* LAUNCH */
    const char *kernel;                       /* as written, template arguments included: "mm<16>" */
    int kernel_index;                         /* set by rg_plan_check */
    const struct rg_expr *grid[3], *block[3]; /* NULL: 1 */
    const struct rg_expr *shared_bytes;       /* NULL: 0 */
    const struct rg_expr *cluster[3];         /* NULL: none */
    bool cooperative;
    int n_args;
    struct rg_plan_arg *args;
    /* SCRATCH: name, type words and elements; FILL: name, value; COPY: a <- b; SWAP: a, b; INT: name, value */
    const char *a, *b;
    bool a_symbol;                                     /* COPY to a __constant__ or __device__ symbol of the module */
    const struct rg_expr *a_offset, *b_offset, *count; /* COPY: elements; NULL whole */
    enum rg_scalar elem;
    int struct_index;
    const struct rg_expr
        *value;    /* SCRATCH: elements; FILL and INT: the value; IF/WHILE/DO/FOR/REQUIRE: the condition */
    bool declares; /* INT: `int c = ...` */
    /* FOR: init and increment as INT statements; bodies */
    struct rg_plan_stmt *init, *step;
    int n_body, n_else;
    struct rg_plan_stmt **body, **orelse;
};

struct rg_plan {
    struct rg_arena arena;
    int n;
    struct rg_plan_stmt **stmts;
    int n_kernels; /* distinct kernel names, order of first use */
    const char **kernels;
    bool reads_data; /* a condition or an int depends on buffer contents */
};

/* Errors name line and column within the plan text; error file is "plan". All that is wrong is told, a line of the
 * error's text each, as far as there is room. */
enum rg_status rg_plan_parse(const char *text, struct rg_plan **out, struct rg_error *err);
/* The same of a plan of this problem: where something can't be read, what names nothing in the rest is told with it. */
enum rg_status rg_plan_parse_for(const char *text, const struct rg_problem *problem, struct rg_plan **out,
                                 struct rg_error *err);
void rg_plan_free(struct rg_plan *p);

/* A kernel's signature, from its mangled name. */
struct rg_kernel_param {
    bool pointer, is_const, is_restrict; /* const: pointee */
    enum rg_scalar type; /* of the value or pointee; RG_STRUCT: struct_name; void pointers: RG_N_SCALARS */
    const char *struct_name;
};
struct rg_kernel_sig {
    const char *name;    /* as the plan writes it */
    const char *lowered; /* mangled */
    int n_params;
    struct rg_kernel_param *params;
};
/* "_Z5saxpyifPKfPf" (also `_ZN...E`, templates, substitutions). An unmangled name (extern "C") is RG_INPUT with a
 * message that says to drop `extern "C"`. Memory in `a`. */
enum rg_status rg_kernel_sig_parse(struct rg_arena *a, const char *name, const char *lowered, struct rg_kernel_sig *out,
                                   struct rg_error *err);

/* Names, argument counts, order, element types, constness, swap's equal types, `in` buffers only to const pointers,
 * result of loops bounded where it can be seen. sigs parallel to plan->kernels (NULL: skip what needs them). */
enum rg_status rg_plan_check(struct rg_plan *p, const struct rg_problem *problem, const struct rg_kernel_sig *sigs,
                             struct rg_error *err);

struct rg_plan_value { /* an evaluated argument */
    enum rg_arg_kind kind;
    int buffer;     /* BUFFER: handle as given by scratch() or rg_plan_run's buffers */
    int64_t offset; /* BUFFER: elements; INT: the value */
    double real;
    int param;                   /* SCALAR: into problem->params */
    struct rg_kernel_param type; /* what the kernel takes */
};

struct rg_plan_launch {
    int kernel;
    int64_t grid[3], block[3], shared_bytes, cluster[3];
    bool cooperative;
    int n_args;
    const struct rg_plan_value *args;
    const struct rg_plan_stmt *stmt;
};

/* What a plan is run over. Every function may return an error, which ends the run. Buffers are integer handles:
 * parameter arrays are their index in problem->params; scratch gives new ones, all created before the first launch. */
struct rg_plan_ops {
    void *arg;
    enum rg_status (*scratch)(void *arg, const char *name, enum rg_scalar elem, int struct_index, int64_t elements,
                              int *handle, struct rg_error *err);
    enum rg_status (*launch)(void *arg, const struct rg_plan_launch *l, struct rg_error *err);
    enum rg_status (*fill)(void *arg, int buffer, int64_t elements, enum rg_scalar elem, int64_t value, double real,
                           bool is_real, struct rg_error *err);
    enum rg_status (*copy)(void *arg, int to, int64_t to_offset, int from, int64_t from_offset, int64_t elements,
                           int64_t elem_bytes, struct rg_error *err);
    enum rg_status (*copy_symbol)(void *arg, const char *symbol, int from, int64_t from_offset, int64_t elements,
                                  int64_t elem_bytes, struct rg_error *err);
    /* Blocks of the launch (kernel, block and shared_bytes are set) that the device holds at once: `resident_blocks` in
     * the grid of a cooperative launch. NULL: 1. */
    enum rg_status (*resident)(void *arg, const struct rg_plan_launch *l, int64_t *blocks, struct rg_error *err);
    /* One integer element, after everything before it has run. */
    enum rg_status (*read)(void *arg, int buffer, int64_t index, enum rg_scalar elem, int64_t *value,
                           struct rg_error *err);
    /* The same of a buffer of reals. */
    enum rg_status (*read_real)(void *arg, int buffer, int64_t index, enum rg_scalar elem, double *value,
                                struct rg_error *err);
    /* The value of a real scalar parameter of the problem. */
    enum rg_status (*scalar)(void *arg, int param, double *value, struct rg_error *err);
};

enum { RG_PLAN_MAX_LAUNCHES = 50 * 1000 * 1000 };
/* Interprets. Scratch first, then statements; at the end parameters whose binding was swapped away are copied back.
 * RG_LIMIT after max_launches (0: RG_PLAN_MAX_LAUNCHES) or 2^31 loop iterations; RG_INPUT for overflow, a grid or block
 * out of CUDA's limits, an offset out of its buffer. */
enum rg_status rg_plan_run(const struct rg_plan *p, const struct rg_problem *problem, const struct rg_sizes *sizes,
                           const struct rg_kernel_sig *sigs, const struct rg_plan_ops *ops, int64_t max_launches,
                           struct rg_error *err);

/* The plan as C++ host statements for the exporter: launches with <<<>>> on `stream`, scratch and error paths through
 * the macros that export.c defines. */
void rg_plan_print_host(struct rg_buf *out, const struct rg_plan *p, const struct rg_problem *problem,
                        const struct rg_kernel_sig *sigs, int indent);

/* best.cu, regraph_host.h, best.h, check.c, Makefile into `dir` (exists). title: chain of steps and times as comment
 * lines. arch: what the Makefile compiles for, "sm_90"; NULL: the GPU of the machine that builds. */
enum rg_status rg_export_write(const char *dir, const struct rg_problem *problem, const char *cuda,
                               const char *plan_text, const char *title, const char *arch, struct rg_error *err);
/* How a program uses what rg_export_write() put into `dir`, one sentence without a full stop: what to call, what to
 * link, where auto.c goes. */
void rg_export_use(struct rg_buf *out, const struct rg_problem *problem, const char *dir);
/* Kernels and plan out of the text of a best.cu, as it was exported or edited since; rg_source_release(). *line: where
 * the kernels begin in it, 1-based; NULL: not asked for. RG_INPUT, with `name`, for what is none. */
enum rg_status rg_export_read(const char *text, size_t len, const char *name, struct rg_source *out, int *line,
                              struct rg_error *err);
RG_END_DECLS
#endif
