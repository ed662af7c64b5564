/* CUDA C++ to PTX and cubin through NVRTC, which is opened with dlopen. One thread, one program at a time. */
#ifndef RG_RUNTIME_COMPILER_H
#define RG_RUNTIME_COMPILER_H
#include "runtime/device.h"
#include "runtime/protocol/protocol.h"
#include <rg/arena.h>
#include <rg/error.h>
#include <rg/outcome.h>

struct rg_compiler {
    void *self;
    int major, minor;      /* of NVRTC */
    char library[256];     /* what was opened */
    char include_dir[512]; /* CUDA's own headers; "" when there are none */
    char fingerprint[65];  /* of all that a compilation depends on but source, kernel names and arch: library files,
                              headers, options */
    char pch_dir[400];     /* where precompiled headers may lie; "" none. Set by the owner */
};

/* RG_UNAVAILABLE with one line that says where it was looked for. */
enum rg_status rg__compiler_open(struct rg_compiler *c, struct rg_error *err);
void rg__compiler_close(struct rg_compiler *c);
/* Is there `arch` ("sm_90")? */
bool rg__compiler_knows(const struct rg_compiler *c, const char *arch);

struct rg_compiled {
    enum rg_outcome outcome; /* OK, COMPILE, PLAN (a kernel of the plan is missing or extern "C") */
    char message[1024];
    char *ptx;      /* malloc'd; NUL-terminated */
    size_t ptx_len; /* without the NUL */
    void *cubin;
    size_t cubin_len;
    int n_kernels;
    struct rg_kernel_info *kernels; /* in the arena given, parallel to `names` */
    char hash[65];                  /* of the normalised PTX */
};

/* names: the kernels a plan launches, as it writes them ("mm<16>"). What is wrong with the source is an outcome; a
 * status only when the compiler itself fails. Release in any case. Cost 30 ms to seconds. */
enum rg_status rg__compile(struct rg_compiler *c, struct rg_arena *a, const char *source, const char *arch,
                           int max_regs, const char *const *names, int n_names, struct rg_compiled *out,
                           struct rg_error *err);
void rg__compiled_release(struct rg_compiled *c);
/* Whether all that the text includes (or asks for, __has_include) are headers of CUDA or of this program. False:
 * `message` says which is not, as a compiler would. Opens nothing. Foreign bytes are fine. */
bool rg__includes_allowed(const struct rg_compiler *c, const char *source, char *message, size_t size);

/* --- parts, for tests --- */
extern const char rg__prelude[];
extern const char *const rg__header_names[], *const rg__header_texts[];
extern const int rg__n_headers;
/* The first error of a compiler's log, with its source line, into `out`. */
void rg__log_first_error(const char *log, char *out, size_t size);
/* Registers, spills and shared memory of each entry from `ptxas -v` output. */
void rg__log_resources(const char *log, struct rg_kernel_info *kernels, int n);
/* SHA-256 of PTX without comments, positions, debug lines and with registers and labels renumbered in order of
 * appearance: what differs only in names of variables has one hash. */
void rg__ptx_hash(const char *ptx, size_t len, char out[65]);
#endif
