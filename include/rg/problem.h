/* The problem: a sequential C function, its parameters with roles and extents, sizes, inputs, tolerances, and the
 * texts from which it can be run again without the user's headers. Built by frontend/, saved as JSON
 * ("format": "regraph-problem/1"), read by everything. */
#ifndef RG_PROBLEM_H
#define RG_PROBLEM_H
#include <rg/arena.h>
#include <rg/buf.h>
#include <rg/decls.h>
#include <rg/error.h>
#include <rg/expr.h>
#include <rg/scalar.h>
#include <stdbool.h>
#include <stdint.h>

RG_BEGIN_DECLS

/* Around what device_decls bring of C's library; no model needs to see it. */
#define RG_LIBRARY_BEGIN "/* C library */\n"
#define RG_LIBRARY_END "/* end of C library */\n"

enum rg_role { RG_ROLE_IN, RG_ROLE_OUT, RG_ROLE_INOUT };
enum rg_param_kind { RG_PARAM_SCALAR, RG_PARAM_ARRAY };
/* GLOBAL: a file-scope variable the function touches, or an integer member of a structure parameter that is only read
 * (g.nx counts as a parameter g_nx, so that it can bound loops and have sizes). RESULT: the return value, array of one
 * element, role out. DERIVED: an integer that the function computes from the others before anything else (Lo = (L +
 * 2*pad - K)/stride + 1) and that loops or subscripts need as a symbol: no argument of the function, its value follows
 * from .derived. RETURNED: memory that the function allocates and returns, role out; it is the only one that `result`
 * leads to (.places). For plan and kernels all are alike. */
enum rg_origin { RG_ORIGIN_ARG, RG_ORIGIN_GLOBAL, RG_ORIGIN_RESULT, RG_ORIGIN_DERIVED, RG_ORIGIN_RETURNED };

struct rg_field {
    const char *path;    /* "pos[0]", "mass" with '.' between levels; arrays of scalars are one field */
    enum rg_scalar type; /* never STRUCT: nested structs are flattened */
    int64_t offset;      /* bytes */
    int64_t count;       /* 1, or elements of an array member */
    int n_dims;          /* of such a member as the file declares it, outermost first; 0 unknown: a saved problem */
    int64_t dims[4];
    int bits; /* which of a byte's bits are of bit-fields, whose name and byte `path` tells ("flag:0"); 0: a plain
                 member; in a saved problem 0 */
};

struct rg_struct {
    const char *c_name; /* as a declaration spells it: "struct body", "body_t" */
    int64_t bytes;
    int n_fields;
    struct rg_field *fields;
};

/* How an input is filled. Values are a function of (seed, parameter index, element index) alone. */
enum rg_input_kind {
    RG_INPUT_DEFAULT,  /* reals: mixed sign in [-1,1) varied by seed; integers: uniform(0, 99) */
    RG_INPUT_UNIFORM,  /* args lo, hi: reals in [lo,hi); integers lo..hi inclusive */
    RG_INPUT_NORMAL,   /* mean, sigma */
    RG_INPUT_CONSTANT, /* v */
    RG_INPUT_AFFINE,   /* a + b*i */
    RG_INPUT_SORTED,   /* lo, hi: ascending; reals by half the mean step at least */
    RG_INPUT_PREFIX, /* total, first (0), least (0): integers ascending from `first` at the first element by `total` up
                        to the last (CSR row pointers), by `least` each where there are so many: then the same for all
                        seeds, as ROWS goes by them */
    RG_INPUT_PERMUTATION, /* of 0..n-1 */
    RG_INPUT_LCG,         /* seed, lo, hi: the generator of shared/kernels */
    RG_INPUT_STRING,      /* length, lo, hi, row (0): characters lo..hi, 0 from element `length` on; row not 0: in each
                             row of so many elements, from one on that is `length` at most */
    RG_INPUT_BAND,   /* width, n, by (0): a symmetric matrix of n rows of `width` elements, diagonally dominant (what CG
                        and its like ask for): of integers the columns, of reals the values; row pointers are
                        affine(0, width). by not 0: the first elements of all rows stand in front of the second ones */
    RG_INPUT_CHOICE, /* up to RG_INPUT_ARGS values, each as likely as the others */
    RG_INPUT_PLATEAUS, /* lo, hi: stretches of one value of many lengths, and others between them */
    RG_INPUT_ROWS,     /* total, n, first (0): the elements of a square matrix, diagonally dominant by rows, whose row
                          pointers are prefix(total, first, 1): of integers the columns, ascending from `first` on, of
                          reals the values */
    RG_INPUT_DOMINANT, /* n: a dense symmetric matrix of n rows and columns, diagonally dominant, its diagonal positive
                        */
    RG_INPUT_LINKS,    /* n, end: integers that lead on, each above its own place and below n, or are `end` (without
                          one their own place): lists by next elements, four on average, and trees by parents */
    RG_INPUT_FILE,     /* .npy */
    RG_INPUT_INIT      /* by the problem's init function */
};

enum { RG_INPUT_ARGS = 8 };

struct rg_input {
    enum rg_input_kind kind;
    int n_args;
    const struct rg_expr *int_args[RG_INPUT_ARGS]; /* over integer parameters, NULL where the text is a real literal */
    double real_args[RG_INPUT_ARGS];               /* used where int_args is NULL; INIT: the number that it sets */
    const char *text;                              /* as written: "uniform(0, n-1)" */
    const char *file;                              /* FILE */
};

/* What fills one member of a structure's elements where that is not what fills the rest: edges[e].from leads into
 * another array. */
struct rg_member_input {
    const char *path;      /* of the struct's field; an array member is one */
    struct rg_input input; /* never FILE or INIT */
};

struct rg_param {
    const char *name;              /* a name that CUDA C++ takes: kernels and plans use it */
    const char *c_name;            /* as people know it (`new` for new_, `g.nx` for g_nx); NULL: the same */
    const struct rg_expr *derived; /* DERIVED: its value over the other integer parameters; else NULL */
    const struct rg_expr *follows; /* what the init function sets it to, over other integer parameters: its value at
                                      every size that is made. A call may bring any. NULL */
    enum rg_param_kind kind;
    enum rg_origin origin;
    enum rg_role role; /* scalars: IN */
    enum rg_scalar elem;
    int struct_index; /* elem == RG_STRUCT: into problem->structs; else -1 */
    int64_t elem_bytes;
    const char *c_elem; /* element type's C spelling without qualifiers: "float", "struct body" */
    const char *c_decl; /* the user's declaration with its name: "const float A[n][k]" */
    bool c_const;       /* pointee const in the user's declaration */
    bool c_void;        /* a void pointer there; the code says what it leads to */
    const char *access; /* what the C function's own arguments have it as: "A->val"; NULL: it is an argument or a
                           variable itself */
    const char
        *column; /* a member of the structures of an array that is an argument: in C, where the one of element
                    rg_k is, or for rows behind pointers the row that it leads to ("": nothing says it); else NULL */
    const char *column_count; /* then: how many elements there are, in C, */
    const char *column_bytes; /* and the bytes at that place, by rg_k */
    bool state;               /* GLOBAL: a file-scope variable, or a member of one; its values outlast a call */
    bool rows;                /* T ** and T ***: rows behind pointers in the C, one block here */
    bool c_pointer;           /* GLOBAL: the variable is a pointer, the array lies behind it */
    bool indirect; /* the C function does not take it as it is: rows behind pointers (T **), a member of a structure
                      that holds pointers */
    int n_dims;    /* ARRAY: >= 1; extents from the outermost in, over integer scalar parameters */
    const struct rg_expr **dims;
    bool proposed;        /* SCALAR: nobody said what its timed size is */
    bool least_one;       /* SCALAR: loops end at it, and kernels are made for 1 and more */
    bool extent_inferred; /* not written by the user */
    const char
        *extent_from; /* what says it, where that is another function of the file: "as main allocates it"; NULL */
    struct rg_input input;
    int n_members; /* elem == RG_STRUCT: members with inputs of their own */
    struct rg_member_input *members;
    const char *expect_file; /* .npy or NULL */
    double mismatch_share;   /* integer outputs: accepted share of differing elements, 0 by default */
};

/* An argument of the C function, where some parameter is not passed as it is. */
struct rg_arg {
    const char *name, *c_decl; /* in the file; without restrict */
    const char *type;          /* as C reads it through a pointer: "struct image", "int", "void *" for all pointers */
    int param;                 /* into params; -1: a structure whose members are the parameters */
};

/* A macro of the user's files that stands for an integer, and that the function names. */
struct rg_constant {
    const char *name;
    int64_t value;
};

/* One assignment of the integer scalar parameters (problem->size_params order). */
struct rg_sizes {
    int64_t *values;
    double work; /* counted array accesses of the sequential run; < 0 unknown */
    bool timed;  /* exactly one is */
    bool verify;
    bool on_sim; /* small enough to be interpreted (work <= 4e6) */
    bool chosen; /* by the front end: the user gave others */
};

enum rg_oracle { RG_ORACLE_F64, RG_ORACLE_SEQUENTIAL };

/* Bits of what the user lets kernels do to the precision: products of operands rounded to 11 bits, or anything that
 * stays within the tolerance. */
enum { RG_ALLOW_TF32 = 1, RG_ALLOW_FAST_MATH = 2 };

/* Bits of what the user says of the function that analysis can't prove: its results do not depend on the order of the
 * iterations of loops that depend on one another. */
enum { RG_ASSUME_ORDER_FREE = 1 };

struct rg_problem {
    struct rg_arena arena; /* owns everything below */
    const char *function;
    const char *file; /* as the user named it */
    int line;
    const char *prototype;       /* "void saxpy(int n, float a, const float *x, float *y)" */
    const char *return_c;        /* "void", "float" */
    const char *places;          /* the C function returns a pointer into one of these parameters, named in their order
                                    with a blank between: `result` is -1 for NULL, else the parameter's number among
                                    them + how many they are * the elements in front of the place. NULL: it returns
                                    nothing, or what `result` has */
    const char *function_source; /* its text as written (macros unexpanded where possible), for models and reports */
    int text_line;               /* of the file: where the function's own part of it begins; 0 unknown */
    int comment_line, comment_lines; /* of the comment above that it begins with: its first line, how many; pragmas may
                                        stand between the two */
    const char *context_source;      /* types, macros, constants and helpers it needs, as written */
    const char *device_decls; /* the same, preprocessed, as CUDA C++: structs, enums, typedefs, constant tables as
                                 __constant__ or static const, helpers as __device__ functions */
    const char *reference_c;  /* preprocessed file + shim (runtime/reference/reference.h says what it exports) */
    int64_t round_at; /* byte of reference_c at which the body of its loop of rounds begins, which data end and other
                         loops stand in; 0: it has none, or it is not told where */
    int round_line;   /* of that loop, in the file */
    const char *oracle_c; /* the same evaluated in double; NULL with RG_ORACLE_SEQUENTIAL */
    enum rg_oracle oracle;
    const char *oracle_why; /* one sentence when the sequential run is the reference */
    const char *host_decls; /* the C the export needs before the prototype (structs, typedefs); "" */
    const char *cflags;     /* for the reference; "" */
    int n_with;             /* further C files, preprocessed (--with) */
    const char **with_c;
    int n_params;
    struct rg_param *params;
    int n_args; /* 0: parameters of origin ARG are the arguments */
    struct rg_arg *args;
    const char *auto_decls; /* with n_args: the C types that these arguments name, system headers' too, preprocessed;
                               else NULL */
    int n_constants;        /* no part of the hash: names do not change what is computed */
    struct rg_constant *constants;
    bool in_file;        /* the function, or a variable it uses, has no name outside its file: NAME_auto stands in it */
    const char *reached; /* "A && A->next": what must hold before access; NULL: nothing */
    int n_structs;
    struct rg_struct *structs;
    int n_size_params; /* integer scalar parameters */
    int *size_params;  /* into params */
    int n_sizes;
    struct rg_sizes *sizes; /* the timed one first */
    int n_require;
    const struct rg_expr **require;
    const char **require_text;
    double rtol, atol; /* < 0: by type (design section 8) */
    unsigned allow;    /* RG_ALLOW_ bits; 0: no reals much less exact than the sequential run's */
    bool accumulates;  /* carries a floating-point reduction */
    bool may_alias;
    bool allow_trivial;
    const char *assumed; /* what of the loop tree the user says is so (--assume), where it was used, and nobody proved;
                            NULL: nothing */
    const char *init_function; /* NULL none; "a, b": several, one behind the other */
    bool init_found;           /* nobody named it: the function's caller in the file calls it in front */
    const char *size_note;     /* sizes that nobody gave, and where they are from; NULL */
    int size_halvings;         /* of what there is to do at them, as the C takes longer than its loops say; 0 */
    int verify_halvings;       /* the same of what there may be at verify sizes that we choose; 0 */
    int main_times;            /* main, which makes the inputs, has its numbers multiplied by that; 0: as they stand */
    const char *extent_note;   /* extents that nobody stated, and how they were taken; NULL */
    const char *init_note;     /* where the init function was found; what of it is not used, and why; NULL */
    uint32_t traits;           /* RG_TRAIT_ bits (rg/words.h): the union over its loop nests */
    const char *tree_json;     /* rg/ctree.h, as JSON text; NULL when the body could not be represented at all */
    const char *klass;         /* problem class, a word of rg/words.h; evidence is keyed by it */
    double flops;              /* counted at the timed size; < 0 unknown */
    double compulsory_read_bytes, compulsory_write_bytes; /* that must move at the timed size, at least; < 0 unknown */
    bool compulsory_counted;                              /* every access was counted: it is these bytes, not more */
    char hash[65];                                        /* of its canonical JSON without paths */
};

enum { RG_MAX_HALVINGS = 60, RG_MAX_MAIN_TIMES = 4096 };
struct rg_problem *rg_problem_new(void);
void rg_problem_free(struct rg_problem *p);
/* problem_json.c. Load fails with RG_INPUT and a position for anything malformed. */
enum rg_status rg_problem_save(const struct rg_problem *p, const char *path, struct rg_error *err);
enum rg_status rg_problem_load(const char *path, struct rg_problem **out, struct rg_error *err);
enum rg_status rg_problem_from_json(const char *text, size_t len, const char *name, struct rg_problem **out,
                                    struct rg_error *err);
char *rg_problem_to_json(const struct rg_problem *p); /* malloc'd; one line */

/* Which program it is, whatever its names, places and sizes: 16 hex digits over the canonical tree, or the C where
 * there is none. Two problems of one program are one kind of experience (docs/graph.md). */
void rg_problem_program(const struct rg_problem *p, char out[17]);

/* Sets p->hash; whoever builds or changes a problem calls it last. */
void rg_problem_rehash(struct rg_problem *p);

/* What messages and reports call it. */
static inline const char *rg_param_shown(const struct rg_param *q)
{
    return q->c_name ? q->c_name : q->name;
}

/* The shown name of the parameter called `name`; a hook for rg_expr_print(), `problem` the problem. */
const char *rg_problem_shown(void *problem, const char *name);

/* A line of the file as people are told of it: its code in backquotes where it is a line of the function, else
 * "line N"; into `out`, which is returned. */
const char *rg_problem_line(const struct rg_problem *p, int line, char *out, size_t size);

/* How the field `path` of the parameter's elements is filled: the member's own input, or the parameter's. */
const struct rg_input *rg_param_input(const struct rg_param *q, const char *path);

/* Fills in the values of derived parameters, and of those that follow; those of the others must be there. RG_INPUT when
 * one has no value (a division by zero). */
enum rg_status rg_problem_derive(const struct rg_problem *p, int64_t *values, struct rg_error *err);

/* The value of a real scalar that is the same in all runs, as its input is a constant or the init function sets it to
 * one number. False: it is no such parameter. `env`: of the integers in its input; NULL: none. */
struct rg_expr_env;
bool rg_param_stated(const struct rg_param *q, const struct rg_expr_env *env, double *value);

/* Is the parameter a real number that derived parameters are whole parts of? It has one value in all runs. */
bool rg_problem_makes_sizes(const struct rg_problem *p, int param);

/* Is its value at a size that is made computed from others? */
static inline bool rg_size_follows(const struct rg_param *q)
{
    return q->derived || q->follows;
}

/* Index of the parameter, -1 unknown. */
int rg_problem_param(const struct rg_problem *p, const char *name);
/* How many parameters a returned pointer may lead into (.places), and the k-th of them; 0: no pointer is returned. */
int rg_problem_places(const struct rg_problem *p);
int rg_problem_place(const struct rg_problem *p, int k);
/* C statements that make `long rg_place` of the pointer `rg_returned`: it leads into that of these arrays which begins
 * last in front of it. base, size: the first element of a parameter as a pointer, and the bytes of one. */
void rg_problem_place_number(struct rg_buf *out, const struct rg_problem *p, const char *indent,
                             const char *(*base)(void *arg, int param), const char *(*size)(void *arg, int param),
                             void *arg);
/* Is the parameter a member, or an element of one, of a structure that is a parameter too (`g.nx`, `g.dim[0]` of g)?
 * Then that one, and how many bytes into it. */
bool rg_problem_member(const struct rg_problem *p, const struct rg_param *q, const struct rg_param **base,
                       int64_t *offset);
/* Is the parameter one that `require` gives a single value (n == 1024)? Kernels may have it as a constant. */
bool rg_problem_fixed(const struct rg_problem *p, int param, int64_t *value);
/* Environment of size set `s` for rg_expr_eval; valid as long as both live. Storage is the caller's. */
struct rg_problem_env {
    struct rg_expr_env env;
    const struct rg_problem *problem;
    const struct rg_sizes *sizes;
};
void rg_problem_env_init(struct rg_problem_env *e, const struct rg_problem *p, const struct rg_sizes *s);
/* Elements of an array parameter at a size set; RG_INPUT when an extent is not positive or overflows. */
enum rg_status rg_problem_elements(const struct rg_problem *p, int param, const struct rg_sizes *s, int64_t *out,
                                   struct rg_error *err);
/* Adds "tf32", "fast-math" or several with commas to *allow. RG_INPUT names the unknown word. */
enum rg_status rg_allow_parse(const char *text, unsigned *allow, struct rg_error *err);
/* The same with what --assume takes: "order-free". */
enum rg_status rg_assume_parse(const char *text, unsigned *assume, struct rg_error *err);
/* Are reals held to the sequential run's own error? Not where the user states a tolerance or lifts it, and not without
 * an evaluation in wider arithmetic. */
bool rg_problem_capped(const struct rg_problem *p);
double rg_problem_rtol(const struct rg_problem *p, enum rg_scalar t);
double rg_problem_atol(const struct rg_problem *p, enum rg_scalar t);
RG_END_DECLS
#endif
