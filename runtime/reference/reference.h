/* The user's C as the reference worker runs it. problem->reference_c (and oracle_c, the same evaluated in double) is
 * the preprocessed file plus a shim, which exports
 *     const struct rg_shim_param rg_shim_params[];  const int rg_shim_n_params;   one per problem parameter, in order
 *     void rg_shim_in(void **a);    what `a` holds into file-scope variables
 *     void rg_shim_call(void **a);  calls the function; a RESULT parameter receives its value
 *     void rg_shim_out(void **a);   file-scope variables into what `a` holds
 *     void *rg_shim_place(int p, void **a);   only with file-scope arrays: where the function finds parameter p
 *     int rg_shim_has_init;  void rg_shim_init(void **a);   the user's init function fills parameters
 *     int rg_shim_init_missed;      only where it was found: it sets sizes itself, and not to these
 * a[p] points to parameter p's buffer (a scalar: its value). */
#ifndef RG_RUNTIME_REFERENCE_H
#define RG_RUNTIME_REFERENCE_H
#include <rg/problem.h>

enum { RG_SHIM_LONG_DOUBLE = 100 }; /* a type no problem has: what `double` became in the oracle */

struct rg_shim_field {
    const char *path;
    int type; /* enum rg_scalar as this build of the C sees it (float is F64 in the oracle), or RG_SHIM_LONG_DOUBLE */
    long offset, count;
};
struct rg_shim_param {
    const char *name;
    int kind; /* enum rg_param_kind */
    int type; /* as rg_shim_field.type; RG_STRUCT: through fields */
    long elem_bytes;
    int n_fields;
    const struct rg_shim_field *fields;
};

struct rg_library { /* one loaded shim */
    void *handle;
    const struct rg_shim_param *params;
    void (*in)(void **a);
    void (*call)(void **a);
    void (*out)(void **a);
    void (*init)(void **a); /* NULL: none */
    const int *init_missed; /* NULL: it never misses */
    void (*supplied)(void **from, const unsigned long *bytes,
                     int n); /* memory that is not the heap's: free leaves it alone */
    int *fresh;              /* what memory from malloc holds in every byte; -1: whatever was there */
    void *(*place)(
        int param,
        void **a); /* where the function finds a parameter: a[param], or a file-scope array; NULL: always a[param] */
};

/* C for the user's compiler, linked with every build: it exports rg_supplied and rg_fresh. */
extern const char rg__supplied_text[];

/* A library that has been compiled but not loaded: from the one to the other the process may be closed off. */
struct rg_build {
    char dir[400]; /* a folder of its own; "" none */
};
/* Compiles `c` (and the problem's with_c) in a new folder below `tmp`, with the system's `cc` as the user would.
 * openmp: its OpenMP pragmas count. RG_UNAVAILABLE: no compiler. RG_INPUT: the compiler's first error with its place.
 * Discard it after loading. */
enum rg_status rg__build(const struct rg_problem *p, const char *c, const char *tmp, bool openmp, struct rg_build *out,
                         struct rg_error *err);
/* The same without contraction, with a call of __sanitizer_cov_trace_pc at every basic block; `hook` is the C that
 * holds it. The functions in `renamed` (NULL ends) are its rg_nearest_ ones. RG_UNAVAILABLE: this compiler has no such
 * calls, or the file defines one of these itself. */
enum rg_status rg__build_rounded(const struct rg_problem *p, const char *c, const char *hook,
                                 const char *const *renamed, const char *tmp, struct rg_build *out,
                                 struct rg_error *err);
/* The same, unoptimised and with access hooks (runtime/reference/hooks.h); `hooks` is the C they go to. RG_UNAVAILABLE
 * with what the compiler said. */
enum rg_status rg__build_hooked(const struct rg_problem *p, const char *c, const char *hooks, const char *tmp,
                                struct rg_build *out, struct rg_error *err);
void rg__build_path(const struct rg_build *b, char *out, size_t size); /* of the library */
void rg__build_discard(struct rg_build *b);

/* Loads it and checks that the shim fits the problem. RG_BUG: it does not. */
enum rg_status rg__library_load(const struct rg_problem *p, const struct rg_build *b, struct rg_library *out,
                                struct rg_error *err);
void rg__library_close(struct rg_library *l);

/* Buffers laid out so that a step outside is caught: the end against an inaccessible page, or the start. */
struct rg_guarded {
    const char *name;
    void *base;           /* of the mapping */
    size_t mapped, reach; /* reach: inaccessible bytes at each side */
    unsigned char *data;
    size_t bytes;
    int64_t elem_bytes;
};
/* at_end: data ends at an inaccessible page (aligned to elem_bytes), else it starts after one. */
enum rg_status rg__guarded_new(struct rg_guarded *g, const char *name, size_t bytes, int64_t elem_bytes, bool at_end,
                               struct rg_error *err);
void rg__guarded_free(struct rg_guarded *g);
/* The slack between data and page was not written; else RG_INPUT says which element was. */
enum rg_status rg__guarded_check(const struct rg_guarded *g, struct rg_error *err);
/* Into text: "x[1024] is outside its extent of 1024 elements" when `address` is near one of the buffers; false else. */
bool rg__guarded_explain(const struct rg_guarded *g, int n, const void *address, char *text, size_t size);
#endif
