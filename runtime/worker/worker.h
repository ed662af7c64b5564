/* A regraph-worker process: reads messages, answers each with one. Its roles are in worker_compile.c,
 * worker_reference.c and worker_run.c. Internal. */
#ifndef RG_RUNTIME_WORKER_H
#define RG_RUNTIME_WORKER_H
#include "runtime/protocol/protocol.h"
#include "runtime/os/sandbox.h"
#include <rg/problem.h>

struct rg_worker {
    const char *device; /* --device; "" */
    const char *tmp;    /* --tmp: a folder that the supervisor removes; "" */
    bool foreign;       /* --foreign: the problem is not the user's own; its C sees no more than it needs */
    const char *cache;  /* --cache: folder of what is known of devices; "" none */
    int threads;        /* --threads: the user's C is built with OpenMP and has so many; 0: without */
    const char *replay; /* --replay: a file of messages to be worked off instead of being asked, by a profiler's side;
                           "" none */
    const char *memory; /* --memory: path of the memory file, with --replay */
    bool bare;          /* --bare: buffers without guard zones, for a tool that looks for stray accesses itself */
    bool probe;         /* --probe: started to be asked what it is */
    int in, out; /* the protocol (--replay: the file, and nowhere); descriptors 0 and 1 are /dev/null, for the user's
                    scanf and printf */
    int shm;     /* the memory file */
    struct rg_problem *problem; /* NULL until it was sent */
    uint64_t seed;
    int64_t current; /* id of the message being answered, for the crash handler */
    bool failed;     /* some answer was an error: what the process says when it ends, with --replay */
    bool ending;     /* the process ends after this answer: its device is beyond repair */
    void *self;      /* the role's own state */
};

struct rg_worker_role {
    const char *name;
    /* Fills what it knows of READY; an error is reported and the process ends. */
    enum rg_status (*start)(struct rg_worker *w, struct rg_msg *ready, struct rg_error *err);
    /* After problem was (re)loaded; may be NULL. */
    enum rg_status (*problem)(struct rg_worker *w, struct rg_error *err);
    /* *reply is initialised as DONE with the right id; its arena may be used. */
    enum rg_status (*handle)(struct rg_worker *w, const struct rg_msg *in, struct rg_msg *reply, struct rg_error *err);
    void (*stop)(struct rg_worker *w);
    /* After start: what must stay reachable; everything else is closed. NULL: nothing is closed. Storage lives in a. */
    void (*sandbox)(struct rg_worker *w, struct rg_arena *a, struct rg_sandbox *s);
};

extern const struct rg_worker_role rg__role_compile, rg__role_reference, rg__role_hooks, rg__role_run, rg__role_look;

#endif
