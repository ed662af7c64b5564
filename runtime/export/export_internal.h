/* Shared by the files of the exporter. */
#ifndef RG_EXPORT_INTERNAL_H
#define RG_EXPORT_INTERNAL_H
#include "runtime/plan/plan_internal.h"

/* Lines of best.cu between which kernels and plan are found again. */
#define RG__MARK_PLAN "// ---- the plan, as it was verified ----"
#define RG__MARK_KERNELS "// ---- kernels, as they were verified ----"
#define RG__MARK_HOST "// ---- host side ----"

/* What the C calls a number: "N", "N - 1"; NULL: that could be several things. */
struct rg__term {
    const char *text;
    int64_t value;
};

enum { RG__N_OURS = 4 };
/* Names in the exported code. Internal ones begin with a prefix that no text of the user or the coder contains;
 * parameters keep their names unless the kernels' code makes macros or kernels of them. */
struct rg__names {
    struct rg_arena a;
    const struct rg_problem *problem;
    const struct rg_plan *plan;
    const char *cuda;
    const char *prefix;
    const char *arch;               /* of nvcc's -arch: "sm_90", "native" */
    const char *space;              /* "rg": what namespace regraph_host is called in best.cu */
    const char **counts;            /* of each parameter: "n_x" */
    const char *function;           /* "NAME_cuda" */
    const char *function_device;    /* "NAME_cuda_device" */
    const char *function_auto;      /* "NAME_auto" */
    const char *function_used;      /* "NAME_auto_used" */
    const char *hidden[RG__N_OURS]; /* those of the four that the kernels' code uses: renamed by a macro around it;
                                       NULL: free */
    const char *named;              /* cuda with the user's macros for numbers (export_constants.c) */
    bool *keeps;                    /* by constant of the problem: its name is free here */
    const char ***dims;             /* by array and extent: "N", "N + 2"; NULL: none of these names */
    int n_terms, cap_terms;
    struct rg__term *terms;
    struct rg__host host;
};
void rg__names_init(struct rg__names *n, const struct rg_problem *p, const struct rg_plan *plan, const char *cuda,
                    const char *plan_text);
void rg__names_release(struct rg__names *n);
/* A parameter's name in the code. */
const char *rg__name(struct rg__names *n, const char *name);

/* --- export_constants.c: the user's macros; n->keeps is set --- */
void rg__constants_init(struct rg__names *n);
/* An extent: "N", "(N + 2)", "1024". */
void rg__write_dim(struct rg_buf *out, const struct rg__names *n, int param, int dim);
/* "float A[1024][n]" with the names of those extents that have one. */
void rg__name_extents(struct rg__names *n, const char *declaration, struct rg_buf *out);

/* Text as comment lines: no line can leave its comment. */
void rg__comment(struct rg_buf *out, const char *text);

/* Parameters in the order of the exported function: the user's own, the result where asked for, file-scope variables.
 * Returns their number; order has room for n_params. */
int rg__export_order(const struct rg_problem *p, bool with_result, int *order);
int rg__result_param(const struct rg_problem *p); /* -1: void */

/* Can the struct be written as its fields, with the layout it has? */
bool rg__struct_is_regular(const struct rg_struct *s);

/* --- writing host code: export_cu.c, used by export_auto.c too --- */
struct rg__writer {
    struct rg_buf *out;
    struct rg__names *n;
    const struct rg_problem *p;
    const struct rg_plan *plan;
    int n_args, n_args_device; /* of the order arrays */
    int *args, *args_device;
    bool keeps;            /* state is on the device already (export_state.c) */
    const char **elements; /* of each array: its number of elements as text, by the sizes */
    bool *constant;        /* of each array: that text holds no size */
    bool *counted;         /* PREFIXcounts: the constants that a function uses */
    size_t counts_at;
};
/* The host functions' types: a half by value becomes a float, as no C++ compiler agrees with C about passing it. */
void rg__write_value_type(struct rg__writer *w, struct rg_buf *out, const struct rg_param *q);
void rg__write_result_type(struct rg__writer *w); /* of what the function returns; void */
void rg__write_parameter(struct rg__writer *w, struct rg_buf *out, int param);
/* "n, m": the integer scalars, the arguments of PREFIXcheck. */
int rg__write_size_names(struct rg__writer *w, const char *before);
/* What the function computes from its sizes first; behind the checks, so that nothing is divided by zero. */
void rg__write_derived(struct rg__writer *w, bool as_int64);
/* A function's constants "const size_t n_x = n * m;", one for all arrays with as many elements: those that are named by
 * rg__write_elements() and rg__write_bytes() between these two calls are written where the first stood. */
void rg__counts_init(struct rg__writer *w);
void rg__counts_begin(struct rg__writer *w);
void rg__counts_end(struct rg__writer *w);
void rg__write_elements(struct rg__writer *w, int param); /* "n_x" */
void rg__write_bytes(struct rg__writer *w, int param);    /* "n_x * sizeof(float)" */
/* The call that tells why the kernels can't take these sizes and pointers, NULL when they can. result: its pointer is
 * there. */
void rg__write_refused(struct rg__writer *w, bool result);
/* The first `n` of `order`, as arguments of a call. */
void rg__write_arguments(struct rg__writer *w, const int *order, int n);

/* "static cudaError_t PREFIXname(arguments, bool *PREFIXwrote)": transfers, kernels, transfers. */
void rg__write_run(struct rg__writer *w, const char *name);

/* --- export_sizes.c --- */
/* PREFIXcheck(sizes): NULL, or what they break; PREFIXrefused(all parameters): the same, or which arrays overlap. */
void rg__write_check(struct rg__writer *w);

/* --- export_graph.c --- */
/* Is the plan one whose launches are worth keeping as a graph? */
bool rg__export_replays(const struct rg_plan *p);
/* The call that queues the work, or launches the graph of it. */
void rg__write_replay(struct rg__writer *w);

/* --- export_auto.c --- */
/* NULL: the problem can have a NAME_auto; else why not. */
const char *rg__auto_refused(const struct rg_problem *p);
/* A variable of the C file that NAME_auto finds by its symbol: not a member of one, nor of an argument. */
bool rg__auto_linked(const struct rg_param *q);
/* Its parameters: the user's own, then members of file-scope structures; what it finds for itself is left out. */
int rg__auto_order(const struct rg_problem *p, int *order);
void rg__write_auto(struct rg__writer *w);
/* "extern "C" float name(parameters)"; order NULL: the user's own. */
void rg__write_signature(struct rg__writer *w, const int *order, int n, const char *name);
/* "type name(parameters)" of them */
void rg__write_parameters(struct rg__writer *w, const char *type, const int *order, int n, const char *name);
/* --- export_place.c: functions that return a pointer, which kernels give as a number (rg_problem.places) --- */
int rg__returns_memory(const struct rg_problem *p); /* the parameter that the C function allocates; -1 */
bool rg__returns_const(const struct rg_problem *p); /* .. to what may not be written */
void rg__write_returned_type(struct rg__writer *w); /* "const float *" */
/* The declaration of the C function as PREFIXpointer(). */
void rg__write_c_pointer(struct rg__writer *w);
/* PREFIXnumber(): the C function PREFIXpointer() with its pointer as the number; and PREFIXc, that function where it
 * is linked in. */
void rg__write_place_of_c(struct rg__writer *w);
void rg__write_c_as_place(struct rg__writer *w);
/* NAME_auto(), which makes the pointer of what `inner` gives. */
void rg__write_pointer_of_place(struct rg__writer *w, const int *order, int n, const char *inner);
/* check_place() of check.c: the number of a pointer. */
void rg__export_check_place(struct rg_buf *out, const struct rg_problem *p);
/* May check.c call it? Not where it wants file-scope variables of the C file. */
bool rg__export_checks_auto(const struct rg_problem *p);
/* --- export_parts.c: arguments that are taken apart --- */
/* Does the C function take some parameters inside structures, or as tables of rows? Then auto.c has NAME_auto. Tables
 * of rows alone? */
bool rg__auto_parts(const struct rg_problem *p);
/* Does NAME_cuda take what NAME takes? Not where structures are taken apart, or file-scope variables passed. */
bool rg__same_parameters(const struct rg_problem *p);
bool rg__auto_rows(const struct rg_problem *p);
/* Is it gathered into a block: rows behind pointers, a member of the structures of an array? */
bool rg__gathered(const struct rg_param *q);
const char *rg__parts_arg(struct rg__names *n, int arg); /* an argument's name there */
const char *rg__parts_name(struct rg__names *n);         /* of the function between auto.c and the kernel */
/* The last parameters of it: ", void (*rg_c)(void *), void *rg_given)". */
void rg__write_callback(struct rg__writer *w);
/* Sizes checked, rows gathered into one block each, all that is read and written apart. */
void rg__write_rows(struct rg__writer *w, const char *leave);
/* rg_table_a.METHOD() of each table that is written. */
void rg__write_rows_call(struct rg__writer *w, const char *method, const char *indent);
/* "const struct csr *A, const double *x": the user's own signature as C has it. */
void rg__auto_signature(struct rg_buf *out, struct rg__names *n);
void rg__export_auto_c(struct rg_buf *out, struct rg__names *n, const char *title);
/* The C function instead, where pointers do not lead to all parts (rg_problem.reached); there: "x && ", or "". */
void rg__export_unreached(struct rg_buf *out, struct rg__names *n, const char *there);
/* The parts as best.cu takes them: pointers without their types, values; `state`: of file-scope variables alone. */
void rg__export_parts(struct rg_buf *out, struct rg__names *n, bool types, bool state);
void rg__export_return_type(struct rg_buf *out, const struct rg_problem *p);

/* --- export_state.c: NAME_open, NAME_run, NAME_close: file-scope arrays stay on the device between calls --- */
/* Does an array stay there: a file-scope one whose extents file-scope numbers say? Does any? */
bool rg__state_keeps(const struct rg_problem *p, int param);
bool rg__state_kept(const struct rg_problem *p);
/* best.cu's side; `order`: of NAME_auto's parts. */
void rg__write_state(struct rg__writer *w, const int *order, int n);
void rg__export_state_c(struct rg_buf *out, struct rg__names *n); /* auto.c's */
void rg__export_state_h(struct rg_buf *out, struct rg__names *n); /* best.h's */

/* The types that stand for C's complex numbers in best.h; declared: say that they are. */
void rg__export_complex(struct rg_buf *out, const struct rg_problem *p, bool declared);
/* C's spelling of a parameter in best.h: export.c. */
void rg__c_type(struct rg_buf *out, const struct rg_problem *p, const struct rg_param *q, bool pointer);
void rg__c_parameter(struct rg_buf *out, struct rg__names *n, int param);

/* What a comparison with the user's C allows for. */
double rg__export_rtol(const struct rg_problem *p, const struct rg_param *q);
double rg__export_atol(const struct rg_problem *p, const struct rg_param *q);

enum rg_status rg__export_cu(struct rg_buf *out, struct rg__names *n, const char *plan_text, const char *title,
                             struct rg_error *err);
void rg__export_h(struct rg_buf *out, struct rg__names *n, const char *title);
/* export_check_text.c: what every check.c has */
extern const char rg__export_check_head[], rg__export_check_body[], rg__export_check_generators[];
void rg__export_check(struct rg_buf *out, struct rg__names *n);
void rg__export_makefile(struct rg_buf *out, struct rg__names *n);
#endif
