/* A folder of kernels, from the inside: kernels_json.c reads problems and prints results, kernels_data.c makes inputs
 * and expected outputs and compares, kernels_run.c runs a variant, kernels.c starts the children. */
#ifndef RG_RUNTIME_KERNELS_H
#define RG_RUNTIME_KERNELS_H
#include "runtime/compile/compiler.h"
#include "runtime/device.h"
#include <rg/buf.h>
#include <rg/kernels.h>
#include <rg/plan.h>

enum { KERNELS_MAX_BUFFERS = 64, KERNELS_REPS = 20, KERNELS_SIZES = 2 /* timed, small */ };

struct kernels_problem {
    struct rg_problem *p; /* sizes[0] the timed ones, sizes[1] the small ones */
    char *name, *folder;
    double *scalars; /* per parameter */
    double tolerance;
    /* per size and parameter: inputs as uploaded, and what the reference gives for them as doubles; NULL not made yet
     */
    char **inputs[KERNELS_SIZES];
    double **expected[KERNELS_SIZES], **plain[KERNELS_SIZES]; /* evaluated in fp64, and as written */
    bool evaluated[KERNELS_SIZES];
};

/* folder/problem.json; errors name the field. Free in any case of RG_OK. */
enum rg_status rg__kernels_problem_read(const char *folder, const char *name, struct kernels_problem **out,
                                        struct rg_error *err);
void rg__kernels_problem_free(struct kernels_problem *k);

/* The bytes of parameter `i` at a size, once: kept in k->inputs. RG_INPUT: an init that is not lcg(...) or affine(...).
 */
enum rg_status rg__kernels_input(struct kernels_problem *k, int size, int i, int64_t *bytes, struct rg_error *err);
/* Runs ref.c at a size with `float` made double, and as written: k->expected, k->plain. Needs a C compiler (cc, or
 * $CC). */
enum rg_status rg__kernels_expect(struct kernels_problem *k, int size, struct rg_error *err);
/* The worst element of |out - ref| / (|ref| + mean |ref|) over parameter `i`; the better of both references. */
double rg__kernels_compare(const struct kernels_problem *k, int size, int i, const void *got);

struct kernels_result {
    char name[64], desc[160];
    enum rg_outcome outcome;
    char message[400];
    bool verified, timed, simulated;
    double max_error;                   /* at the small sizes; < 0: not compared */
    double us, low_us, high_us;         /* estimated */
    double hot_us, hot_min_us, cold_us; /* measured */
    int reps;
    double seconds; /* what it took to find out */
    char limiter[24];
    int n_counters;
    struct rg_counter counters[RG_MAX_COUNTERS];
    int regs;
    int64_t shared_bytes, local_bytes; /* of the heaviest kernel of the plan */
};

struct kernels_run {
    const struct rg_kernels_options *o;
    struct rg_device d;
    struct rg_compiler compiler;
    double null_us; /* an empty kernel, measured; < 0 unknown */
};
struct kernels_loaded { /* a variant, compiled */
    struct rg_arena arena;
    struct rg_compiled compiled;
    struct rg_plan *plan;
    struct rg_kernel_sig *sigs;
    struct rg_blob blob;
};

struct kernels_host { /* what a plan runs over */
    struct rg_device *d;
    struct rg_module *module;
    const struct rg_problem *p;
    const struct rg_kernel_sig *sigs;
    const double *scalars;
    int n; /* parameters, then scratch */
    struct {
        rg_addr addr;
        int64_t bytes, elem_bytes;
    } b[KERNELS_MAX_BUFFERS * 2];
    int n_params, next_scratch; /* a plan that runs again finds its scratch */
    bool again;
    bool cold; /* estimates: L2 is flushed first */
    int64_t launches;
    struct rg_fault fault;
};

/* Compiles a file and checks its plan; what is wrong with it as a status, or as out->outcome with RG_OK. Release in any
 * case. */
enum rg_status rg__kernels_compile(struct kernels_run *r, struct kernels_problem *k, const char *file,
                                   struct kernels_result *out, struct kernels_loaded *v, struct rg_error *err);
void rg__kernels_loaded_release(struct kernels_loaded *v);
/* Estimates a compiled variant over buffers that stay with *h for the next one of the problem; h->n 0: none yet. */
enum rg_status rg__kernels_estimate(struct kernels_run *r, struct kernels_host *h, struct kernels_loaded *v,
                                    struct kernels_problem *k, struct kernels_result *out, struct rg_error *err);
/* Runs a compiled variant's plan in full over buffers that stay with *h; zeroed at first: they are made, and the module
 * loaded (who drops *h unloads it). For measuring. */
enum rg_status rg__kernels_once(struct kernels_run *r, struct kernels_host *h, struct kernels_loaded *v,
                                struct kernels_problem *k, int size, struct rg_error *err);
void rg__kernels_drop(struct kernels_host *h);
/* One variant, in this process. What is wrong with it is in the result. */
void rg__kernels_variant(struct kernels_run *r, struct kernels_problem *k, const char *file,
                         struct kernels_result *out);
/* On a real device: what an empty kernel takes, after a second of work that brings the clock up. */
enum rg_status rg__kernels_warm(struct kernels_run *r, struct rg_error *err);

/* `"v01": {...}` */
void rg__kernels_result_print(struct rg_buf *b, const struct kernels_result *r);
/* `"device": ..., "facts"` without braces */
void rg__kernels_head_print(struct rg_buf *b, const struct rg_device *d, const struct rg_compiler *c, double null_us);
void rg__kernels_string_print(struct rg_buf *b, const char *text);
#endif
