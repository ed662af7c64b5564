/* The searches of a suite on this machine: one a GPU, as many as the CPUs carry, each on CPUs of its own. */
#include "cmd/suite.h"

#include <math.h>
#include <rg/cpus.h>
#include <rg/file.h>
#include <rg/worker.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_LANES = 64, MAX_DEVICES = 16, CPUS_A_SEARCH = 2 /* the search itself, and what compiles for it */ };

struct lanes {
    int n, n_devices;
    char *devices[MAX_DEVICES]; /* that problems of device "auto" are given */
    int n_cpus, *cpus;          /* this process's own */
    struct suite_run runs[MAX_LANES];
    bool busy[MAX_LANES];
};

static void add_device(struct lanes *l, const char *name, size_t len)
{
    if (len && l->n_devices < MAX_DEVICES) l->devices[l->n_devices++] = rg_xstrndup(name, len);
}

/* --device, else every GPU that a worker can open, else the simulated one. Not looked for where nobody asks. */
static void find_devices(struct lanes *l, const char *given, bool asked)
{
    for (const char *p = given; p && *p;) {
        size_t n = strcspn(p, ",");
        add_device(l, p, n);
        p += n + (p[n] == ',');
    }
    for (int i = 0; asked && !given && i < MAX_DEVICES; i++) {
        char name[24];
        struct rg_probe probe;
        struct rg_error none = RG_ERROR_INIT;
        snprintf(name, sizeof name, "cuda:%d", i);
        if (rg_worker_probe("run", name, &probe, &none) != RG_OK) break;
        add_device(l, name, strlen(name));
    }
    if (!l->n_devices) add_device(l, "sim:h200", 8);
}

static bool of_gpu(const char *device)
{
    return !strncmp(device, "cuda:", 5);
}

/* Two searches on one GPU would measure each other. */
static bool disturb(const char *a, const char *b)
{
    return of_gpu(a) && of_gpu(b) && (!strcmp(a, b) || !strcmp(a, "cuda:all") || !strcmp(b, "cuda:all"));
}

static bool free_now(const struct lanes *l, const char *device)
{
    for (int i = 0; i < l->n; i++)
        if (l->busy[i] && disturb(l->runs[i].device, device)) return false;
    return true;
}

/* What a problem can run on now; NULL: it has to wait. */
static const char *device_for(const struct lanes *l, const struct suite_problem *p)
{
    if (strcmp(p->device, "auto")) return free_now(l, p->device) ? p->device : NULL;
    for (int i = 0; i < l->n_devices; i++)
        if (free_now(l, l->devices[i])) return l->devices[i];
    return NULL;
}

static int default_lanes(const struct lanes *l)
{
    int gpus = 0, carried = rg_cpus() / CPUS_A_SEARCH;
    for (int i = 0; i < l->n_devices; i++) gpus += of_gpu(l->devices[i]);
    int n = gpus && gpus < carried ? gpus : carried; /* on simulated devices there is nothing but CPUs */
    return n < 1 ? 1 : n > MAX_LANES ? MAX_LANES : n;
}

/* The CPUs of a lane: neighbours, as many as its share. A process and what it starts take its starter's. */
static void bind_to_lane(const struct lanes *l, int lane)
{
    int share = rg_cpus() / l->n, spread = l->n_cpus / l->n;
    if (share >= 1 && spread >= share) (void)rg_cpus_bind(l->cpus + (size_t)lane * (size_t)spread, share);
}

static void tell(const struct suite_options *o, const char *event, const struct suite_row *row)
{
    if (o->jsonl) suite_line(event, row);
    if (o->quiet || strcmp(event, "end")) return;
    if (*row->reason)
        rg_cmd_message("%s: %s (exit %d): %s", row->name, row->state, row->exit, row->reason);
    else if (isfinite(row->best_ms))
        rg_cmd_message("%s: %s, %s%.4g ms, %.2f times naive, %.0f s", row->name, row->state, row->estimated ? "~" : "",
                       row->best_ms, row->vs_naive, row->seconds);
    else
        rg_cmd_message("%s: %s", row->name, row->state);
}

static enum rg_status start_on(struct lanes *l, int lane, const struct suite *s, int problem, const char *device,
                               const struct suite_options *o, const char *out, struct rg_error *err)
{
    struct suite_row row = {.exit = -1, .naive_ms = NAN, .best_ms = NAN, .vs_naive = NAN, .vs_sequential = NAN};
    l->runs[lane] = (struct suite_run){.lane = lane};
    bind_to_lane(l, lane);
    enum rg_status st = suite_run_start(&l->runs[lane], s, problem, out, device, err);
    if (l->n_cpus) (void)rg_cpus_bind(l->cpus, l->n_cpus);
    if (st != RG_OK) return st;
    l->busy[lane] = true;
    snprintf(row.name, sizeof row.name, "%s", s->items[problem].name);
    snprintf(row.state, sizeof row.state, "running");
    snprintf(row.device, sizeof row.device, "%s", device);
    tell(o, "start", &row);
    return RG_OK;
}

/* Gives free lanes the next problems; how many are open still. */
static int fill(struct lanes *l, const struct suite *s, bool *open, const struct suite_options *o, const char *out,
                struct rg_error *err)
{
    int left = 0;
    for (int i = 0; i < s->n; i++) {
        if (!open[i]) continue;
        left++;
        const char *device = suite_signal || err->status != RG_OK ? NULL : device_for(l, &s->items[i]);
        int lane = 0;
        while (lane < l->n && l->busy[lane]) lane++;
        if (!device || lane == l->n) continue;
        open[i] = false;
        if (start_on(l, lane, s, i, device, o, out, err) != RG_OK) return left;
    }
    return left;
}

static int poll_lanes(struct lanes *l, const struct suite *s, const struct suite_options *o, const char *out,
                      struct rg_error *err)
{
    int busy = 0;
    for (int i = 0; i < l->n; i++) {
        struct suite_row row;
        struct rg_error e = RG_ERROR_INIT;
        if (!l->busy[i]) continue;
        l->busy[i] = suite_run_poll(&l->runs[i], s, out, &row, &e);
        if (l->busy[i])
            busy++;
        else if (e.status == RG_OK)
            tell(o, "end", &row);
        else if (err->status == RG_OK)
            rg_error_set(err, e.status, "%s", e.text);
    }
    return busy;
}

enum rg_status suite_local(const struct suite *s, const struct suite_options *o, const char *out, struct rg_error *err)
{
    struct lanes *l = rg_xcalloc(1, sizeof *l);
    bool *open = rg_xcalloc((size_t)s->n + 1, sizeof *open);
    struct rg_error e = RG_ERROR_INIT;
    int left = 0, automatic = 0;
    for (int i = 0; i < s->n; i++) {
        left += open[i] = !suite_finished(out, &s->items[i]);
        automatic += open[i] && !strcmp(s->items[i].device, "auto");
    }
    if (left) {
        find_devices(l, o->devices, automatic > 0);
        l->cpus = rg_cpus_list(&l->n_cpus);
        l->n = o->jobs ? (int)o->jobs : default_lanes(l);
        if (l->n > left) l->n = left;
        if (!o->quiet && l->n) rg_cmd_message("%d of %d problems, %d at once", left, s->n, l->n);
    }
    /* a failure of ours (a full disk, a missing program) starts nothing more; what runs comes to its end */
    for (int busy = 0; (left = fill(l, s, open, o, out, &e)),
             (busy = poll_lanes(l, s, o, out, &e)) || (left && !suite_signal && e.status == RG_OK);)
        nanosleep(&(struct timespec){0, 20000000}, NULL);
    for (int i = 0; i < l->n_devices; i++) free(l->devices[i]);
    free(l->cpus);
    free(l);
    free(open);
    if (suite_signal) return rg_error_set(err, RG_CANCELED, "stopped by a signal; --resume goes on");
    return e.status == RG_OK ? RG_OK : rg_error_set(err, e.status, "%s", e.text);
}
