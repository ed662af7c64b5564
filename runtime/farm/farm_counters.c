/* A candidate's hardware counters: Nsight Compute's ncu runs a worker that launches its plan once, from what stands in
 * the memory file. ncu is started by the supervisor, as the run worker may start nothing; while it runs nothing else
 * does on that GPU. Whatever goes wrong, counters are missing and that is all. */
#include "runtime/farm/farm.h"
#include "runtime/farm/ncu.h"
#include <rg/file.h>
#include <rg/log.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    LAUNCHES = 12 /* of a plan, from its middle */,
    TRIES = 3 /* with fewer metrics each, where the chip does not know some */
};
static const double limit_s = 30;

bool rg__ncu_find(char *out, size_t size)
{
    return rg__tool_find("ncu", "/opt/nvidia/nsight-compute/*/ncu", out, size);
}

static enum rg_status ask(const struct rg__ncu_question *q, uint64_t left_out, double until, struct rg_ncu_result *out,
                          struct rg_error *err)
{
    struct rg_buf metrics = RG_BUF_INIT, kernels = RG_BUF_INIT;
    char skip[24], count[24], *text = NULL, *filter;
    size_t len;
    rg__ncu_metrics(&metrics, left_out);
    rg__ncu_kernels(&kernels, q->kernels, q->n_kernels);
    filter = rg_xasprintf("regex:%s", kernels.data);
    snprintf(skip, sizeof skip, "%lld", (long long)(q->launches > LAUNCHES ? (q->launches - LAUNCHES) / 2 : 0));
    snprintf(count, sizeof count, "%d", LAUNCHES);
    const char *argv[] = {q->ncu,
                          "--csv",
                          "--page",
                          "raw",
                          "--print-units",
                          "base",
                          "--clock-control",
                          "none",
                          "--cache-control",
                          q->hot ? "none" : "all",
                          "--target-processes",
                          "all",
                          "--kernel-name",
                          filter,
                          "--launch-skip",
                          skip,
                          "--launch-count",
                          count,
                          "--log-file",
                          q->log,
                          "--metrics",
                          metrics.data,
                          q->worker,
                          "--role",
                          "run",
                          "--device",
                          q->device,
                          "--tmp",
                          q->tmp,
                          "--replay",
                          q->script,
                          "--memory",
                          q->memory,
                          NULL};
    unlink(q->log);
    enum rg_status s = rg__tool_run(argv, limit_s, until, q->stop, err);
    memset(out, 0, sizeof *out);
    if (rg_file_read(q->log, 16 << 20, &text, &len, NULL) == RG_OK)
        rg__ncu_parse(text, len, out);
    else if (s == RG_OK)
        s = rg_error_set(err, RG_UNAVAILABLE, "it wrote nothing");
    unlink(q->log);
    free(text);
    free(filter);
    rg_buf_release(&metrics);
    rg_buf_release(&kernels);
    return s;
}

enum rg_status rg__ncu_ask(const struct rg__ncu_question *q, uint64_t *left_out, struct rg_ncu_result *out,
                           struct rg_error *err)
{
    double until = rg_now() + limit_s;
    if (q->until > 0 && q->until < until) until = q->until;
    enum rg_status s = RG_OK;
    for (int i = 0; i < TRIES; i++) {
        s = ask(q, *left_out, until, out, err);
        bool news = (out->unknown & ~*left_out) != 0;
        *left_out |= out->unknown;
        if (s != RG_OK || out->n_counters || !news) break;
    }
    if (s != RG_OK || out->n_counters) return s;
    if (out->denied)
        return rg_error_set(err, RG_UNAVAILABLE, "the driver keeps the counters for administrators (ERR_NVGPUCTRPERM)");
    return rg_error_set(err, RG_UNAVAILABLE, "%s", out->complaint[0] ? out->complaint : "no kernel was measured");
}

/* --- of a candidate --- */

static const struct rg_case *timed_case(const struct rg_farm *f)
{
    for (int i = 0; i < f->n_cases; i++)
        if (f->cases[i].timed) return &f->cases[i];
    return NULL;
}

void rg__farm_counters_open(struct rg_farm *f)
{
    struct farm_counters *c = &f->counters;
    c->wanted = f->o.counters && !f->simulated && !f->launcher;
    if (f->simulated) return;
    const char *why = !f->o.counters                         ? "switched off"
                      : f->launcher                          ? "the GPUs are on other machines"
                      : !rg__ncu_find(c->ncu, sizeof c->ncu) ? "no ncu in PATH, CUDA_HOME or /opt/nvidia"
                                                             : NULL;
    if (why) c->wanted = false;
    if (why)
        snprintf(f->info.hardware_counters, sizeof f->info.hardware_counters, "missing: %s", why);
    else
        snprintf(f->info.hardware_counters, sizeof f->info.hardware_counters, "to be read by %.150s", c->ncu);
}

enum rg_status rg__farm_profile(struct rg_farm *f, const struct farm_program *p, const struct farm_worker *w,
                                struct rg_counter *out, int *n, struct rg_error *err)
{
    struct farm_counters *c = &f->counters;
    const char *kernels[RG_MAX_KERNELS];
    char script[340], log[340], memory[64];
    struct rg_ncu_result r = {0};
    struct rg_error e = RG_ERROR_INIT;
    *n = 0;
    snprintf(script, sizeof script, "%s/profile.jsonl", f->tmp);
    snprintf(log, sizeof log, "%s/profile.csv", f->tmp);
    snprintf(memory, sizeof memory, "/proc/%ld/fd/%d", (long)getpid(), f->shm.fd);
    int n_kernels = p->program.n_kernels < RG_MAX_KERNELS ? p->program.n_kernels : RG_MAX_KERNELS;
    for (int i = 0; i < n_kernels; i++) kernels[i] = p->program.kernels[i].name;
    struct rg__ncu_question q = {.ncu = c->ncu,
                                 .worker = f->worker_path,
                                 .device = w->device,
                                 .tmp = f->tmp,
                                 .script = script,
                                 .log = log,
                                 .memory = memory,
                                 .kernels = kernels,
                                 .n_kernels = n_kernels,
                                 .launches = p->launches,
                                 .hot = f->o.cache_hot,
                                 .until = f->wait_until,
                                 .stop = f->leaving};
    enum rg_status s = rg__tool_script(f, p, timed_case(f), script, &e);
    if (s == RG_OK) s = rg__ncu_ask(&q, &c->left_out, &r, &e);
    unlink(script);
    if (s == RG_NOMEM) return rg__error_move(err, s, &e);
    if (s != RG_OK && f->wait_until > 0 && rg_now() >= f->wait_until) return rg__error_move(err, RG_LIMIT, &e);
    if (s != RG_OK) {
        c->wanted = false; /* it would take as long for the next one */
        snprintf(f->info.hardware_counters, sizeof f->info.hardware_counters, "missing: ncu: %.150s", e.text);
        rg_log(RG_LOG_INFO, "hardware counters are %s", f->info.hardware_counters);
        return RG_OK;
    }
    *n = r.n_counters;
    memcpy(out, r.counters, (size_t)r.n_counters * sizeof *out);
    snprintf(f->info.hardware_counters, sizeof f->info.hardware_counters, "read by %.150s", c->ncu);
    return RG_OK;
}

/* --- of a device --- */

enum rg_status rg_worker_counters(const char *device, char *out, size_t size, struct rg_error *err)
{
    char ncu[400], tmp[300], script[340], log[340];
    const char *dir = getenv("TMPDIR");
    static const char *const kernels[] = {"rg_flush"};
    struct rg_ncu_result r;
    uint64_t left_out = 0;
    if (!rg__ncu_find(ncu, sizeof ncu))
        return rg_error_set(err, RG_UNAVAILABLE, "no ncu in PATH, CUDA_HOME or /opt/nvidia");
    snprintf(tmp, sizeof tmp, "%.250s/regraph-counters-XXXXXX", dir && dir[0] ? dir : "/tmp");
    if (!mkdtemp(tmp)) return rg_error_set(err, RG_IO, "cannot create a folder %s", tmp);
    snprintf(script, sizeof script, "%s/none", tmp);
    snprintf(log, sizeof log, "%s/log", tmp);
    char *worker = rg__farm_find_worker(NULL);
    struct rg__ncu_question q = {.ncu = ncu,
                                 .worker = worker,
                                 .device = device,
                                 .tmp = tmp,
                                 .script = script,
                                 .log = log,
                                 .memory = "/dev/null",
                                 .kernels = kernels,
                                 .n_kernels = 1};
    enum rg_status s = rg_file_write(script, "", 0, err);
    if (s == RG_OK) s = rg__ncu_ask(&q, &left_out, &r, err);
    if (s == RG_OK)
        snprintf(out, size, "read by %s: %d of a kernel", ncu, r.n_counters);
    else
        rg_error_prefix(err, "%s", ncu);
    unlink(script);
    rmdir(tmp);
    free(worker);
    return s;
}
