#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <rg/file.h>
#include <rg/proc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { MAX_LINE = 64 << 20, ERR_TAIL = 16 << 10 };

static void close_fd(int *fd)
{
    if (*fd >= 0) close(*fd);
    *fd = -1;
}

static void close_from(int first)
{
#ifdef SYS_close_range
    if (syscall(SYS_close_range, (unsigned)first, ~0u, 0) == 0) return;
#endif
    for (int fd = first, end = (int)sysconf(_SC_OPEN_MAX); fd < end; fd++) close(fd);
}

/* Between fork and exec: only async-signal-safe calls. */
static void child(const struct rg_proc_options *o, int in, int out, int errf, int report, pid_t parent)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(127);
    /* the descriptors go to their places through numbers that none of them has */
    int high[5] = {in, out, errf, o->pass_fd, report};
    for (int i = 0; i < 5; i++)
        if (high[i] >= 0) high[i] = fcntl(high[i], F_DUPFD, 16);
    for (int i = 0; i < 3; i++) dup2(high[i], i);
    int next = 3;
    if (high[3] >= 0) dup2(high[3], next++);
    dup2(high[4], next);
    fcntl(next, F_SETFD, FD_CLOEXEC);
    close_from(next + 1);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    for (int s = 1; s < 32; s++) signal(s, SIG_DFL);
    int e = 0;
    if (o->cwd && chdir(o->cwd)) e = errno;
    if (!e) {
        if (o->env) environ = (char **)(void *)o->env;
        execvp(o->argv[0], (char *const *)(void *)o->argv);
        e = errno;
    }
    ssize_t w = write(next, &e, sizeof e);
    _exit(w < 0 ? 126 : 127);
}

enum rg_status rg_proc_start(struct rg_proc *p, const struct rg_proc_options *o, struct rg_error *err)
{
    *p = (struct rg_proc){.in = -1, .out = -1, .errf = -1, .out_buf = RG_BUF_INIT, .err_tail = RG_BUF_INIT};
    int fds[8] = {-1, -1, -1, -1, -1, -1, -1, -1};
    for (int i = 0; i < 4; i++)
        if (pipe2(fds + 2 * i, O_CLOEXEC)) {
            int e = errno;
            for (int k = 0; k < 8; k++) close_fd(&fds[k]);
            return rg_error_set(err, RG_UNAVAILABLE, "cannot create a pipe: %s", strerror(e));
        }
    pid_t parent = getpid(), pid = fork();
    if (pid == 0) child(o, fds[0], fds[3], fds[5], fds[7], parent);
    int fork_error = errno;
    close_fd(&fds[0]);
    close_fd(&fds[3]);
    close_fd(&fds[5]);
    close_fd(&fds[7]);
    if (pid < 0) {
        for (int k = 0; k < 8; k++) close_fd(&fds[k]);
        return rg_error_set(err, RG_UNAVAILABLE, "cannot start '%s': %s", o->argv[0], strerror(fork_error));
    }
    setpgid(pid, pid);
    int e = 0;
    ssize_t got;
    do got = read(fds[6], &e, sizeof e);
    while (got < 0 && errno == EINTR);
    close_fd(&fds[6]);
    if (got == (ssize_t)sizeof e) {
        while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
        }
        close_fd(&fds[1]);
        close_fd(&fds[2]);
        close_fd(&fds[4]);
        return rg_error_set(err, RG_UNAVAILABLE, "cannot run '%s': %s", o->argv[0], strerror(e));
    }
    p->pid = pid;
    p->in = fds[1];
    p->out = fds[2];
    p->errf = fds[4];
    fcntl(p->out, F_SETFL, O_NONBLOCK);
    fcntl(p->errf, F_SETFL, O_NONBLOCK);
    return RG_OK;
}

static void keep_tail(struct rg_buf *b)
{
    if (b->len <= 2 * ERR_TAIL) return;
    size_t drop = b->len - ERR_TAIL;
    memmove(b->data, b->data + drop, ERR_TAIL);
    b->len = ERR_TAIL;
    b->data[b->len] = 0;
}

/* One read of whatever is there; false at end of file. */
static bool drain(int fd, struct rg_buf *b)
{
    char chunk[65536];
    for (;;) {
        ssize_t n = read(fd, chunk, sizeof chunk);
        if (n > 0) {
            rg_buf_add(b, chunk, (size_t)n);
            if (n < (ssize_t)sizeof chunk) return true;
            return true;
        }
        if (n < 0 && errno == EINTR) continue;
        return n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
    }
}

/* Waits for output of either kind until `end` (< 0: for ever); false when time is over. */
static bool pump(struct rg_proc *p, double end)
{
    struct pollfd f[2] = {{p->out, POLLIN, 0}, {p->errf, POLLIN, 0}};
    double left = end < 0 ? -1 : end - rg_now();
    int n = poll(f, 2, end < 0 ? -1 : left <= 0 ? 0 : (int)(left * 1e3) + 1);
    if (n < 0) return errno == EINTR;
    if (p->errf >= 0 && f[1].revents) {
        if (!drain(p->errf, &p->err_tail)) close_fd(&p->errf);
        keep_tail(&p->err_tail);
    }
    if (p->out >= 0 && f[0].revents && !drain(p->out, &p->out_buf)) {
        close_fd(&p->out);
        p->eof = true;
    }
    return n > 0;
}

enum rg_status rg_proc_line(struct rg_proc *p, double seconds, char **line, struct rg_error *err)
{
    *line = NULL;
    double end = seconds < 0 ? -1 : rg_now() + seconds;
    size_t seen = 0;
    for (;;) {
        char *nl = p->out_buf.len > seen ? memchr(p->out_buf.data + seen, '\n', p->out_buf.len - seen) : NULL;
        if (nl) {
            size_t n = (size_t)(nl - p->out_buf.data);
            *line = rg_xstrndup(p->out_buf.data, n);
            memmove(p->out_buf.data, nl + 1, p->out_buf.len - n - 1);
            p->out_buf.len -= n + 1;
            p->out_buf.data[p->out_buf.len] = 0;
            return RG_OK;
        }
        seen = p->out_buf.len;
        if (seen > MAX_LINE)
            return rg_error_set(err, RG_LIMIT, "a worker's line is longer than %d MiB", MAX_LINE >> 20);
        if (p->eof || p->out < 0) return RG_OK;
        if (!pump(p, end) && end >= 0 && rg_now() >= end) return RG_OK;
    }
}

enum rg_status rg_proc_send(struct rg_proc *p, const void *data, size_t n, struct rg_error *err)
{
    const char *c = data;
    while (n) {
        ssize_t w = write(p->in, c, n);
        if (w < 0 && errno == EINTR) continue;
        if (w < 0) return rg_error_set(err, RG_IO, "a worker is gone: %s", strerror(errno));
        c += w;
        n -= (size_t)w;
    }
    return RG_OK;
}

bool rg_proc_look(const struct rg_proc *p, double *cpu_seconds, char *state)
{
    char path[40], text[1024];
    unsigned long long spent[4]; /* its own user and system time, its children's; ticks */
    if (p->pid <= 0) return false;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)p->pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;
    close_fd(&fd);
    if (n <= 0) return false;
    text[n] = 0;
    const char *after = strrchr(text, ')'); /* behind the name, which may hold anything */
    if (!after || sscanf(after, ") %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu %llu %llu", state, &spent[0],
                         &spent[1], &spent[2], &spent[3]) != 5)
        return false;
    *cpu_seconds = (double)(spent[0] + spent[1] + spent[2] + spent[3]) / (double)sysconf(_SC_CLK_TCK);
    return true;
}

static pid_t reap(struct rg_proc *p, int options)
{
    struct rusage use;
    pid_t got = wait4(p->pid, &p->status, options, &use);
    if (got == p->pid) p->max_rss = (int64_t)use.ru_maxrss * 1024;
    return got;
}

static void end(struct rg_proc *p)
{
    while (reap(p, 0) < 0 && errno == EINTR) {
    }
    p->pid = 0;
    close_fd(&p->in);
    close_fd(&p->out);
    close_fd(&p->errf);
}

void rg_proc_kill(struct rg_proc *p)
{
    if (p->pid > 0) {
        kill(-p->pid, SIGKILL);
        kill(p->pid, SIGKILL);
        end(p);
    }
    rg_buf_release(&p->err_tail);
    rg_buf_release(&p->out_buf);
}

int rg_proc_wait(struct rg_proc *p, double seconds)
{
    if (p->pid <= 0) return p->status;
    close_fd(&p->in);
    double until = rg_now() + seconds;
    for (;;) {
        if (p->out >= 0 || p->errf >= 0)
            pump(p, rg_now() + 0.01);
        else
            usleep(2000);
        pid_t got = reap(p, WNOHANG);
        if (got == p->pid) {
            kill(-p->pid, SIGKILL); /* what it left in its group */
            p->pid = 0;
            break;
        }
        if (rg_now() >= until) {
            kill(-p->pid, SIGKILL);
            kill(p->pid, SIGKILL);
            end(p);
            return p->status;
        }
    }
    if (p->out >= 0) drain(p->out, &p->out_buf);
    close_fd(&p->out);
    close_fd(&p->errf);
    return p->status;
}

enum rg_status rg_proc_run(const struct rg_proc_options *o, double seconds, struct rg_buf *out, struct rg_buf *errs,
                           int *status, bool *timed_out, struct rg_error *err)
{
    struct rg_proc p;
    if (timed_out) *timed_out = false;
    enum rg_status s = rg_proc_start(&p, o, err);
    if (s != RG_OK) return s;
    close_fd(&p.in);
    double until = rg_now() + seconds;
    while (p.out >= 0 || p.errf >= 0) {
        pump(&p, until);
        if (errs && p.err_tail.len) rg_buf_add(errs, p.err_tail.data, p.err_tail.len);
        rg_buf_reset(&p.err_tail);
        if (rg_now() >= until) {
            if (timed_out) *timed_out = true;
            break;
        }
    }
    if (out) rg_buf_add(out, p.out_buf.data, p.out_buf.len);
    double left = until - rg_now();
    *status = rg_proc_wait(&p, left > 0 ? left : 0);
    rg_proc_kill(&p);
    return RG_OK;
}
