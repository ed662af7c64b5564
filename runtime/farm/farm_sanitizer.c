/* Races and stray accesses of what a search ends with that the simulated device could not look at: compute-sanitizer
 * runs a worker that launches the plan once. */
#include "runtime/farm/farm.h"
#include "runtime/farm/sanitizer.h"
#include <math.h>
#include <rg/file.h>
#include <rg/log.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double limit_s = 60; /* of each of its tools */

void rg__farm_sanitizer_open(struct rg_farm *f)
{
    struct farm_sanitizer *z = &f->sanitizer;
    char *said = f->info.race_checks;
    size_t size = sizeof f->info.race_checks;
    z->wanted = false;
    if (f->simulated)
        snprintf(said, size, "on the simulated device");
    else if (f->launcher)
        snprintf(said, size, "on the simulated device, where that can; the GPUs are on other machines");
    else if (f->o.no_screen)
        snprintf(said, size, "switched off");
    else if (!rg__tool_find("compute-sanitizer", NULL, z->path, sizeof z->path))
        snprintf(said, size, "on the simulated device, where that can; no compute-sanitizer in PATH or CUDA_HOME");
    else
        z->wanted = true;
    if (z->wanted)
        snprintf(said, size, "on the simulated device, where that can; else, of the best at the end, by %.100s",
                 z->path);
}

static const struct rg_case *smallest(const struct rg_farm *f)
{
    const struct rg_case *best = NULL;
    for (int i = 0; i < f->n_cases; i++) {
        const struct rg_case *c = &f->cases[i];
        if (!best || c->at.len < best->at.len || (c->at.len == best->at.len && best->timed && !c->timed)) best = c;
    }
    return best;
}

static enum rg_status look(struct rg_farm *f, const char *tool, const char *device, const char *script,
                           struct rg_sanitizer_result *out, struct rg_error *err)
{
    char log[340], memory[64], *text = NULL;
    size_t len;
    snprintf(log, sizeof log, "%s/sanitizer.log", f->tmp);
    snprintf(memory, sizeof memory, "/proc/%ld/fd/%d", (long)getpid(), f->shm.fd);
    const char *argv[] = {f->sanitizer.path,
                          "--tool",
                          tool,
                          "--report-api-errors",
                          "no",
                          "--target-processes",
                          "all",
                          "--print-limit",
                          "10",
                          "--log-file",
                          log,
                          f->worker_path,
                          "--role",
                          "run",
                          "--device",
                          device,
                          "--tmp",
                          f->tmp,
                          "--bare",
                          "--replay",
                          script,
                          "--memory",
                          memory,
                          NULL};
    unlink(log);
    memset(out, 0, sizeof *out);
    double until = rg_now() + limit_s;
    if (f->o.until > 0 && f->o.until < until) until = f->o.until;
    enum rg_status s = rg__tool_run(argv, limit_s, until, f->leaving, err);
    if (rg_file_read(log, 16 << 20, &text, &len, NULL) == RG_OK) rg__sanitizer_parse(text, len, out);
    unlink(log);
    free(text);
    if (s != RG_OK || out->summed) return s;
    return rg_error_set(err, RG_UNAVAILABLE, "%s", out->complaint[0] ? out->complaint : "it came to no end");
}

/* RG_OK with `sanitized` set; anything else: not looked at, and why. */
static enum rg_status run_tools(struct rg_farm *f, struct farm_program *p, const struct farm_worker *w,
                                struct rg_error *err)
{
    static const struct {
        const char *tool;
        enum rg_outcome outcome;
    } tools[] = {{"memcheck", RG_OUTCOME_BOUNDS}, {"racecheck", RG_OUTCOME_RACE}};
    char script[340];
    snprintf(script, sizeof script, "%s/sanitizer.jsonl", f->tmp);
    enum rg_status s = rg__tool_script(f, p, smallest(f), script, err);
    for (size_t i = 0; i < sizeof tools / sizeof *tools && s == RG_OK && p->sanitized == FARM_NOT_LOOKED; i++) {
        struct rg_sanitizer_result r;
        s = look(f, tools[i].tool, w->device, script, &r, err);
        if (s != RG_OK || !r.errors) continue;
        p->sanitized = FARM_FOUND;
        p->found = tools[i].outcome;
        snprintf(p->complaint, sizeof p->complaint, "%.300s (%lld found by compute-sanitizer's %s, in its second look)",
                 r.first[0] ? r.first : "something it does not name", (long long)r.errors, tools[i].tool);
    }
    unlink(script);
    if (s == RG_OK && p->sanitized == FARM_NOT_LOOKED) p->sanitized = FARM_CLEAN;
    return s;
}

static void note(struct rg_evaluation *e, double checked)
{
    if (e->n_counters == RG_MAX_COUNTERS) return;
    struct rg_counter *c = &e->counters[e->n_counters++];
    snprintf(c->name, sizeof c->name, "race_checked");
    c->value = checked;
}

enum rg_status rg__farm_sanitize(struct rg_farm *f, struct farm_job *j, const struct farm_worker *w,
                                 struct rg_error *err)
{
    struct farm_program *p = j->program;
    struct rg_error e = RG_ERROR_INIT;
    j->looked = true;
    if (!p->screened && p->sanitized == FARM_NOT_LOOKED && f->sanitizer.wanted && w) {
        enum rg_status s = run_tools(f, p, w, &e);
        if (s == RG_NOMEM) return rg__error_move(err, s, &e);
        if (s != RG_OK) p->sanitized = FARM_UNKNOWN;
        if (s != RG_OK) rg_log(RG_LOG_WARN, "the best is not checked for races: compute-sanitizer: %s", e.text);
        if (s != RG_OK && s != RG_LIMIT && s != RG_CANCELED) { /* it would be no better with the next one */
            f->sanitizer.wanted = false;
            snprintf(f->info.race_checks, sizeof f->info.race_checks,
                     "on the simulated device, where that can; compute-sanitizer: %.150s", e.text);
        }
    }
    if (p->sanitized == FARM_FOUND) {
        j->e.outcome = p->found;
        snprintf(j->e.message, sizeof j->e.message, "%s", p->complaint);
        return RG_OK;
    }
    note(&j->e, p->screened || p->sanitized == FARM_CLEAN);
    return RG_OK;
}

bool rg_worker_sanitizer(char *out, size_t size)
{
    return rg__tool_find("compute-sanitizer", NULL, out, size);
}
