/* Closing the doors of a worker behind its warm-up: Landlock for files, network and signals, seccomp for system calls.
 * What a candidate's text makes a compiler or a driver do then ends in a refusal, not in a file. Linux; best effort:
 * what the kernel lacks stays open and is told. Internal. */
#ifndef RG_RUNTIME_SANDBOX_H
#define RG_RUNTIME_SANDBOX_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rg_sandbox {
    const char *const *read;   /* folders and files that may be read, NULL-terminated; absent ones are skipped */
    const char *const *write;  /* folders in which files may be made, read, written and removed */
    const char *const *device; /* device files: read, written, controlled */
    const char *const *run; /* folders whose programs may be read and run, NULL none; then calls stay open, sockets and
                               other processes' memory aside */
    bool timed; /* what runs here is timed: the kernel's measures against speculation, which slow it down, are not asked
                   for */
    int64_t memory; /* bytes of address space beyond what is mapped already; 0 no limit */
};

enum { RG_SANDBOX_FILES = 1, RG_SANDBOX_CALLS = 2 };

/* For the calling process, for good; threads that are there already keep their files, not their calls. The result says
 * which doors are closed, e.g. RG_SANDBOX_FILES | RG_SANDBOX_CALLS. Costs some 100 us. In a build with a sanitizer
 * calls stay open. */
int rg__sandbox_enter(const struct rg_sandbox *s);
/* "files and calls", "files", "calls" or "nothing". */
const char *rg__sandbox_words(int doors);
/* The environment of a worker: of the caller's only what libraries need to be found and to work. NULL-terminated, to be
 * freed as one block; the strings are the caller's own. */
char **rg__sandbox_environment(char *const *all);
#endif
