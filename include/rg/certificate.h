/* The certificate of a kernel (schema "regraph-certificate/1", docs/certificate.md): what was verified and measured,
 * how, on what, and everything that it takes to do it again - the problem, the kernel and its plan are in it. Written
 * by regraph-search, re-checked by regraph-verify. */
#ifndef RG_CERTIFICATE_H
#define RG_CERTIFICATE_H
#include <rg/arena.h>
#include <rg/candidate.h>
#include <rg/decls.h>
#include <rg/outcome.h>
#include <rg/problem.h>
#include <rg/worker.h>

RG_BEGIN_DECLS

struct rg_named_int {
    const char *name;
    int64_t value;
};

/* Texts are never NULL once parsed ("" for null), numbers are NaN where unknown. All memory is the arena's, or static.
 */
struct rg_certificate {
    struct rg_arena arena;
    const char *regraph; /* version */
    const char *created; /* "2026-11-20T19:10:00Z" */
    const char *run, *function, *prototype;
    const char *c_file, *c_sha256; /* the user's file; "" when the run began from a saved problem */
    const char *reference_sha256;  /* of the preprocessed C that was the reference */
    const char *problem_hash;      /* rg_problem.hash */
    const char *problem_json;      /* the saved problem */
    /* where */
    const char *device, *arch, *driver, *nvrtc, *sandbox, *host_cpu, *host_cc;
    int64_t sms;
    double clock_mhz;
    bool estimated;
    /* how */
    int64_t seed;
    const char *cache, *objective, *policy, *coder;
    const char *graph_file, *graph_sha256;
    int64_t evaluations;
    int64_t limit_regs, limit_shared, limit_memory;
    const char *limit_arch;
    const char *oracle, *oracle_why;
    int n_sizes;
    struct rg_named_int *sizes; /* timed */
    int n_specialized;
    struct rg_named_int *specialized; /* what the kernel has as constants: it is for these values alone */
    int n_tolerances;
    struct rg_certified_output {
        const char *name;
        double rtol, atol, mismatch_share;
    } * tolerances;
    int n_cases;
    struct rg_case_evidence *cases;
    /* what came out */
    double max_error, rms_error;
    double sm_mhz, memory_mhz; /* while it was timed */
    double kernel_ms, kernel_noise_ms, total_ms, naive_ms, sol_ms, sequential_ms;
    int64_t threads; /* the user's C with OpenMP, on so many; 0 not timed */
    double threads_ms;
    const char *sequential_how; /* "measured", "extrapolated", "at least", "" */
    const char *limiter;
    int n_counters;
    struct rg_counter counters[RG_MAX_COUNTERS];
    bool varies, suspect,
        trivial;    /* outputs differ from run to run; faster than DRAM delivers; constants or copies were accepted */
    bool unchecked; /* nobody looked for races and stray accesses */
    /* the kernel */
    const char *cuda, *plan, *kernel_sha256, *ptx_sha256;
    int n_chain;
    struct rg_link *chain;
    int n_tunables;
    struct rg_named_int *tunables;
    int n_files;
    struct rg_certified_file {
        const char *name, *sha256; /* beside the certificate */
    } * files;
};

struct rg_certificate *rg_certificate_new(void);
void rg_certificate_free(struct rg_certificate *c);
/* SHA-256 of both texts, each with its NUL. */
void rg_certificate_kernel_sha256(const char *cuda, const char *plan, char out[65]);
/* malloc'd JSON text, for people too. problem_json must be JSON. */
char *rg_certificate_print(const struct rg_certificate *c);
/* RG_INPUT with a position or the member's name for anything that is none. Whether its hashes hold is the caller's
 * question: a certificate that was changed is still read. */
enum rg_status rg_certificate_parse(const char *text, size_t len, const char *name, struct rg_certificate **out,
                                    struct rg_error *err);
enum rg_status rg_certificate_load(const char *path, struct rg_certificate **out, struct rg_error *err);
RG_END_DECLS
#endif
