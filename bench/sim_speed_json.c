/* bench/sim_speed - how fast the simulated device runs kernels in full: thread-instructions a second of one core.
 *
 *   sim_speed FOLDER [--only PROBLEM[/vNN]] [--ms N]
 *
 * FOLDER as for sim_accuracy (problem.json, vNN.cu): every variant's plan is repeated at `small_sizes`, without checks, for N ms (80) of
 * processor time after one run that is not counted. Prints a line a variant, the geometric mean a problem and over all, and what a bare
 * loop of this processor does (32-lane fused multiply-adds between arrays in L1, as the interpreter's own), so that figures of a shared
 * machine can be read as a ratio. Instructions are counted after copies and dead code are gone: what is run, not what PTX spells. */
#define main sim_accuracy_main /* reading problems and running plans is done as there */
#include "bench/sim_accuracy_json.c"
#undef main
#include "runtime/sim/device_sim.h"
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
static void bare(float (*r)[32], int n)
{
    for (int k = 0; k < n; k++) {
        const lanes *a = (lanes *)(void *)r[k * 5 % 61], *b = (lanes *)(void *)r[k * 7 % 61], *c = (lanes *)(void *)r[k * 11 % 61];
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

struct speed { double rate, seconds, instructions; int runs; bool ok; char note[256]; };

static void measure(struct rg_compiler *compiler, struct rg_device *d, struct rg_problem *p, const double *scalars, const char *path, char **inputs, double ms, struct speed *r)
{
    struct rg_error e = RG_ERROR_INIT;
    char *text;
    size_t len;
    if (rg_file_read(path, 1 << 20, &text, &len, &e)) die(path, &e);
    struct rg_buf plan = RG_BUF_INIT;
    for (char *line = text; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
        if (!strncmp(line, "// plan:", 8)) rg_buf_printf(&plan, "%.*s\n", (int)strcspn(line, "\n") - 8, line + 8);
    struct rg_plan *q = NULL;
    struct rg_arena arena = RG_ARENA_INIT;
    struct rg_compiled c = {0};
    enum rg_status s = rg_plan_parse(plan.data, &q, &e);
    if (!s) s = rg__compile(compiler, &arena, text, d->facts.arch, 0, q->kernels, q->n_kernels, &c, &e);
    if (!s && c.outcome) snprintf(e.text, sizeof e.text, "%.200s", c.message);
    struct host h = {.d = d, .p = p, .scalars = scalars};
    if (!s && !c.outcome) {
        struct rg_kernel_sig *sigs = rg_arena_alloc(&arena, sizeof *sigs * (size_t)c.n_kernels);
        const char **lowered = rg_arena_alloc(&arena, sizeof *lowered * (size_t)c.n_kernels);
        struct rg_kernel_attributes *attributes = rg_arena_alloc(&arena, sizeof *attributes * (size_t)c.n_kernels);
        for (int i = 0; !s && i < c.n_kernels; i++) {
            lowered[i] = c.kernels[i].lowered;
            attributes[i] = c.kernels[i].attributes;
            s = rg_kernel_sig_parse(&arena, c.kernels[i].name, lowered[i], &sigs[i], &e);
        }
        if (!s) s = rg_plan_check(q, p, sigs, &e);
        struct rg_blob blob = {.ptx = c.ptx, .ptx_len = c.ptx_len, .n_kernels = c.n_kernels, .lowered = lowered, .attributes = attributes};
        h.sigs = sigs;
        if (!s) s = d->load(d->self, &blob, &h.module, &h.fault, &e);
        struct rg_plan_ops ops = {&h, on_scratch, on_launch, on_fill, on_copy, on_symbol, on_read};
        struct sim_device *sim = d->self;
        d->estimate_mode(d->self, false);
        upload(&h, p, &p->sizes[1], inputs);
        while (!s && (r->runs < 2 || r->seconds * 1e3 < ms)) {
            double before = sim->executed, t0 = processor_time();
            s = rg_plan_run(q, p, &p->sizes[1], sigs, &ops, 0, &e);
            if (r->runs++) r->seconds += processor_time() - t0, r->instructions += sim->executed - before;
            for (; h.n > p->n_params; h.n--) d->release(d->self, h.b[h.n - 1].addr); /* scratch is the plan's own */
        }
        drop(&h);
        if (h.module) d->unload(d->self, h.module);
        r->ok = !s;
        r->rate = r->instructions / r->seconds;
    }
    if (!r->ok) snprintf(r->note, sizeof r->note, "%.200s", e.text);
    rg__compiled_release(&c);
    rg_plan_free(q);
    rg_arena_release(&arena);
    rg_buf_release(&plan);
    free(text);
}

int main(int argc, char **argv)
{
    const char *root = NULL, *only = NULL;
    double ms = 80;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--only") && i + 1 < argc) only = argv[++i];
        else if (!strcmp(argv[i], "--ms") && i + 1 < argc) ms = atof(argv[++i]);
        else if (argv[i][0] != '-' && !root) root = argv[i];
        else root = NULL, i = argc;
    }
    if (!root) {
        fprintf(stderr, "usage: sim_speed FOLDER [--only PROBLEM[/vNN]] [--ms N]\n");
        return 2;
    }
    struct rg_error e = RG_ERROR_INIT;
    struct rg_compiler compiler;
    struct rg_device d;
    setenv("RG_SIM_THREADS", "1", 1);
    if (rg__compiler_open(&compiler, &e)) die("NVRTC", &e);
    if (rg_device_open_sim("h200", &d, &e)) die("device", &e);
    static const char *const isa[] = {"SSE2", "AVX2", "AVX-512"};
    double bare_first = bare_speed(), sum = 0;
    char *problems[64], *variants[MAX_VARIANTS];
    int n_problems = listing(root, "", problems, 64), n = 0, bad = 0;
    for (int i = 0; i < n_problems; i++) {
        char *folder = rg_xasprintf("%s/%s", root, problems[i]), *pj = rg_xasprintf("%s/problem.json", folder);
        size_t plen = strlen(problems[i]);
        json_t *pr = only && (strncmp(only, problems[i], plen) || (only[plen] && only[plen] != '/')) ? NULL : json_load_file(pj, 0, NULL);
        if (pr) {
            double scalars[64] = {0}, of_problem = 0;
            struct rg_problem *p = problem_of(pr, scalars);
            char *inputs[64] = {0};
            int n_variants = listing(folder, ".cu", variants, MAX_VARIANTS), counted = 0;
            for (int k = 0; k < n_variants; k++) {
                char *path = rg_xasprintf("%s/%s", folder, variants[k]);
                struct speed r = {0};
                if (!only || !only[plen] || !strncmp(only + plen + 1, variants[k], strlen(only + plen + 1))) {
                    measure(&compiler, &d, p, scalars, path, inputs, ms, &r);
                    if (r.ok) {
                        printf("%-14s %-8s %6.2f G/s  %8.3g instructions a run, %.3f ms\n", problems[i], variants[k], r.rate * 1e-9, r.instructions / (r.runs - 1), 1e3 * r.seconds / (r.runs - 1));
                        of_problem += log(r.rate), counted++;
                    } else printf("%-14s %-8s %s\n", problems[i], variants[k], r.note), bad++;
                    fflush(stdout);
                }
                free(path);
                free(variants[k]);
            }
            if (counted) printf("%-14s geomean  %6.2f G/s\n", problems[i], exp(of_problem / counted) * 1e-9);
            sum += of_problem;
            n += counted;
            for (int k = 0; k < 64; k++) free(inputs[k]);
            rg_problem_free(p);
            json_decref(pr);
        }
        free(folder);
        free(pj);
        free(problems[i]);
    }
    double bare_last = bare_speed(), mean = n ? exp(sum / n) : 0, best = fmax(bare_first, bare_last);
    printf("%d variants, geomean %.2f G thread-instructions/s/core (%s); a bare loop of this core does %.1f and %.1f G/s: %.2f of it\n", n, mean * 1e-9, isa[((struct sim_device *)d.self)->isa], bare_first * 1e-9, bare_last * 1e-9, mean / best);
    d.free(d.self);
    rg__compiler_close(&compiler);
    return bad > 0;
}
