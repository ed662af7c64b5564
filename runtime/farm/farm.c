#include "runtime/farm/farm.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <rg/cpus.h>
#include <rg/file.h>
#include <rg/log.h>
#include <rg/places.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

char *rg__farm_find_worker(const char *given)
{
    if (given) return rg_xstrdup(given);
    return rg_place_program("regraph-worker");
}

static enum rg_status send_problem(struct rg_farm *f, struct rg_error *err)
{
    char *json = rg_problem_to_json(f->problem);
    if (!json) return rg_error_set(err, RG_BUG, "the problem cannot be written");
    size_t n = strlen(json) + 1;
    struct rg_mapping m;
    enum rg_status s = rg__shm_alloc(&f->shm, (int64_t)n, &f->problem_range, err);
    if (s == RG_OK) s = rg__shm_map(f->shm.fd, f->problem_range, true, &m, err);
    if (s == RG_OK) {
        memcpy(m.data, json, n);
        rg__shm_unmap(&m);
    }
    free(json);
    return s;
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
    (void)!remove(path);
    return 0;
}

#define FOLDER "regraph-farm-"
enum { SETTLED_S = 60 }; /* a folder younger than this may not be locked yet */

/* Folders that a killed run could not remove: ours, and nobody holds their lock. */
static void sweep(const char *tmp)
{
    DIR *d = opendir(tmp);
    if (!d) return;
    for (struct dirent *e; (e = readdir(d));) {
        if (strncmp(e->d_name, FOLDER, strlen(FOLDER)) || strlen(e->d_name) != strlen(FOLDER) + 6) continue;
        int fd = openat(dirfd(d), e->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        struct stat st;
        if (fd < 0) continue;
        if (fstat(fd, &st) == 0 && st.st_uid == geteuid() && st.st_mtime + SETTLED_S < time(NULL) &&
            flock(fd, LOCK_EX | LOCK_NB) == 0) {
            char *path = rg_xasprintf("%s/%s", tmp, e->d_name);
            nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
            free(path);
        }
        close(fd);
    }
    closedir(d);
}

static enum rg_status make_folder(struct rg_farm *f, struct rg_error *err)
{
    const char *tmp = getenv("TMPDIR");
    if (!tmp || !tmp[0]) tmp = "/tmp";
    sweep(tmp);
    snprintf(f->tmp, sizeof f->tmp, "%.250s/" FOLDER "XXXXXX", tmp);
    if (mkdtemp(f->tmp)) {
        f->tmp_lock = open(f->tmp, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (f->tmp_lock >= 0) (void)!flock(f->tmp_lock, LOCK_SH);
        return RG_OK;
    }
    enum rg_status s = rg_error_set(err, RG_IO, "cannot create a folder %s: %s", f->tmp, strerror(errno));
    f->tmp[0] = 0;
    return s;
}

static bool wants_all(const struct rg_farm *f)
{
    return !strcmp(f->device, "cuda:all");
}

/* A run worker for each further GPU: of this machine (cuda:all), or of others (--workers). Times from different kinds
 * of GPU cannot be told apart, so all must be of one kind. */
static enum rg_status start_others(struct rg_farm *f, struct rg_error *err)
{
    int first = f->n_workers, most = f->launcher ? f->o.remote : FARM_MAX_RUN;
    enum rg_status s = RG_OK;
    if (!wants_all(f) && !f->launcher) return RG_OK;
    for (int i = 1; i < most && s == RG_OK; i++) {
        struct farm_worker *w = &f->workers[f->n_workers++];
        w->role = FARM_RUN;
        snprintf(w->device, sizeof w->device, "cuda:%d", i);
        if (f->launcher) snprintf(w->device, sizeof w->device, "%s", f->device);
        s = rg__farm_spawn(f, w, err);
    }
    int last = f->n_workers;
    f->n_workers = first;
    for (int i = first; i < last && s == RG_OK; i++) {
        struct farm_worker *w = &f->workers[i];
        struct rg_error e = RG_ERROR_INIT;
        if (i > f->n_workers) { /* the one before is not there: neither is this */
            rg__farm_stop(w);
            continue;
        }
        s = rg__farm_wait_idle(f, w, &e);
        if (s == RG_UNAVAILABLE && f->launcher)
            rg_log(RG_LOG_WARN, "only %d run workers on other machines: the next does not start (%s)", i - first + 1,
                   e.text);
        if (s == RG_UNAVAILABLE) {
            rg__farm_stop(w);
            s = RG_OK;
            continue;
        }
        if (s == RG_OK && strcmp(w->name, f->info.name))
            s = rg_error_set(&e, RG_INPUT, "all devices of a search must be of one kind: the first is %s, %s is %s%s",
                             f->info.name, w->device, w->name, f->launcher ? "" : " (CUDA_VISIBLE_DEVICES chooses)");
        f->n_workers = i + 1;
        if (s != RG_OK) rg__error_move(err, s, &e);
    }
    f->info.devices = 1 + f->n_workers - first;
    if (!f->launcher)
        snprintf(f->info.device, sizeof f->info.device, "cuda:all %d x %.40s", f->info.devices, f->info.name);
    else if (!f->simulated)
        snprintf(f->info.device, sizeof f->info.device, "cuda %d x %.40s", f->info.devices, f->info.name);
    return s;
}

/* Opens the device in a run worker. "auto" takes the first CUDA device, else the simulated H200. */
static enum rg_status start_device(struct rg_farm *f, struct rg_error *err)
{
    struct farm_worker *w = &f->workers[0];
    const char *wanted = f->o.device && f->o.device[0] ? f->o.device : "auto";
    bool automatic = !strcmp(wanted, "auto");
    free(f->device);
    f->device = rg_xstrdup(automatic ? "cuda:0" : wanted);
    snprintf(w->device, sizeof w->device, "%s", wants_all(f) ? "cuda:0" : f->device);
    struct rg_error e = RG_ERROR_INIT;
    enum rg_status s = rg__farm_spawn(f, w, &e);
    if (s == RG_OK) s = rg__farm_wait_idle(f, w, &e);
    if (s == RG_UNAVAILABLE && automatic && w->failures) {
        rg_log(RG_LOG_INFO, "no CUDA device (%s): the simulated H200 is used", e.text);
        free(f->device);
        f->device = rg_xstrdup("sim:h200");
        snprintf(w->device, sizeof w->device, "%s", f->device);
        w->failures = 0;
        rg_error_clear(&e);
        s = rg__farm_spawn(f, w, &e);
        if (s == RG_OK) s = rg__farm_wait_idle(f, w, &e);
    }
    return rg__error_move(err, s, &e);
}

static int compile_workers(const struct rg_farm *f)
{
    if (f->o.compile_workers > 0)
        return f->o.compile_workers < FARM_MAX_COMPILE ? f->o.compile_workers : FARM_MAX_COMPILE;
    int cpus = rg_cpus();
    if (cpus <= 4) return cpus;
    return cpus / 2 < FARM_MAX_COMPILE ? cpus / 2 : FARM_MAX_COMPILE;
}

/* Each builds the user's C for itself: several only where cores would idle. */
static int reference_workers(void)
{
    int cpus = rg_cpus();
    return cpus < 8 ? 1 : cpus / 4 > FARM_MAX_REFERENCE ? FARM_MAX_REFERENCE : cpus / 4;
}

/* Compulsory traffic or operations, whichever takes longer; unknown stays unknown. */
static void speed_of_light(struct rg_farm *f)
{
    const struct rg_problem *p = f->problem;
    struct rg_farm_info *i = &f->info;
    double sol = -1, rate = p->traits & RG_TRAIT_FP64 ? i->fp64_flop_s : i->fp32_flop_s;
    if (i->traffic != RG_TRAFFIC_UNKNOWN && i->copy_bytes_s > 0) {
        sol = (i->read_bytes + i->write_bytes) / i->copy_bytes_s * 1e3;
        const bool ended = f->o.round; /* by data: the operations counted are those of the most rounds there can be */
        if (p->flops > 0 && rate > 0 && !ended && p->flops / rate * 1e3 > sol) sol = p->flops / rate * 1e3;
    }
    i->sol_ms = sol > 0 ? sol : -1;
}

const char *rg_traffic_word(enum rg_traffic t)
{
    return t == RG_TRAFFIC_COUNTED ? "counted" : t == RG_TRAFFIC_TOUCHED ? "touched" : "unknown";
}

const char *rg_sequential_word(enum rg_sequential h)
{
    return h == RG_SEQUENTIAL_MEASURED ? "measured" : h == RG_SEQUENTIAL_EXTRAPOLATED ? "extrapolated" : "at least";
}

void rg__farm_doing(struct rg_farm *f, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(f->doing, sizeof f->doing, fmt, ap);
    va_end(ap);
}

void rg__farm_cases_msg(const struct rg_farm *f, struct rg_msg *m)
{
    rg__msg_init(m, RG_MSG_CASES, 0);
    m->n_cases = f->n_cases;
    m->cases = (struct rg_case *)(uintptr_t)f->cases;
    m->limit_memory = f->o.limit_memory;
    m->cache_hot = f->o.cache_hot;
    m->no_screen = f->o.no_screen;
    m->read_bytes = f->info.read_bytes;
    m->write_bytes = f->info.write_bytes;
}

/* The run worker came up before there were cases; one that starts later is told as it comes up. */
static enum rg_status tell_cases(struct rg_farm *f, struct rg_error *err)
{
    struct rg_msg m, reply;
    struct rg_error e = RG_ERROR_INIT;
    rg__farm_cases_msg(f, &m);
    for (int i = 0; i < f->n_workers; i++) {
        struct farm_worker *w = &f->workers[i];
        if (w->role != FARM_RUN) continue;
        enum rg_status s = rg__farm_ask(f, w, &m, 180, &reply, &e);
        rg__msg_release(&reply);
        if (s == RG_IO || s == RG_CANCELED)
            s = rg__farm_wait_idle(f, w, err);
        else
            rg__error_move(err, s, &e);
        if (s != RG_OK) return s;
    }
    return RG_OK;
}

static enum rg_status start(struct rg_farm *f, struct rg_error *err)
{
    enum rg_status s = rg__shm_create(&f->shm, err);
    if (s == RG_OK) s = make_folder(f, err);
    if (s == RG_OK) s = send_problem(f, err);
    f->n_reference = reference_workers();
    f->n_workers = 1 + f->n_reference + compile_workers(f) + 1;
    for (int i = 0; i < f->n_workers; i++)
        f->workers[i].role = i == 0                 ? FARM_RUN
                             : i <= f->n_reference  ? FARM_REFERENCE
                             : i < f->n_workers - 1 ? FARM_COMPILE
                                                    : FARM_HOOKS;
    rg__farm_doing(f, "while its workers started");
    /* the compilers warm up while the device opens and the user's C is built */
    for (int i = f->n_workers - 1; i > 0 && s == RG_OK; i--) s = rg__farm_spawn(f, &f->workers[i], err);
    if (s == RG_OK) s = start_device(f, err);
    if (s == RG_OK) s = start_others(f, err);
    if (s != RG_OK) return s;
    rg__farm_counters_open(f);
    rg__farm_sanitizer_open(f);
    f->arch = rg_xstrdup(f->o.limit_arch ? f->o.limit_arch : f->info.arch);
    s = rg__farm_cases(f, err);
    speed_of_light(f);
    for (int i = 1; i < f->n_workers; i++) /* what they found is in the memory file */
        if ((f->workers[i].role == FARM_REFERENCE || f->workers[i].role == FARM_HOOKS) && !f->workers[i].fill)
            rg__farm_stop(&f->workers[i]);
    if (s != RG_OK) return s;
    s = tell_cases(f, err);
    if (s == RG_OK) s = rg__farm_look_open(f, err);
    /* at least one compiler must work before a search begins */
    rg__farm_doing(f, "while the CUDA compiler started");
    if (s == RG_OK) s = rg__farm_wait_idle(f, &f->workers[f->n_reference + 1], err);
    rg__farm_doing(f, "while %s was timed with OpenMP", f->problem->function);
    if (s == RG_OK) rg__farm_threads(f);
    return s;
}

static struct rg_farm *farm_new(const struct rg_farm_options *o, const struct rg_problem *p)
{
    struct rg_farm *f = rg_xcalloc(1, sizeof *f);
    signal(SIGPIPE, SIG_IGN);
    f->o = *o;
    f->problem = p;
    f->shm.fd = f->tmp_lock = -1;
    f->info.sequential_ms = f->info.baseline_ms = f->info.sol_ms = f->info.read_bytes = f->info.write_bytes = -1;
    f->worker_path = rg__farm_find_worker(o->worker);
    f->launcher = o->launcher; /* outlives the farm */
    f->o.worker = NULL;        /* borrowed until start() returns only, as the device and the arch are */
    return f;
}

enum rg_status rg_farm_look(const struct rg_farm_options *o, const struct rg_problem *p, struct rg_farm_info *info,
                            struct rg_error *err)
{
    struct rg_farm *f = farm_new(o, p);
    static const enum farm_role roles[] = {FARM_RUN /* never started */, FARM_REFERENCE, FARM_HOOKS};
    struct rg_error e = RG_ERROR_INIT;
    for (f->n_workers = 0; f->n_workers < 3; f->n_workers++) f->workers[f->n_workers].role = roles[f->n_workers];
    f->n_reference = 1;
    f->wait_until = f->o.until;
    enum rg_status s = rg__shm_create(&f->shm, &e);
    if (s == RG_OK) s = make_folder(f, &e);
    if (s == RG_OK) s = send_problem(f, &e);
    for (int i = 1; i < f->n_workers && s == RG_OK; i++) s = rg__farm_spawn(f, &f->workers[i], &e);
    if (s == RG_OK) s = rg__farm_look(f, &e);
    *info = f->info;
    rg_farm_free(f);
    return rg__error_move(err, s, &e);
}

enum rg_status rg_farm_start(const struct rg_farm_options *o, const struct rg_problem *p, struct rg_farm **out,
                             struct rg_error *err)
{
    *out = NULL;
    struct rg_farm *f = farm_new(o, p);
    rg__farm_cache_open(f);
    f->cache_dir = rg_xstrdup(o->cache);
    f->o.cache = NULL;
    struct rg_error e = RG_ERROR_INIT;
    f->wait_until = f->o.until;
    enum rg_status s = start(f, &e);
    f->wait_until = 0; /* what is polled is for its caller to give up */
    f->o.device = f->o.limit_arch = NULL;
    f->leaving = f->o.stop;
    f->o.stop = NULL; /* from here on the search asks for itself */
    if (s != RG_OK) {
        if (s == RG_LIMIT && o->until > 0 && rg_now() >= o->until)
            rg_error_prefix(&e, "no kernel was tried within the time given (longer, or smaller sizes, may do)");
        rg_farm_free(f);
        return rg__error_move(err, s, &e);
    }
    rg__farm_evaluator_init(f);
    *out = f;
    return RG_OK;
}

void rg_farm_settle(struct rg_farm *f)
{
    f->wait_until = f->o.until;
    rg__farm_sequential(f, true);
    f->wait_until = 0;
    rg__farm_late_lost(f, "the run ended before");
}

const struct rg_farm_info *rg_farm_info(struct rg_farm *f)
{
    return &f->info;
}

struct rg_evaluator *rg_farm_evaluator(struct rg_farm *f)
{
    return &f->evaluator;
}

void rg_farm_free(struct rg_farm *f)
{
    if (!f) return;
    for (int i = 0; i < f->n_workers; i++) rg__farm_stop(&f->workers[i]);
    for (int i = 0; i < 5 && f->tmp[0] && rg_file_exists(f->tmp);
         i++) { /* a compiler whose worker was killed may be writing its last */
        if (i) usleep(20000);
        nftw(f->tmp, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    }
    if (f->tmp_lock >= 0) close(f->tmp_lock);
    rg__farm_jobs_free(f);
    rg__farm_outputs_free(f);
    rg__farm_programs_free(f);
    rg__cache_close(&f->cache);
    rg__farm_fills_free(f);
    rg__shm_close(&f->shm);
    rg_arena_release(&f->arena);
    free(f->worker_path);
    free(f->cache_dir);
    free(f->device);
    free(f->arch);
    free(f);
}
