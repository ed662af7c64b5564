/* Worker processes: started, told the problem, asked, killed when late, reaped, replaced. */
#include "runtime/farm/farm.h"
#include "runtime/os/sandbox.h"
#include <errno.h>
#include <poll.h>
#include <rg/file.h>
#include <rg/log.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { START_SECONDS = 180, SETUP_SECONDS = 300 };
enum { STOPPED_SECONDS = 3, STARVED = 4 /* a starved worker gets this many deadlines */, AWAY_SECONDS = 2 };

enum rg_status rg__error_move(struct rg_error *err, enum rg_status s, const struct rg_error *e)
{
    if (s == RG_OK) return s;
    if (e->file[0]) return rg_error_at(err, s, e->file, e->line, e->column, "%s", e->text);
    return rg_error_set(err, s, "%s", e->text);
}

static const char *role_word(enum farm_role r)
{
    static const char *const words[] = {"compile", "run", "reference", "hooks", "look"};
    return words[r];
}

/* Does it run the user's C? */
static bool of_user(const struct farm_worker *w)
{
    return w->role == FARM_REFERENCE || w->role == FARM_HOOKS;
}

enum rg_status rg__farm_spawn(struct rg_farm *f, struct farm_worker *w, struct rg_error *err)
{
    const char *argv[64] = {f->worker_path};
    bool remote = w->role == FARM_RUN && f->launcher;
    int n = 1;
    if (remote) { /* its relay here, what starts it there, its relay there (docs/worker.md); a folder it finds itself */
        argv[n++] = "--near";
        for (int i = 0; f->launcher[i]; i++) argv[n++] = f->launcher[i];
        argv[n++] = f->worker_path;
        argv[n++] = "--far";
    }
    argv[n++] = "--role", argv[n++] = role_word(w->role);
    if (!remote) argv[n++] = "--tmp", argv[n++] = f->tmp;
    if (w->role == FARM_RUN || w->role == FARM_LOOK) argv[n++] = "--device", argv[n++] = w->device;
    if (w->role == FARM_RUN && f->cache_dir) argv[n++] = "--cache", argv[n++] = f->cache_dir;
    if (of_user(w) && f->o.foreign) argv[n++] = "--foreign";
    char threads[16];
    snprintf(threads, sizeof threads, "%d", w->threads);
    if (w->threads) argv[n++] = "--threads", argv[n++] = threads;
    /* a launcher needs its own variables; the user's own C sees the user's environment; what a candidate's text passes
     * through does not, and nobody else's C */
    char **env = remote || (of_user(w) && !f->o.foreign) ? NULL : rg__sandbox_environment(environ);
    struct rg_proc_options o = {.argv = argv, .pass_fd = f->shm.fd, .env = (const char *const *)env};
    enum rg_status s = rg_proc_start(&w->proc, &o, err);
    free(env);
    if (s != RG_OK) return s;
    w->state = FARM_STARTING;
    rg__farm_clock(w, START_SECONDS);
    w->job = NULL;
    w->program = NULL;
    w->fill = NULL;
    return RG_OK;
}

void rg__farm_stop(struct farm_worker *w)
{
    if (w->state == FARM_DOWN) return;
    rg_proc_kill(&w->proc);
    w->state = FARM_DOWN;
    w->job = NULL;
    w->program = NULL;
    w->fill = NULL;
}

enum rg_status rg__farm_send(struct farm_worker *w, const struct rg_msg *m, struct rg_error *err)
{
    struct rg_buf b = RG_BUF_INIT;
    rg__msg_print(&b, m);
    enum rg_status s = rg_proc_send(&w->proc, b.data, b.len, err);
    rg_buf_release(&b);
    return s;
}

void rg__farm_why(const struct farm_worker *w, char *text, size_t size)
{
    int st = w->proc.status;
    if (WIFSIGNALED(st))
        snprintf(text, size, "killed by signal %d (%s)", WTERMSIG(st), strsignal(WTERMSIG(st)));
    else
        snprintf(text, size, "ended with status %d", WEXITSTATUS(st));
}

/* ---- late or stalled: a candidate that hangs keeps its worker busy; a worker that is stopped, or that the machine has
 * no time for, says nothing about its candidate ---- */

void rg__farm_clock(struct farm_worker *w, double seconds)
{
    char state;
    w->since = rg_now();
    w->deadline = w->since + seconds;
    w->looked = w->stopped = 0;
    if (!rg_proc_look(&w->proc, &w->cpu_since, &state)) w->cpu_since = 0;
}

enum verdict { FINE, LATE, STALLED };

/* `computes`: what it waits for is its own CPU, not a GPU's. */
static enum verdict judge(struct farm_worker *w, bool computes)
{
    double now = rg_now(), cpu = 0;
    char state = 0;
    bool late = now >= w->deadline;
    if (!late && now < w->looked + 1) return FINE;
    w->looked = now;
    if (!rg_proc_look(&w->proc, &cpu, &state)) return late ? LATE : FINE; /* gone: its end of file is next */
    if (state != 'T')
        w->stopped = 0;
    else if (!w->stopped)
        w->stopped = now;
    if (w->stopped && now >= w->stopped + STOPPED_SECONDS) return STALLED;
    if (!late || w->stopped) return FINE;
    double allowed = w->deadline - w->since;
    if (!computes || state == 'S' || cpu - w->cpu_since >= allowed / 2) return LATE;
    return now >= w->since + STARVED * allowed ? STALLED : FINE;
}

static bool computes(const struct rg_farm *f, const struct farm_worker *w)
{
    return w->role != FARM_RUN || f->simulated;
}

/* We ourselves were stopped, or busy elsewhere: what the workers said meanwhile is unread, and no deadline counts that
 * time. */
static void forgive(struct rg_farm *f, double away)
{
    if (away < AWAY_SECONDS) return;
    for (int i = 0; i < f->n_workers; i++) f->workers[i].deadline += away;
}

static enum rg_status send_cases(struct rg_farm *f, struct farm_worker *w, struct rg_error *err)
{
    struct rg_msg m;
    rg__farm_cases_msg(f, &m);
    w->cases_version = f->cases_version;
    return rg__farm_send(w, &m, err);
}

void rg__farm_tell_cases(struct rg_farm *f, struct farm_worker *w)
{
    if (send_cases(f, w, NULL) != RG_OK) return; /* its end of file is seen next */
    w->pending = 1;
    w->state = FARM_SETUP;
    rg__farm_clock(w, SETUP_SECONDS);
}

/* Tells a fresh worker what every worker of its role must know. */
static enum rg_status set_up(struct rg_farm *f, struct farm_worker *w, struct rg_error *err)
{
    struct rg_msg m;
    rg__msg_init(&m, RG_MSG_PROBLEM, 0);
    m.problem = f->problem_range;
    m.seed = (int64_t)f->o.seed;
    enum rg_status s = rg__farm_send(w, &m, err);
    w->pending = 1;
    if (s == RG_OK && (w->role == FARM_RUN || w->role == FARM_LOOK) && f->cases_ready) {
        s = send_cases(f, w, err);
        w->pending++;
    }
    if (s == RG_OK && of_user(w)) {
        rg__msg_init(&m, RG_MSG_LIBRARY, 0);
        s = rg__farm_send(w, &m, err);
        w->pending++;
    }
    w->state = FARM_SETUP;
    rg__farm_clock(w, SETUP_SECONDS);
    return s;
}

/* Whether estimates may keep candidates from being timed. */
static void note_prune(struct rg_farm *f, const struct rg_msg *m)
{
    char *out = f->info.prune;
    const size_t size = sizeof f->info.prune;
    f->info.prunes = false;
    if (m->simulated)
        snprintf(out, size, "off: %s is simulated, every time is an estimate", m->device);
    else if (f->o.prune == RG_PRUNE_OFF)
        snprintf(out, size, "off: not asked for");
    else if (!*m->model)
        snprintf(out, size, "off: no file in runtime/devices describes '%.60s' (member \"gpus\")", m->device);
    else if (f->o.prune == RG_PRUNE_AUTO && *m->accuracy)
        snprintf(out, size, "off: estimates of sim:%.30s are not good enough: %.580s", m->model, m->accuracy);
    else {
        f->info.prunes = true;
        snprintf(out, size, "on: by estimates of sim:%.30s%s%.560s", m->model,
                 *m->accuracy ? ", as asked for, although they are not good enough: " : "", m->accuracy);
    }
}

/* The device as the run worker found it. */
static void note_device(struct rg_farm *f, const struct rg_msg *m)
{
    f->simulated = m->simulated;
    f->info.estimated = m->simulated;
    snprintf(f->info.device, sizeof f->info.device, m->simulated ? "%.60s" : "%.20s %.40s",
             m->simulated ? m->device : f->device, m->device);
    snprintf(f->info.name, sizeof f->info.name, "%s", m->device);
    f->info.devices = 1;
    snprintf(f->info.arch, sizeof f->info.arch, "%.31s", m->arch);
    f->info.copy_bytes_s = m->copy_bytes_s > 0 ? m->copy_bytes_s : m->dram_bytes_s;
    f->info.pcie_bytes_s = m->pcie_bytes_s;
    f->info.fp32_flop_s = m->fp32_flop_s;
    f->info.fp64_flop_s = m->fp64_flop_s;
    f->info.sms = (int)m->sms;
    f->info.shared_per_block = m->shared_per_block;
    f->info.regs_per_sm = m->regs_per_sm;
    f->info.l2_bytes = m->l2_bytes;
    snprintf(f->info.peaks, sizeof f->info.peaks, "%.31s", m->peaks);
    snprintf(f->info.hardware_counters, sizeof f->info.hardware_counters, "%.199s", m->hardware_counters);
    snprintf(f->model, sizeof f->model, "%.39s", m->model);
    note_prune(f, m);
    f->info.clock_hz = m->clock_hz > 0 ? m->clock_hz : 0;
    snprintf(f->info.driver, sizeof f->info.driver, "%.79s", m->driver);
    if (sscanf(m->driver, "%d", &f->driver_major) != 1) f->driver_major = 0;
}

/* A cubin of a newer CUDA than the driver's cannot be loaded. */
static enum rg_status check_versions(struct rg_farm *f, const struct rg_msg *m, struct rg_error *err)
{
    if (sscanf(m->driver, "NVRTC %d", &f->nvrtc_major) != 1 || !f->driver_major || f->nvrtc_major <= f->driver_major)
        return RG_OK;
    return rg_error_set(
        err, RG_UNAVAILABLE,
        "%s is newer than the driver, which knows CUDA %d: set CUDA_HOME to a toolkit of CUDA %d or update the driver",
        m->driver, f->driver_major, f->driver_major);
}

static void start_failed(struct farm_worker *w, const struct rg_error *e)
{
    w->failures++;
    rg_error_clear(&w->error);
    w->error = *e;
    rg__farm_stop(w);
}

/* A line from a worker that is coming up. */
static void take_setup(struct rg_farm *f, struct farm_worker *w, const struct rg_msg *m)
{
    struct rg_error e = RG_ERROR_INIT;
    enum rg_status s = RG_OK;
    if (m->kind == RG_MSG_ERROR)
        s = rg__msg_to_error(m, &e);
    else if (w->state == FARM_STARTING && (m->kind != RG_MSG_READY || m->protocol != RG_PROTOCOL))
        s = rg_error_set(&e, RG_UNAVAILABLE, "%s speaks another protocol: programs of different versions are mixed",
                         f->worker_path);
    else if (w->state == FARM_STARTING) {
        if (w->role == FARM_RUN && w != f->workers) snprintf(w->name, sizeof w->name, "%s", m->device);
        if (w == f->workers) note_device(f, m);
        if (!of_user(w) && w->role != FARM_LOOK) snprintf(f->info.sandbox, sizeof f->info.sandbox, "%s", m->sandbox);
        if (w->role == FARM_COMPILE) snprintf(f->info.nvrtc, sizeof f->info.nvrtc, "%.79s", m->driver);
        if (w->role == FARM_COMPILE) rg__farm_cache_compiler(f, m->compiler);
        if (w->role == FARM_COMPILE) s = check_versions(f, m, &e);
        if (s == RG_OK) s = set_up(f, w, &e);
    } else if (m->kind == RG_MSG_DONE && --w->pending == 0) {
        if (w->role == FARM_REFERENCE)
            snprintf(f->info.reference_sandbox, sizeof f->info.reference_sandbox, "%s", m->sandbox);
        w->state = FARM_IDLE;
        w->failures = w->disturbed = 0;
    }
    if (s != RG_OK) start_failed(w, &e);
}

static void take(struct rg_farm *f, struct farm_worker *w, const char *line)
{
    struct rg_msg m;
    struct rg_error e = RG_ERROR_INIT;
    if (rg__msg_parse(line, strlen(line), &m, &e) != RG_OK) {
        rg_log(RG_LOG_WARN, "a %s worker wrote nonsense (%s); it is replaced", role_word(w->role), e.text);
        struct farm_worker was = *w;
        rg__farm_stop(w);
        rg__farm_lost(f, &was, FARM_DIED, "gave a malformed answer");
    } else if (w->state == FARM_STARTING || w->state == FARM_SETUP) {
        take_setup(f, w, &m);
    } else if (w->state == FARM_BUSY && w->fill) {
        rg__farm_filled(f, w, &m);
    } else if (w->state == FARM_BUSY) {
        rg__farm_answer(f, w, &m);
    }
    rg__msg_release(&m);
}

int64_t rg__farm_memory(void)
{
    static const char *const files[] = {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"};
    int64_t least = (int64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        long long v;
        FILE *f = fopen(files[i], "r");
        if (f && fscanf(f, "%lld", &v) == 1 && v > 0 && v < least) least = v; /* "max": none */
        if (f) fclose(f);
    }
    return least;
}

/* Killed though it had far too little memory to be in anybody's way. */
static bool taken(const struct rg_proc *p)
{
    return p->max_rss > 0 && p->max_rss < rg__farm_memory() / 8;
}

/* The process is gone or late. Reaped before anything else: no timing while it may still run. */
static void gone(struct rg_farm *f, struct farm_worker *w, enum verdict verdict)
{
    struct farm_worker was = *w;
    bool late = verdict != FINE; /* FINE: it ended by itself */
    const char *how = verdict == LATE ? "was late" : "stood still";
    char why[160], tail[200] = "";
    if (w->proc.err_tail.len) snprintf(tail, sizeof tail, ": %.180s", w->proc.err_tail.data);
    if (!late && w->proc.pid > 0) rg_proc_wait(&w->proc, 5);
    rg__farm_stop(w);
    rg__farm_why(w, why, sizeof why);
    rg_log(RG_LOG_INFO, "the %s worker %s%s", role_word(w->role), late ? how : why, late ? " and is replaced" : tail);
    bool killed = WIFSIGNALED(w->proc.status) && WTERMSIG(w->proc.status) == SIGKILL;
    if (was.state == FARM_STARTING || was.state == FARM_SETUP) {
        struct rg_error e = RG_ERROR_INIT;
        rg_error_set(&e, RG_UNAVAILABLE, "the %s worker %s while starting%s", role_word(w->role), late ? how : why,
                     tail);
        start_failed(w, &e);
        bool outside = verdict == STALLED || (verdict == FINE && killed);
        if (outside &&
            ++w->disturbed < (verdict == FINE && taken(&w->proc) ? FARM_TAKEN_ATTEMPTS : FARM_KILLED_ATTEMPTS))
            w->failures--; /* that it starts is not disproved */
    }
    rg__farm_lost(f, &was,
                  verdict == LATE      ? FARM_LATE
                  : verdict == STALLED ? FARM_STALLED
                  : !killed            ? FARM_DIED
                  : taken(&w->proc)    ? FARM_TAKEN
                                       : FARM_KILLED,
                  late ? how : why);
}

/* One of several run workers on other machines does not come up again (its node is lost): the others go on. False: it
 * is the last. */
static bool retire(struct rg_farm *f, struct farm_worker *w)
{
    int others = 0;
    for (int i = 0; i < f->n_workers; i++)
        others += f->workers[i].role == FARM_RUN && &f->workers[i] != w && !f->workers[i].retired;
    if (!f->launcher || !others) return false;
    rg_log(RG_LOG_WARN, "a run worker on another machine does not start again (%s): the search goes on with %d",
           w->error.text, others);
    w->retired = true;
    return true;
}

/* Replaces what is down and needed. */
static enum rg_status revive(struct rg_farm *f, struct rg_error *err)
{
    for (int i = 0; i < f->n_workers; i++) {
        struct farm_worker *w = &f->workers[i];
        if (w->retired) continue;
        if (w->state != FARM_DOWN || !(of_user(w) ? rg__farm_fill_waits(f, w->role) : f->cases_ready)) continue;
        if (w->role == FARM_HOOKS && w->failures) { /* they are a help, not a need */
            rg__farm_hooks_lost(f, w->error.text);
            continue;
        }
        if (w->role == FARM_REFERENCE && w->failures >= FARM_REFERENCE_FAILURES &&
            f->cases_ready) { /* the search does without */
            rg__farm_late_lost(f, w->error.text);
            if (rg__farm_arbiter_lost(f, w->error.text)) continue;
        }
        if (w->role == FARM_RUN && w->failures >= FARM_START_FAILURES && retire(f, w)) continue;
        if (w->role == FARM_LOOK && w->failures >= FARM_START_FAILURES) { /* the run workers look for themselves */
            rg_log(RG_LOG_WARN, "a look worker does not start: %s", w->error.text);
            rg__farm_look_retire(f, w);
            continue;
        }
        if (w->failures >= (w->role == FARM_REFERENCE ? FARM_REFERENCE_FAILURES : FARM_START_FAILURES))
            return w->error.status
                       ? rg__error_move(err, w->error.status, &w->error)
                       : rg_error_set(err, RG_UNAVAILABLE, "the %s worker does not start", role_word(w->role));
        enum rg_status s = rg__farm_spawn(f, w, err);
        if (s != RG_OK) return s;
    }
    return RG_OK;
}

static void wait_for_news(struct rg_farm *f, double seconds)
{
    struct pollfd fds[2 * FARM_MAX_WORKERS];
    nfds_t n = 0;
    double now = rg_now(), until = now + seconds;
    if (f->wait_until > 0 && f->wait_until < until) until = f->wait_until;
    for (int i = 0; i < f->n_workers; i++) {
        struct farm_worker *w = &f->workers[i];
        if (w->state == FARM_DOWN) continue;
        if (w->proc.eof || w->proc.out < 0) return;
        if (w->proc.out_buf.len && memchr(w->proc.out_buf.data, '\n', w->proc.out_buf.len)) return;
        if (w->state != FARM_IDLE && w->deadline > now && w->deadline < until) until = w->deadline;
        if (w->state != FARM_IDLE && now + 1 < until) until = now + 1; /* to see whether it has been stopped */
        fds[n++] = (struct pollfd){w->proc.out, POLLIN, 0};
        if (w->proc.errf >= 0) fds[n++] = (struct pollfd){w->proc.errf, POLLIN, 0};
    }
    double left = until - now < 0 ? 0 : until - now > 3600 ? 3600 : until - now;
    poll(fds, n, left <= 0 ? 0 : (int)(left * 1e3) + 1);
    forgive(f, rg_now() - now - left);
}

static bool stopping(const struct rg_farm *f)
{
    return (f->o.stop && *f->o.stop) || (f->wait_until > 0 && rg_now() >= f->wait_until);
}

static enum rg_status stopped(const struct rg_farm *f, struct rg_error *err)
{
    if (!(f->o.stop && *f->o.stop)) return rg_error_set(err, RG_LIMIT, "the time was over %s", f->doing);
    return rg_error_set(err, RG_CANCELED, "stopped %s: the search had not begun, no kernel was tried", f->doing);
}

enum rg_status rg__farm_pump(struct rg_farm *f, double seconds, struct rg_error *err)
{
    if (stopping(f)) return stopped(f, err);
    if (f->watched != 0) forgive(f, rg_now() - f->watched);
    enum rg_status s = revive(f, err);
    if (s != RG_OK) return s;
    wait_for_news(f, rg__farm_assign(f) ? 0 : seconds);
    for (int i = 0; i < f->n_workers; i++) {
        struct farm_worker *w = &f->workers[i];
        for (char *line = NULL; w->state != FARM_DOWN;) {
            if (rg_proc_line(&w->proc, 0, &line, NULL) != RG_OK || !line) break;
            take(f, w, line);
            free(line);
        }
        if (w->state == FARM_DOWN) continue;
        enum verdict v = FINE;
        if (w->proc.eof || (w->state != FARM_IDLE && (v = judge(w, computes(f, w))) != FINE)) gone(f, w, v);
    }
    rg__farm_arbiter(f);
    rg__farm_late(f);
    rg__farm_moves(f);
    rg__farm_assign(f);
    f->watched = rg_now();
    if (f->failure.status != RG_OK) return rg_error_set(err, f->failure.status, "%s", f->failure.text);
    return RG_OK;
}

/* Its next line, end of file, or that it must be given up. */
static enum rg_status line_or_verdict(const struct rg_farm *f, struct farm_worker *w, char **line, enum verdict *v,
                                      struct rg_error *err)
{
    *line = NULL;
    *v = FINE;
    while (*v == FINE) {
        double left = f->wait_until > 0 ? f->wait_until - rg_now() : 0.5;
        enum rg_status s = rg_proc_line(&w->proc, left < 0 ? 0 : left < 0.5 ? left : 0.5, line, err);
        if (s != RG_OK || *line || w->proc.eof) return s;
        if (stopping(f)) return stopped(f, err);
        *v = judge(w, computes(f, w));
    }
    return RG_OK;
}

enum rg_status rg__farm_wait_idle(struct rg_farm *f, struct farm_worker *w, struct rg_error *err)
{
    int before = w->failures;
    for (int starts = 0; w->state != FARM_IDLE;) {
        if (w->state == FARM_DOWN) {
            if (w->failures > before || starts++ > FARM_TAKEN_ATTEMPTS)
                return w->error.status
                           ? rg__error_move(err, w->error.status, &w->error)
                           : rg_error_set(err, RG_UNAVAILABLE, "the %s worker does not start", role_word(w->role));
            rg_error_clear(&w->error);
            enum rg_status s = rg__farm_spawn(f, w, err);
            if (s != RG_OK) return s;
        }
        char *line;
        enum verdict v;
        enum rg_status s = line_or_verdict(f, w, &line, &v, err);
        if (s != RG_OK) return s;
        if (line)
            take(f, w, line);
        else
            gone(f, w, v);
        free(line);
    }
    return RG_OK;
}

enum rg_status rg__farm_ask(struct rg_farm *f, struct farm_worker *w, struct rg_msg *m, double seconds,
                            struct rg_msg *reply, struct rg_error *err)
{
    rg__msg_init(reply, RG_MSG_ERROR, 0);
    rg__farm_clock(w, seconds);
    enum rg_status s = rg__farm_send(w, m, err);
    char *line = NULL;
    enum verdict v = FINE;
    if (s == RG_OK) s = line_or_verdict(f, w, &line, &v, err);
    if (s != RG_OK) {
        rg__farm_stop(w);
        return s;
    }
    if (!line) {
        char why[160];
        if (v == FINE && w->proc.pid > 0) rg_proc_wait(&w->proc, 5);
        rg__farm_stop(w);
        rg__farm_why(w, why, sizeof why);
        if (v == STALLED) return rg_error_set(err, RG_IO, "its process was stopped or got no time");
        if (v == LATE) snprintf(why, sizeof why, "no answer within %g s", seconds);
        bool killed = v == FINE && WIFSIGNALED(w->proc.status) && WTERMSIG(w->proc.status) == SIGKILL;
        return rg_error_set(err, killed ? RG_IO : RG_CANCELED, "%s", why);
    }
    rg__msg_release(reply);
    s = rg__msg_parse(line, strlen(line), reply, err);
    free(line);
    if (s == RG_OK && reply->kind == RG_MSG_ERROR) {
        s = rg__msg_to_error(reply, err);
        rg__farm_stop(w); /* a process in which the user's C crashed ends after it has said so */
    }
    return s;
}
