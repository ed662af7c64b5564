#include "runtime/worker/worker.h"
#include <errno.h>
#include <fcntl.h>
#include <rg/cpus.h>
#include <rg/file.h>
#include <rg/worker.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

static const struct rg_worker_role *const roles[] = {&rg__role_compile, &rg__role_reference, &rg__role_hooks,
                                                     &rg__role_run, &rg__role_look};

/* What the user's code and the libraries print must not reach the protocol. */
static bool protect(struct rg_worker *w)
{
    if (*w->replay) { /* descriptors below 10 may be the profiler's */
        w->in = open(w->replay, O_RDONLY | O_CLOEXEC);
        w->out = open("/dev/null", O_WRONLY | O_CLOEXEC);
        w->shm = open(w->memory, O_RDWR | O_CLOEXEC);
        return w->in >= 0 && w->out >= 0 && w->shm >= 0;
    }
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    w->in = fcntl(0, F_DUPFD_CLOEXEC, 10);
    w->out = fcntl(1, F_DUPFD_CLOEXEC, 10);
    w->shm = fcntl(RG_SHM_FD, F_DUPFD_CLOEXEC, 10);
    bool ok = null >= 0 && w->in >= 0 && w->out >= 0 && w->shm >= 0 && dup2(null, 0) == 0 && dup2(null, 1) == 1;
    if (w->shm >= 0) close(RG_SHM_FD);
    if (null > 2) close(null);
    return ok;
}

static bool send(struct rg_worker *w, const struct rg_msg *m)
{
    struct rg_buf b = RG_BUF_INIT;
    rg__msg_print(&b, m);
    size_t at = 0;
    while (at < b.len) {
        ssize_t n = write(w->out, b.data + at, b.len - at);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) break;
        at += (size_t)n;
    }
    bool ok = at == b.len;
    rg_buf_release(&b);
    return ok;
}

static enum rg_status load_problem(struct rg_worker *w, const struct rg_worker_role *role, const struct rg_msg *in,
                                   struct rg_error *err)
{
    struct rg_mapping m;
    const char *text;
    enum rg_status s = rg__shm_text(w->shm, in->problem, &m, &text, err);
    if (s != RG_OK) return s;
    struct rg_problem *p = NULL;
    s = rg_problem_from_json(text, strlen(text), "problem", &p, err);
    rg__shm_unmap(&m);
    if (s != RG_OK) return s;
    rg_problem_free(w->problem);
    w->problem = p;
    w->seed = (uint64_t)in->seed;
    return role->problem ? role->problem(w, err) : RG_OK;
}

/* False: the process ends. */
static bool answer(struct rg_worker *w, const struct rg_worker_role *role, const char *line, size_t len)
{
    struct rg_msg in, reply;
    struct rg_error err = RG_ERROR_INIT;
    double start = rg_now();
    enum rg_status s = rg__msg_parse(line, len, &in, &err);
    w->current = in.id;
    rg__msg_init(&reply, RG_MSG_DONE, in.id);
    if (s == RG_OK) {
        if (in.kind == RG_MSG_PROBLEM)
            s = load_problem(w, role, &in, &err);
        else if (!w->problem)
            s = rg_error_set(&err, RG_BUG, "a worker was asked to work before it had a problem");
        else
            s = role->handle(w, &in, &reply, &err);
    }
    if (reply.kind == RG_MSG_DONE) reply.seconds = rg_now() - start;
    if (s != RG_OK) {
        w->failed = true;
        rg__msg_release(&reply);
        if (err.status == RG_OK) rg_error_set(&err, s, "%s", rg_status_text(s));
        rg__msg_error(&reply, in.id, &err);
    }
    bool ok = send(w, &reply);
    rg__msg_release(&reply);
    rg__msg_release(&in);
    return ok && !w->ending;
}

static void serve(struct rg_worker *w, const struct rg_worker_role *role)
{
    struct rg_buf b = RG_BUF_INIT;
    char chunk[65536];
    for (;;) {
        ssize_t n = read(w->in, chunk, sizeof chunk);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) break;
        rg_buf_add(&b, chunk, (size_t)n);
        char *nl;
        while ((nl = memchr(b.data, '\n', b.len))) {
            size_t len = (size_t)(nl - b.data);
            *nl = 0;
            if (!answer(w, role, b.data, len)) goto end;
            memmove(b.data, nl + 1, b.len - len - 1);
            b.len -= len + 1;
        }
    }
end:
    rg_buf_release(&b);
}

static int usage(void)
{
    static const char text[] =
        "usage: regraph-worker --role compile|run|look|reference|hooks [--device cuda:N|sim:NAME] [--tmp DIR] [--cache "
        "DIR] "
        "[--foreign] [--threads N] [--probe]\n"
        "Started by regraph-search; speaks JSON lines (docs/worker.md), memory file as descriptor 3.\n";
    return write(2, text, sizeof text - 1) < 0 ? 70 : 2;
}

int rg_worker_main(int argc, char **argv)
{
    const struct rg_worker_role *role = NULL;
    struct rg_worker w = {.device = "", .tmp = "", .cache = "", .replay = "", .memory = "", .current = 0};
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--role") && i + 1 < argc) {
            i++;
            for (size_t k = 0; k < sizeof roles / sizeof *roles; k++)
                if (!strcmp(argv[i], roles[k]->name)) role = roles[k];
        } else if (!strcmp(argv[i], "--device") && i + 1 < argc) {
            w.device = argv[++i];
        } else if (!strcmp(argv[i], "--tmp") && i + 1 < argc) {
            w.tmp = argv[++i];
        } else if (!strcmp(argv[i], "--foreign")) {
            w.foreign = true;
        } else if (!strcmp(argv[i], "--cache") && i + 1 < argc) {
            w.cache = argv[++i];
        } else if (!strcmp(argv[i], "--threads") && i + 1 < argc) {
            w.threads = atoi(argv[++i]);
        } else if (!strcmp(argv[i], "--replay") && i + 1 < argc) {
            w.replay = argv[++i];
        } else if (!strcmp(argv[i], "--memory") && i + 1 < argc) {
            w.memory = argv[++i];
        } else if (!strcmp(argv[i], "--bare")) {
            w.bare = true;
        } else if (!strcmp(argv[i], "--probe")) {
            w.probe = true;
        } else {
            return usage();
        }
    }
    if (!role || (!*w.replay && fcntl(RG_SHM_FD, F_GETFD) < 0)) return usage();
    if (*w.tmp) setenv("TMPDIR", w.tmp, 1); /* what a compiler that is killed leaves goes with the folder */
    if (w.threads > 0) {                    /* no fewer because the machine is busy */
        char n[16];
        snprintf(n, sizeof n, "%d", w.threads);
        setenv("OMP_NUM_THREADS", n, 1);
        setenv("OMP_DYNAMIC", "false", 1);
    }
    (void)rg_cpus(); /* quotas are read while files are within reach */
    signal(SIGPIPE, SIG_IGN);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (!protect(&w)) return 70;
    struct rg_msg ready;
    struct rg_error err = RG_ERROR_INIT;
    rg__msg_init(&ready, RG_MSG_READY, 0);
    ready.protocol = RG_PROTOCOL;
    ready.role = role->name;
    enum rg_status s = role->start ? role->start(&w, &ready, &err) : RG_OK;
    if (s == RG_OK && role->sandbox && !*w.replay) { /* a profiler in the process needs sockets and files of its own */
        struct rg_sandbox box = {.read = NULL};
        role->sandbox(&w, &ready.arena, &box);
        ready.sandbox = rg__sandbox_words(rg__sandbox_enter(&box));
    }
    if (s != RG_OK) {
        rg__msg_release(&ready);
        rg__msg_error(&ready, 0, &err);
    }
    bool ok = send(&w, &ready);
    rg__msg_release(&ready);
    if (ok && s == RG_OK) serve(&w, role);
    if (role->stop) role->stop(&w);
    rg_problem_free(w.problem);
    if (*w.replay && w.failed) return 1;
    return s == RG_OK ? 0 : rg_status_exit(s);
}
