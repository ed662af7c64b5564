/* Child processes with a line channel. The child is in its own process group and dies with its parent
 * (PR_SET_PDEATHSIG). */
#ifndef RG_PROC_H
#define RG_PROC_H
#include <rg/buf.h>
#include <rg/decls.h>
#include <rg/error.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

RG_BEGIN_DECLS

struct rg_proc {
    pid_t pid;              /* 0: not running */
    int in, out, errf;      /* our ends of its stdin, stdout, stderr; -1 closed; out and errf non-blocking */
    struct rg_buf out_buf;  /* bytes read, not yet consumed as lines */
    struct rg_buf err_tail; /* last 16 KiB of its stderr */
    int status;             /* wait status once reaped */
    int64_t max_rss;        /* bytes of memory it had at most, once reaped; 0 unknown */
    bool eof;               /* stdout ended */
};

struct rg_proc_options {
    const char *const *argv; /* NULL-terminated; argv[0] through PATH */
    const char *const *env;  /* NULL: inherited */
    const char *cwd;         /* NULL: inherited */
    int pass_fd;             /* an fd the child sees as fd 3; -1 none. All others but 0-2 are closed in it */
};

/* RG_UNAVAILABLE with strerror of the failed exec. */
enum rg_status rg_proc_start(struct rg_proc *p, const struct rg_proc_options *o, struct rg_error *err);
/* Next line of its stdout without the newline, malloc'd in *line; *line NULL when none came within `seconds`
 * (0: only look; < 0: for ever) or at end of file (then p->eof). A line of over 64 MiB is RG_LIMIT. */
enum rg_status rg_proc_line(struct rg_proc *p, double seconds, char **line, struct rg_error *err);
/* Writes all of it; RG_IO when the child is gone. SIGPIPE must be ignored by the program. */
enum rg_status rg_proc_send(struct rg_proc *p, const void *data, size_t n, struct rg_error *err);
/* What the kernel says of it: CPU seconds used, its ended children's included, and the letter of its state: R runs or
 * would, S waits for something, D for a disk, T was stopped by a signal. False when it is not running. Cost: one read
 * of /proc. */
bool rg_proc_look(const struct rg_proc *p, double *cpu_seconds, char *state);
/* SIGKILL to the group, reap, close, free the buffers. Every started process needs it once, also after rg_proc_wait;
 * safe on one not running. */
void rg_proc_kill(struct rg_proc *p);
/* Closes its stdin and waits up to `seconds`, then kills. Returns the wait status. */
int rg_proc_wait(struct rg_proc *p, double seconds);
/* Runs to the end: output and errors into buffers (may be NULL), killed after `seconds` (then *timed_out). */
enum rg_status rg_proc_run(const struct rg_proc_options *o, double seconds, struct rg_buf *out, struct rg_buf *errs,
                           int *status, bool *timed_out, struct rg_error *err);
RG_END_DECLS
#endif
