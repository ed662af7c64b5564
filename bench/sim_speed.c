/* bench/sim_speed - how fast the simulated device runs kernels in full: thread-instructions a second of one core.
 *
 *   sim_speed FOLDER [--only PROBLEM[/vNN]] [--ms N] [--estimates]
 *
 * FOLDER as docs/sim.md describes: every variant's plan is repeated at `small_sizes`, without checks, for N ms (80) of
 * processor time after one run that is not counted. Prints a line a variant, the geometric mean a problem and over all,
 * and what a bare loop of this processor does (32-lane fused multiply-adds between arrays in L1, as the interpreter's
 * own), so that figures of a shared machine can be read as a ratio. Instructions are counted after copies and dead code
 * are gone: what is run, not what PTX spells.
 * --estimates: processor time an estimate at `sizes` takes instead, without compiling and uploading. */
#include "runtime/kernels/kernels.h"
#include "runtime/sim/device_sim.h"
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double processor_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef float lanes __attribute__((vector_size(32), may_alias));
#if defined(__x86_64__)
__attribute__((target("avx2,fma")))
#endif
static void
bare(float (*r)[32], int n)
{
    for (int k = 0; k < n; k++) {
        const lanes *a = (lanes *)(void *)r[k * 5 % 61], *b = (lanes *)(void *)r[k * 7 % 61],
                    *c = (lanes *)(void *)r[k * 11 % 61];
        lanes *d = (lanes *)(void *)r[k * 3 % 61];
        for (int i = 0; i < 4; i++) d[i] = a[i] * b[i] + c[i];
        __asm__ volatile("" ::: "memory");
    }
}
static double bare_speed(void)
{
    static _Alignas(64) float r[61][32];
    double t0 = processor_time(), n = 0, t;
    do {
        bare(r, 20000);
        n += 20000.0 * 32;
    } while ((t = processor_time() - t0) < 0.05);
    return n / t;
}

struct speed {
    double rate, seconds, instructions;
    int runs;
    bool ok;
    char note[256];
};

static void measure(struct kernels_run *r, struct kernels_problem *k, const char *path, double ms, struct speed *out)
{
    struct rg_error e = RG_ERROR_INIT;
    struct kernels_loaded v;
    struct kernels_result said = {.outcome = RG_OUTCOME_OK};
    struct kernels_host h = {.n = 0};
    struct sim_device *sim = r->d.self;
    enum rg_status s = rg__kernels_compile(r, k, path, &said, &v, &e);
    while (!s && !said.outcome && (out->runs < 2 || out->seconds * 1e3 < ms)) {
        double before = sim->executed, t0 = processor_time();
        s = rg__kernels_once(r, &h, &v, k, 1, &e);
        if (out->runs++) out->seconds += processor_time() - t0, out->instructions += sim->executed - before;
    }
    out->ok = !s && !said.outcome && !h.fault.outcome;
    out->rate = out->instructions / out->seconds;
    if (!out->ok) snprintf(out->note, sizeof out->note, "%.120s%.120s", e.text, said.message);
    if (h.module) r->d.unload(r->d.self, h.module);
    if (h.n) rg__kernels_drop(&h);
    rg__kernels_loaded_release(&v);
}

static void time_estimate(struct kernels_run *r, struct kernels_problem *k, const char *path, struct kernels_host *h,
                          struct speed *out)
{
    struct rg_error e = RG_ERROR_INIT;
    struct kernels_loaded v;
    struct kernels_result said = {.outcome = RG_OUTCOME_OK};
    enum rg_status s = rg__kernels_compile(r, k, path, &said, &v, &e);
    for (int i = 0; i < 2 && !s && !said.outcome; i++) { /* the first uploads */
        double t0 = processor_time();
        s = rg__kernels_estimate(r, h, &v, k, &said, &e);
        out->seconds = processor_time() - t0;
    }
    out->ok = !s && !said.outcome && !h->fault.outcome;
    if (!out->ok) snprintf(out->note, sizeof out->note, "%.120s%.120s", e.text, said.message);
    rg__kernels_loaded_release(&v);
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}
static int is_kernel(const struct dirent *e)
{
    return strlen(e->d_name) > 3 && !strcmp(e->d_name + strlen(e->d_name) - 3, ".cu");
}

int main(int argc, char **argv)
{
    const char *root = NULL, *only = NULL;
    double ms = 80;
    bool estimates = false;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--only") && i + 1 < argc)
            only = argv[++i];
        else if (!strcmp(argv[i], "--ms") && i + 1 < argc)
            ms = atof(argv[++i]);
        else if (!strcmp(argv[i], "--estimates"))
            estimates = true;
        else if (argv[i][0] != '-' && !root)
            root = argv[i];
        else
            root = NULL, i = argc;
    }
    if (!root) {
        fprintf(stderr, "usage: sim_speed FOLDER [--only PROBLEM[/vNN]] [--ms N] [--estimates]\n");
        return 2;
    }
    struct rg_error e = RG_ERROR_INIT;
    struct kernels_run r = {.null_us = -1};
    setenv("RG_SIM_THREADS", "1", 1);
    if (rg__compiler_open(&r.compiler, &e) || rg_device_open_sim("h200", &r.d, &e)) {
        fprintf(stderr, "sim_speed: %s\n", e.text);
        return 1;
    }
    static const char *const isa[] = {"SSE2", "AVX2", "AVX-512"};
    double bare_first = bare_speed(), sum = 0, slowest = 0;
    struct dirent **problems = NULL, **variants;
    int n_problems = scandir(root, &problems, NULL, by_name), n = 0, bad = 0;
    for (int i = 0; i < n_problems; i++) {
        const char *name = problems[i]->d_name;
        char *folder = rg_xasprintf("%s/%s", root, name);
        size_t len = strlen(name);
        struct kernels_problem *k = NULL;
        bool wanted = name[0] != '.' && (!only || (!strncmp(only, name, len) && (!only[len] || only[len] == '/')));
        e = (struct rg_error)RG_ERROR_INIT;
        if (wanted && rg__kernels_problem_read(folder, name, &k, &e) == RG_OK) {
            double of_problem = 0;
            struct kernels_host h = {.n = 0};
            int counted = 0, n_variants = scandir(folder, &variants, is_kernel, by_name);
            for (int v = 0; v < n_variants; v++) {
                const char *file = variants[v]->d_name;
                char *path = rg_xasprintf("%s/%s", folder, file);
                struct speed got = {.runs = 0};
                if (!only || !only[len] || !strncmp(only + len + 1, file, strlen(only + len + 1))) {
                    if (estimates)
                        time_estimate(&r, k, path, &h, &got);
                    else
                        measure(&r, k, path, ms, &got);
                    if (got.ok && estimates) {
                        printf("%-14s %-8s %.3f s\n", name, file, got.seconds);
                        slowest = fmax(slowest, got.seconds);
                    } else if (got.ok) {
                        printf("%-14s %-8s %6.2f G/s  %8.3g instructions a run, %.3f ms\n", name, file, got.rate * 1e-9,
                               got.instructions / (got.runs - 1), 1e3 * got.seconds / (got.runs - 1));
                        of_problem += log(got.rate), counted++;
                    } else
                        printf("%-14s %-8s %s\n", name, file, got.note), bad++;
                    fflush(stdout);
                }
                free(path);
                free(variants[v]);
            }
            if (n_variants >= 0) free(variants);
            if (h.n) rg__kernels_drop(&h);
            if (counted) printf("%-14s geomean  %6.2f G/s\n", name, exp(of_problem / counted) * 1e-9);
            sum += of_problem;
            n += counted;
        }
        rg__kernels_problem_free(k);
        free(folder);
        free(problems[i]);
    }
    free(problems);
    if (estimates) {
        printf("slowest estimate %.3f s of processor time\n", slowest);
        return bad > 0;
    }
    double bare_last = bare_speed(), mean = n ? exp(sum / n) : 0;
    printf("%d variants, geomean %.2f G thread-instructions/s/core (%s); a bare loop of this core does %.1f and %.1f "
           "G/s: %.2f of it\n",
           n, mean * 1e-9, isa[((struct sim_device *)r.d.self)->isa], bare_first * 1e-9, bare_last * 1e-9,
           mean / fmax(bare_first, bare_last));
    r.d.free(r.d.self);
    rg__compiler_close(&r.compiler);
    return bad > 0;
}
