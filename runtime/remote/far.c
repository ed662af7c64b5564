/* The relay on the other machine: keeps the twin of the memory file, starts the worker on it, says how it ended. */
#include "runtime/os/sandbox.h"
#include "runtime/remote/mirror.h"
#include "runtime/remote/remote.h"
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <rg/proc.h>
#include <rg/worker.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

struct far {
    struct rg_proc proc; /* the worker */
    struct rg_stream from, worker;
    struct rg_shm shm;
    struct rg_mirror mirror; /* what the supervisor has of the timed cases */
    struct rg_remote_cases cases;
    bool anchored; /* the message being worked on says that the anchor is there */
    char tmp[300];
};

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
    (void)!remove(path);
    return 0;
}

static enum rg_status from_supervisor(struct far *r, struct rg_error *err)
{
    char *line;
    enum rg_status s = RG_OK;
    rg__stream_fill(&r->from);
    while (s == RG_OK && (s = rg__stream_line(&r->from, r->shm.fd, true, NULL, 0, &line, err)) == RG_OK && line) {
        struct rg_msg m;
        s = rg__msg_parse(line, strlen(line), &m, err);
        if (s == RG_OK && m.kind == RG_MSG_CASES) rg__remote_cases(&r->cases, &m);
        /* before the worker may change them */
        if (s == RG_OK && (m.kind == RG_MSG_CASES || (m.kind == RG_MSG_RUN && m.anchored != r->anchored)))
            for (int i = 0; i < r->cases.n && s == RG_OK; i++) s = rg__mirror_note(&r->mirror, r->cases.timed[i], err);
        if (s == RG_OK && m.kind == RG_MSG_CASES) r->anchored = false;
        if (s == RG_OK && m.kind == RG_MSG_RUN) r->anchored = m.anchored;
        rg__msg_release(&m);
        if (s == RG_OK) s = rg__stream_write(r->proc.in, line, strlen(line), err);
        if (s == RG_OK) s = rg__stream_write(r->proc.in, "\n", 1, err);
        free(line);
    }
    return s;
}

/* An answer; with the anchor that came of it before it. */
static enum rg_status from_worker(struct far *r, struct rg_error *err)
{
    char *line;
    enum rg_status s = RG_OK;
    rg__stream_fill(&r->worker);
    while (s == RG_OK && (s = rg__stream_line(&r->worker, r->shm.fd, false, NULL, 0, &line, err)) == RG_OK && line) {
        struct rg_msg m;
        s = rg__msg_parse(line, strlen(line), &m, err);
        if (s == RG_OK && m.kind == RG_MSG_EVALUATED && m.anchored && !r->anchored) {
            for (int i = 0; i < r->cases.n && s == RG_OK; i++)
                s = rg__mirror_send(&r->mirror, r->cases.timed[i], 1, err);
            r->anchored = true;
        }
        rg__msg_release(&m);
        if (s == RG_OK) s = rg__stream_write(1, line, strlen(line), err);
        if (s == RG_OK) s = rg__stream_write(1, "\n", 1, err);
        free(line);
    }
    return s;
}

static void pass_errors(struct far *r)
{
    char text[4096];
    ssize_t n = read(r->proc.errf, text, sizeof text);
    if (n > 0) (void)!write(2, text, (size_t)n);
    if (n == 0) {
        close(r->proc.errf);
        r->proc.errf = -1;
    }
}

static enum rg_status serve(struct far *r, struct rg_error *err)
{
    enum rg_status s = RG_OK;
    while (s == RG_OK && !r->from.eof && !r->worker.eof) {
        struct pollfd f[3] = {{0, POLLIN, 0}, {r->proc.out, POLLIN, 0}, {r->proc.errf, POLLIN, 0}};
        if (poll(f, 3, -1) < 0) continue;
        if (f[2].revents) pass_errors(r);
        if (f[1].revents) s = from_worker(r, err);
        if (s == RG_OK && f[0].revents) s = from_supervisor(r, err);
    }
    return s;
}

/* How the worker ended, for the supervisor. Killed when it had much of this machine's memory: that may be its work's
 * doing, which the supervisor cannot see from where it is. */
static void tell_end(struct far *r)
{
    int status = rg_proc_wait(&r->proc, 5);
    int64_t memory = (int64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL && r->proc.max_rss > memory / 8)
        status = (128 + SIGKILL) << 8;
    char text[40];
    int n = snprintf(text, sizeof text, "#ended %d\n", status);
    (void)rg__stream_write(1, text, (size_t)n, NULL);
}

static enum rg_status start(struct far *r, int argc, char **argv, struct rg_error *err)
{
    extern char **environ;
    char self[4000];
    const char *tmp = getenv("TMPDIR");
    ssize_t len = readlink("/proc/self/exe", self, sizeof self - 1);
    if (len <= 0) return rg_error_set(err, RG_UNAVAILABLE, "/proc is not there");
    self[len] = 0;
    enum rg_status s = rg__shm_create(&r->shm, err);
    if (s != RG_OK) return s;
    snprintf(r->tmp, sizeof r->tmp, "%.250s/regraph-farm-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (!mkdtemp(r->tmp)) {
        s = rg_error_set(err, RG_IO, "cannot create a folder %s", r->tmp);
        r->tmp[0] = 0;
        return s;
    }
    /* as the supervisor's own folders: who finds one that nobody has locked removes it */
    int lock = open(r->tmp, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock >= 0) (void)!flock(lock, LOCK_SH);
    const char **words = rg_xcalloc((size_t)argc + 4, sizeof *words);
    int n = 0;
    words[n++] = self;
    for (int i = 0; i < argc; i++) words[n++] = argv[i];
    words[n++] = "--tmp";
    words[n++] = r->tmp;
    char **env = rg__sandbox_environment(environ);
    const struct rg_proc_options o = {.argv = words, .pass_fd = r->shm.fd, .env = (const char *const *)env};
    s = rg_proc_start(&r->proc, &o, err);
    free(env);
    free(words);
    return s;
}

int rg_worker_far_main(int argc, char **argv)
{
    struct far r = {.from.fd = 0, .shm.fd = -1};
    struct rg_error err = RG_ERROR_INIT;
    signal(SIGPIPE, SIG_IGN);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    enum rg_status s = start(&r, argc, argv, &err);
    if (s == RG_OK) {
        r.worker.fd = r.proc.out;
        r.mirror.shm = r.shm.fd;
        s = serve(&r, &err);
        while (r.proc.errf >= 0 && poll(&(struct pollfd){r.proc.errf, POLLIN, 0}, 1, 20) > 0) pass_errors(&r);
        if (s == RG_OK && r.worker.eof) tell_end(&r);
        rg_proc_kill(&r.proc);
    }
    if (s != RG_OK) fprintf(stderr, "regraph-worker: %s\n", err.text);
    if (r.tmp[0]) nftw(r.tmp, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    rg__mirror_release(&r.mirror);
    rg_buf_release(&r.from.buf);
    rg_buf_release(&r.worker.buf);
    rg__shm_close(&r.shm);
    return s == RG_OK ? 0 : rg_status_exit(s);
}
