/* Kernels with plans of their own, given as folders (docs/sim.md, "A folder of kernels"): each is compiled, verified
 * and estimated on a simulated device or timed on a real one. What `regraph-worker --kernels FOLDER` does. */
#ifndef RG_KERNELS_H
#define RG_KERNELS_H
#include <rg/decls.h>
#include <rg/error.h>
#include <stdbool.h>

RG_BEGIN_DECLS

struct rg_kernels_options {
    const char *folder; /* of problems; or one problem's own */
    const char *device; /* "sim:NAME" or "cuda:N"; NULL: sim:h200 */
    const char *only;   /* "PROBLEM" or "PROBLEM/VARIANT"; NULL: all */
    bool check;         /* races and uninitialised reads are looked for while verifying (sim) */
    bool no_verify;     /* only estimated or timed */
    bool cold;          /* estimates of a first run: L2 holds nothing; a GPU tells both anyway */
    double seconds;     /* a variant may take; 0: 120. Then it is the outcome "timeout" */
    /* One JSON document in pieces, as results come; and a line on what is wrong with a problem as a whole. */
    void (*write)(void *arg, const char *text);
    void (*complain)(void *arg, const char *line);
    void *arg;
};

/* Runs every variant in a child process: whatever one of them does, the others have their results. failed (may be
 * NULL): variants that are not both verified and timed, plus problems that cannot be read. Errors: RG_INPUT no problem
 * in the folder; RG_UNAVAILABLE no such device, no NVRTC. Those of one problem or variant are in the document. Cost: on
 * a simulated device about 30 ms a variant beside NVRTC's time. */
enum rg_status rg_kernels_run(const struct rg_kernels_options *o, int *failed, struct rg_error *err);
RG_END_DECLS
#endif
