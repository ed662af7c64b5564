/* The relay beside the supervisor. It ends as the worker on the other machine did; when that machine or the way to it
 * is lost, by SIGKILL: no candidate's doing, so the supervisor starts another and gives it the candidate again. */
#include "runtime/remote/mirror.h"
#include "runtime/remote/remote.h"
#include <fcntl.h>
#include <poll.h>
#include <rg/proc.h>
#include <rg/worker.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

struct near {
    struct rg_proc proc;   /* the launcher */
    struct rg_stream from; /* the supervisor */
    struct rg_stream far;
    struct rg_mirror mirror;
    struct rg_remote_cases cases;
    bool ready;    /* the worker has said something: the way there works */
    bool anchored; /* the anchor has been sent since the cases were */
    int ended;     /* wait status of the worker; -1: not told */
};

void rg__remote_cases(struct rg_remote_cases *c, const struct rg_msg *m)
{
    c->n = 0;
    for (int i = 0; i < m->n_cases && c->n < RG_REMOTE_TIMED; i++)
        if (m->cases[i].timed) c->timed[c->n++] = m->cases[i].at;
}

static enum rg_status ship(struct near *r, struct rg_range at, struct rg_error *err)
{
    return rg__mirror_send(&r->mirror, at, r->proc.in, err);
}

static enum rg_status ship_program(struct near *r, const struct rg_program *p, struct rg_error *err)
{
    enum rg_status s = ship(r, p->plan, err);
    if (s == RG_OK) s = ship(r, p->ptx, err);
    return s == RG_OK ? ship(r, p->cubin, err) : s;
}

/* What a message names has to be there before it. */
static enum rg_status ship_named(struct near *r, const struct rg_msg *m, struct rg_error *err)
{
    enum rg_status s = RG_OK;
    switch (m->kind) {
    case RG_MSG_PROBLEM:
        return ship(r, m->problem, err);
    case RG_MSG_CASES:
        rg__remote_cases(&r->cases, m);
        r->anchored = false;
        for (int i = 0; i < m->n_cases && s == RG_OK; i++) s = ship(r, m->cases[i].at, err);
        return s;
    case RG_MSG_RUN:
        for (int i = 0; m->anchored && !r->anchored && i < r->cases.n && s == RG_OK; i++)
            s = ship(r, r->cases.timed[i], err); /* another worker may have made it */
        r->anchored = r->anchored || m->anchored;
        return s == RG_OK ? ship_program(r, &m->program, err) : s;
    case RG_MSG_DUEL:
        s = ship_program(r, &m->program, err);
        return s == RG_OK ? ship_program(r, &m->other, err) : s;
    default:
        return RG_OK;
    }
}

static enum rg_status forward(struct near *r, const char *line, struct rg_error *err)
{
    struct rg_msg m;
    enum rg_status s = rg__msg_parse(line, strlen(line), &m, err);
    if (s == RG_OK) s = ship_named(r, &m, err);
    rg__msg_release(&m);
    if (s == RG_OK) s = rg__stream_write(r->proc.in, line, strlen(line), err);
    return s == RG_OK ? rg__stream_write(r->proc.in, "\n", 1, err) : s;
}

static enum rg_status from_supervisor(struct near *r, struct rg_error *err)
{
    char *line;
    enum rg_status s = RG_OK;
    rg__stream_fill(&r->from);
    while (s == RG_OK &&
           (s = rg__stream_line(&r->from, r->mirror.shm, false, r->cases.timed, 0, &line, err)) == RG_OK && line) {
        s = forward(r, line, err);
        free(line);
    }
    return s;
}

static enum rg_status from_far(struct near *r, struct rg_error *err)
{
    char *line;
    enum rg_status s = RG_OK;
    rg__stream_fill(&r->far);
    while (s == RG_OK &&
           (s = rg__stream_line(&r->far, r->mirror.shm, false, r->cases.timed, r->cases.n, &line, err)) == RG_OK &&
           line) {
        if (sscanf(line, "#ended %d", &r->ended) == 1) {
        } else if (line[0] == '{') {
            r->ready = true;
            s = rg__stream_write(1, line, strlen(line), err);
            if (s == RG_OK) s = rg__stream_write(1, "\n", 1, err);
        } else { /* what a login script or a launcher says */
            (void)!write(2, line, strlen(line));
            (void)!write(2, "\n", 1);
        }
        free(line);
    }
    return s;
}

static void pass_errors(struct near *r)
{
    char text[4096];
    ssize_t n = read(r->proc.errf, text, sizeof text);
    if (n > 0) (void)!write(2, text, (size_t)n);
    if (n == 0) {
        close(r->proc.errf);
        r->proc.errf = -1;
    }
}

static enum rg_status serve(struct near *r, struct rg_error *err)
{
    enum rg_status s = RG_OK;
    while (s == RG_OK && !r->from.eof && !r->far.eof) {
        struct pollfd f[3] = {{0, POLLIN, 0}, {r->proc.out, POLLIN, 0}, {r->proc.errf, POLLIN, 0}};
        if (poll(f, 3, -1) < 0) continue;
        if (f[2].revents) pass_errors(r);
        if (f[1].revents) s = from_far(r, err);
        if (s == RG_OK && f[0].revents) s = from_supervisor(r, err);
    }
    return s;
}

/* As the worker ended. */
static int end_like(int status)
{
    const struct rlimit none = {0, 0};
    if (!WIFSIGNALED(status)) return WEXITSTATUS(status);
    setrlimit(RLIMIT_CORE, &none);
    signal(WTERMSIG(status), SIG_DFL);
    raise(WTERMSIG(status));
    return 128 + WTERMSIG(status);
}

int rg_worker_near_main(int argc, char **argv)
{
    struct near r = {.ended = -1, .from.fd = 0};
    struct rg_error err = RG_ERROR_INIT;
    if (argc < 1 || fcntl(RG_SHM_FD, F_GETFD) < 0) return 2;
    signal(SIGPIPE, SIG_IGN);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    r.mirror.shm = RG_SHM_FD;
    fcntl(RG_SHM_FD, F_SETFD, FD_CLOEXEC);
    const struct rg_proc_options o = {.argv = (const char *const *)(uintptr_t)argv, .pass_fd = -1};
    enum rg_status s = rg_proc_start(&r.proc, &o, &err);
    if (s != RG_OK) { /* as a worker that cannot work says it */
        struct rg_msg m;
        struct rg_buf b = RG_BUF_INIT;
        rg__msg_error(&m, 0, &err);
        rg__msg_print(&b, &m);
        (void)rg__stream_write(1, b.data, b.len, NULL);
        rg_buf_release(&b);
        rg__msg_release(&m);
        return rg_status_exit(s);
    }
    r.far.fd = r.proc.out;
    s = serve(&r, &err);
    if (s != RG_OK && s != RG_IO) fprintf(stderr, "regraph-worker: %s\n", err.text);
    while (r.proc.errf >= 0 && poll(&(struct pollfd){r.proc.errf, POLLIN, 0}, 1, 100) > 0) pass_errors(&r);
    bool dismissed = r.from.eof;
    rg_proc_kill(&r.proc);
    rg__mirror_release(&r.mirror);
    rg_buf_release(&r.from.buf);
    rg_buf_release(&r.far.buf);
    if (dismissed) return 0;
    if (r.ended < 0 && !r.ready) return rg_status_exit(RG_UNAVAILABLE); /* nothing was lost: it never came up */
    return end_like(r.ended >= 0 ? r.ended : SIGKILL);
}
