/* The user's C on several threads: a baseline beside the sequential one, where its author has said with OpenMP pragmas
 * what may run at once. */
#include "runtime/farm/farm.h"
#include <ctype.h>
#include <rg/cpus.h>
#include <rg/file.h>
#include <stdio.h>
#include <string.h>

static const double cap_s = 10, slack_s = 2.5;

static const char *skip(const char *p, bool (*of)(char c))
{
    while (*p && of(*p)) p++;
    return p;
}
static bool blank(char c)
{
    return c == ' ' || c == '\t';
}

/* A line `# pragma omp ...`: what is left of comments and macros is known, the text is preprocessed. */
static bool has_openmp(const char *text)
{
    for (const char *p = text; p && *p; p = strchr(p, '\n'), p = p ? p + 1 : NULL) {
        const char *q = skip(p, blank);
        if (*q != '#') continue;
        q = skip(q + 1, blank);
        if (strncmp(q, "pragma", 6) || !blank(q[6])) continue;
        q = skip(q + 6, blank);
        if (!strncmp(q, "omp", 3) && !isalnum((unsigned char)q[3]) && q[3] != '_') return true;
    }
    return false;
}

static const struct rg_case *timed_case(const struct rg_farm *f)
{
    for (int i = 0; i < f->n_cases; i++)
        if (f->cases[i].timed) return &f->cases[i];
    return NULL;
}

/* A worker of its own: an OpenMP runtime and its threads stay out of the one that gives references. */
static enum rg_status measure(struct rg_farm *f, const struct rg_case *timed, double *seconds, struct rg_error *err)
{
    struct farm_worker w = {.role = FARM_REFERENCE, .threads = f->o.baseline_threads};
    struct rg_case c = *timed;
    struct rg_msg m, reply;
    c.expected = false; /* the reference stays what one thread gave */
    rg__msg_init(&m, RG_MSG_PREPARE, 1);
    m.n_cases = 1;
    m.cases = &c;
    m.measure = m.measure_only = true;
    enum rg_status s = rg__farm_wait_idle(f, &w, err);
    if (s == RG_OK) {
        s = rg__farm_ask(f, &w, &m, cap_s + slack_s, &reply, err);
        if (s == RG_OK) *seconds = reply.seconds;
        rg__msg_release(&reply);
    }
    if (w.state == FARM_IDLE) rg_proc_wait(&w.proc, 5); /* an OpenMP runtime takes back what it left in /dev/shm */
    rg__farm_stop(&w);
    return s;
}

void rg__farm_threads(struct rg_farm *f)
{
    struct rg_farm_info *i = &f->info;
    const struct rg_problem *p = f->problem;
    const struct rg_case *c = timed_case(f);
    struct rg_error e = RG_ERROR_INIT;
    double seconds = -1;
    bool openmp = p->reference_c && has_openmp(p->reference_c);
    for (int k = 0; k < p->n_with && !openmp; k++) openmp = has_openmp(p->with_c[k]);
    i->baseline_threads = f->o.baseline_threads;
    i->baseline_ms = -1;
    if (i->baseline_threads <= 0 || !c) return;
    if (!openmp) {
        i->baseline_threads = 1;
        snprintf(i->baseline_note, sizeof i->baseline_note, "the C has no OpenMP pragmas: it stays at one thread");
        return;
    }
    rg__farm_sequential(f, true); /* not beside the other one */
    if (i->sequential_ms > 1e3 * cap_s * i->baseline_threads) {
        snprintf(i->baseline_note, sizeof i->baseline_note,
                 "not timed: even in %d equal parts the sequential run takes longer than %g s", i->baseline_threads,
                 cap_s);
    } else if (measure(f, c, &seconds, &e) != RG_OK) {
        snprintf(i->baseline_note, sizeof i->baseline_note, "not timed: %.160s", e.text);
    } else {
        int cores = rg_cpus();
        i->baseline_ms = seconds * 1e3;
        if (i->baseline_threads > cores) snprintf(i->baseline_note, sizeof i->baseline_note, "on %d cores", cores);
    }
}
