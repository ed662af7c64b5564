/* Nsight Compute's command line tool: what is asked of it, and what it prints. No process is started here. Internal. */
#ifndef RG_RUNTIME_NCU_H
#define RG_RUNTIME_NCU_H
#include <rg/buf.h>
#include <rg/error.h>
#include <rg/outcome.h>
#include <stdbool.h>

/* The metrics to ask for, with commas; left_out: bits of those that this chip does not know. */
void rg__ncu_metrics(struct rg_buf *out, uint64_t left_out);

struct rg_ncu_result {
    int n_counters; /* "hw_...", as docs/worker.md lists them; what ncu does not give is not there */
    struct rg_counter counters[RG_MAX_COUNTERS];
    int launches;        /* that were measured */
    bool denied;         /* the driver keeps the counters for administrators (ERR_NVGPUCTRPERM) */
    uint64_t unknown;    /* bits of metrics that ncu says it does not know */
    char complaint[200]; /* its first error, ""; in its words, cut */
};

/* What `ncu --csv --page raw` wrote: messages (==PROF==, ==ERROR==), then a row of names, one of units, and one for
 * each kernel launch. Rates and shares are averaged over the launches by their durations, amounts are added up.
 * Anything may be in `text`; never fails. Cost: O(len). */
void rg__ncu_parse(const char *text, size_t len, struct rg_ncu_result *out);

/* --- farm_counters.c --- */
struct rg__ncu_question {
    const char *ncu, *worker, *device, *tmp;
    const char *script; /* messages for the worker, in their order; an empty file: it launches the kernel that reads the
                           L2 away */
    const char *log;    /* where ncu writes; removed */
    const char *memory; /* path of the memory file */
    const char *const *kernels;
    int n_kernels;
    int64_t launches; /* of a run; 0 unknown */
    bool hot;
    double until;       /* given up then, by rg_now(); 0: after 30 s */
    volatile int *stop; /* NULL, or given up when not 0 */
};
/* In PATH, CUDA_HOME or where the toolkit's installer puts it. */
bool rg__ncu_find(char *out, size_t size);
/* Runs it, for up to 30 s. *left_out: bits of metrics not to ask for; those that the chip does not know are added.
 * RG_UNAVAILABLE, RG_LIMIT with the reason where there are no counters. */
enum rg_status rg__ncu_ask(const struct rg__ncu_question *q, uint64_t *left_out, struct rg_ncu_result *out,
                           struct rg_error *err);

/* "^(a|b)$" of kernels as plans name them: the functions' own names, without template arguments and namespaces. */
void rg__ncu_kernels(struct rg_buf *out, const char *const *names, int n);
#endif
