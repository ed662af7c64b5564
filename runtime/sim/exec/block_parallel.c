/* Block-parallel execution: blocks over threads. A kernel whose blocks may run in any order (independent.c) is cut
 * into runs of blocks that threads take in turn, each with places of its own to learn access patterns and to count.
 * What a launch gives is what its blocks give one after another: memory, because no block sees what another does; the
 * fault, because the runs are settled in order and the first one that failed counts; the instruction budget, because
 * a run's share is what those before it left. Other kernels, checked and watched launches go one block after another
 * in launch.c. The cutting depends on the launch alone. */
#include "runtime/sim/exec/launch.h"
#include <pthread.h>
#include <rg/cpus.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    RUNS = 2048, /* at most, about */
    STACK = 512 << 10,
    MOST_WORKERS = 32
};
static const double alone = 3e5; /* warp instructions of a launch before other threads are asked: some milliseconds */

struct part { /* a run of blocks, when it is done */
    bool done;
    double executed, looked; /* thread-instructions: all; when the budget was looked at last */
    struct rg_fault *fault;
};
struct apart {
    struct sim_run *run;
    int64_t per, n;
    struct part *parts;
    pthread_mutex_t lock;
    int64_t next, settled,
        last; /* under the lock: to be taken, all before it are done and added up, none after it matters */
    double executed, work;
};

int rg__sim_workers(void)
{
#if defined(FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION)
    return 1;
#else
    const char *want = getenv("RG_SIM_THREADS");
    int n = want ? atoi(want) : rg_cpus();
    return n < 1 ? 1 : n > MOST_WORKERS ? MOST_WORKERS : n;
#endif
}

static int64_t take(struct apart *a, double *before)
{
    pthread_mutex_lock(&a->lock);
    int64_t i = a->next < a->n && a->next <= a->last ? a->next++ : -1;
    *before = a->executed;
    pthread_mutex_unlock(&a->lock);
    return i;
}

static bool still_wanted(struct apart *a, int64_t i)
{
    return __atomic_load_n(&a->last, __ATOMIC_RELAXED) >= i;
}

/* Under the lock. */
static void settle(struct apart *a)
{
    struct sim_run *run = a->run;
    for (; a->settled < a->n && a->settled <= a->last && a->parts[a->settled].done; a->settled++) {
        struct part *p = &a->parts[a->settled];
        if (a->executed + p->looked > run->budget && (!p->fault || p->fault->outcome != RG_OUTCOME_TIMEOUT)) {
            /* It did not know yet how much those before it had used up. */
            rg__sim_fault(run, NULL, NULL, -1, NULL, RG_OUTCOME_TIMEOUT,
                          "more than %.3g instructions of all threads: it hangs or is far too slow", run->budget);
        } else if (p->fault)
            *run->fault = *p->fault;
        a->executed += p->executed;
        if (run->fault->outcome != RG_OUTCOME_OK) __atomic_store_n(&a->last, a->settled, __ATOMIC_RELAXED);
    }
}

static void run_part(struct apart *a, struct sim_run *mine, struct sim_block *b, sim_exec_fn exec, int64_t i,
                     double before)
{
    struct rg_fault fault = {.outcome = RG_OUTCOME_OK};
    double looked = 0;
    int64_t end = (i + 1) * a->per < mine->n_blocks ? (i + 1) * a->per : mine->n_blocks;
    mine->fault = &fault;
    mine->before = before;
    mine->executed = 0;
    for (int64_t n = i * a->per; n < end && fault.outcome == RG_OUTCOME_OK && still_wanted(a, i); n++) {
        bool progress;
        rg__sim_block_start(mine, b, n);
        while (rg__sim_block_round(mine, b, exec, &progress) && still_wanted(a, i)) looked = mine->executed;
    }
    struct rg_fault *kept = NULL;
    if (fault.outcome != RG_OUTCOME_OK) {
        kept = rg_xmalloc(sizeof *kept);
        *kept = fault;
    }
    pthread_mutex_lock(&a->lock);
    a->parts[i] = (struct part){true, mine->executed, looked, kept};
    if (kept && i < a->last) __atomic_store_n(&a->last, i, __ATOMIC_RELAXED);
    a->work += mine->work;
    mine->work = 0;
    settle(a);
    pthread_mutex_unlock(&a->lock);
}

struct own {
    struct sim_run run;
    struct sim_block block;
};

static enum rg_status own_new(const struct apart *a, struct own *o, struct rg_error *err)
{
    const struct sim_kernel *k = a->run->k;
    o->run = *a->run;
    o->run.beside = a->run->workers > 1;
    o->run.work = 0;
    o->run.sites = aligned_alloc(64, sizeof *o->run.sites * (size_t)(k->n_mem + 1));
    o->run.counts = calloc((size_t)k->n_blocks + 1, sizeof *o->run.counts);
    if (!o->run.sites || !o->run.counts) return rg_error_set(err, RG_NOMEM, "no memory for a launch");
    memcpy(o->run.sites, a->run->sites, sizeof *o->run.sites * (size_t)(k->n_mem + 1));
    return rg__sim_block_new(&o->run, &o->block, err);
}
static void own_free(struct own *o)
{
    rg__sim_block_free(&o->block);
    free(o->run.sites);
    free(o->run.counts);
}

static void *work_beside(void *arg)
{
    struct apart *a = arg;
    struct rg_error err = RG_ERROR_INIT;
    struct own o;
    memset(&o, 0, sizeof o);
    double before;
    /* A thread that cannot start is no error: the others do its work. */
    if (!own_new(a, &o, &err))
        for (int64_t i; (i = take(a, &before)) >= 0;)
            run_part(a, &o.run, &o.block, rg__sim_exec_pick(o.run.isa, false), i, before);
    own_free(&o);
    return NULL;
}

enum rg_status rg__sim_run_apart(struct sim_run *run, struct rg_error *err)
{
    struct apart a = {.run = run,
                      .per = run->n_blocks / RUNS > 1 ? run->n_blocks / RUNS : 1,
                      .last = INT64_MAX,
                      .lock = PTHREAD_MUTEX_INITIALIZER};
    a.n = (run->n_blocks + a.per - 1) / a.per;
    a.parts = rg_xcalloc((size_t)a.n, sizeof *a.parts);
    struct own o;
    memset(&o, 0, sizeof o);
    enum rg_status s = own_new(&a, &o, err);
    pthread_t beside[MOST_WORKERS];
    int n_beside = 0;
    bool asked = run->workers < 2;
    double before;
    for (int64_t i; !s && (i = take(&a, &before)) >= 0;) {
        run_part(&a, &o.run, &o.block, rg__sim_exec_pick(run->isa, false), i, before);
        if (asked || a.work < alone) continue;
        asked = true;
        pthread_attr_t how;
        pthread_attr_init(&how);
        pthread_attr_setstacksize(&how, STACK);
        while (n_beside < run->workers - 1 && n_beside < a.n - i - 2 &&
               !pthread_create(&beside[n_beside], &how, work_beside, &a))
            n_beside++;
        pthread_attr_destroy(&how);
    }
    for (int i = 0; i < n_beside; i++) pthread_join(beside[i], NULL);
    run->executed += a.executed;
    run->work += a.work;
    for (int64_t i = 0; i < a.n; i++) free(a.parts[i].fault);
    free(a.parts);
    pthread_mutex_destroy(&a.lock);
    own_free(&o);
    return s;
}
