/* search-tables: policies replayed on recorded search spaces, at equal evaluations, over seeds.
 *   search-tables --graph G [--synthetic N] [--evals N] [--seeds N] [--draws N] [--policies a,b] [--exploration C]
 * [--mix W] [TABLE.json ...] search-tables --from-journal JOURNAL NAME -o TABLE.json
 * --set: a constant of the search (engine/params.h), in every run. --trace: the journal of the last run, as a search
 * writes it. --teachers: the tables after it only teach. --runs: a line of JSON a run is added to FILE
 * (docs/journal.md), the row named by --label; --whole 0: of runs that end where they reached it. A row gives
 * evaluations (measured vectors: a node costs what tuning it cost when it was recorded) until 95 % of the table's best
 * g (unreached: the budget), over the seeds. `learnt` is mcgs on the graph that a first mcgs run on the same table
 * taught; `others` on what the other tables taught (leave one out); `shuffled` on the first run's evidence moved to
 * random edges. --draws: `others` for so many draws of teachers, each against mcgs at the same seeds.
 */
#include "table.h"
#include <math.h>
#include <rg/buf.h>
#include <rg/rng.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct settings {
    int evals, seeds, draws, synthetic, depth, steps;
    bool whole; /* runs that are written go on to the end of the budget, too */
    double exploration, mix, share;
    const char *graph, *journal, *name, *out, *policies, *trace, *teach; /* policies: a comma list, NULL all */
    const char *label, *row;                                             /* of the runs; of the row under way */
    FILE *runs;
    int n_constants;
    const char *constants[16]; /* NAME=VALUE */
    int n_tables, cap_tables;
    struct table **tables;
    int n_judged;               /* 0: all; those after them only teach, and these don't */
    struct rg_regraph **taught; /* [draw], by the latter */
};

enum { CURVE = 256 };

struct watch {
    int reached; /* evaluations; 0 not yet */
    volatile int stop;
    double naive_us, best_us, share;
    int n_curve;
    double curve[CURVE];            /* the best after each evaluation, us */
    struct table_spent spent, then; /* all; when it was reached */
};

/* Where there is little to gain, what a measurement cannot tell from the best counts as the best. */
static void see(void *arg, const struct rg_search_progress *p)
{
    static const double same = 0.005;
    struct watch *w = arg;
    for (; p->best_us > 0 && w->n_curve < p->evaluations && w->n_curve < CURVE; w->n_curve++)
        w->curve[w->n_curve] = p->best_us;
    if (p->best_us > 0 && p->evaluations > 0 && p->evaluations <= CURVE) w->curve[p->evaluations - 1] = p->best_us;
    if (w->reached || p->best_us <= 0 || p->naive_us <= 0) return;
    double best = log(p->naive_us / w->best_us), got = log(p->naive_us / p->best_us);
    if (got >= w->share * best || got >= best - same) {
        w->reached = w->stop = p->evaluations;
        w->then = w->spent;
    }
}

/* A line for those who sum up: docs/journal.md. */
static void write_run(const struct settings *o, const struct table *t, uint64_t seed, const struct watch *w)
{
    const struct table_spent *spent = w->reached ? &w->then : &w->spent;
    fprintf(o->runs,
            "{\"table\":\"%s\",\"row\":\"%s\",\"seed\":%llu,\"budget\":%d,\"reached\":%d,\"spent\":%d,\"values\":%d,"
            "\"right_values\":%d,\"naive_us\":%.6g,\"best_us\":%.6g,\"curve\":[",
            t->name, o->label ? o->label : o->row, (unsigned long long)seed, o->evals, w->reached, spent->n,
            spent->values, spent->right_values, t->naive_us, t->best_us);
    for (int i = 0; i < w->n_curve; i++)
        if (i == 0 || w->curve[i] != w->curve[i - 1]) fprintf(o->runs, "%s[%d,%.6g]", i ? "," : "", i + 1, w->curve[i]);
    fprintf(o->runs, "]}\n");
}

/* whole: to the end of the budget, as one that learns; else until the share is reached. */
static int run(const struct settings *o, struct table *t, const struct rg_regraph *g, const char *policy, uint64_t seed,
               bool whole, struct rg_search_result *r)
{
    struct watch w = {.best_us = t->best_us,
                      .share = o->share,
                      .spent.right_us = t->naive_us * pow(t->best_us / t->naive_us, o->share)};
    struct rg_coder c = table_coder(t), *coders[] = {&c};
    if (o->teach) c.family = "poly"; /* whose candidates the tables hold */
    struct rg_evaluator ev = table_evaluator(t, &w.spent);
    char id[96];
    snprintf(id, sizeof id, "%.40s-%s-%llu", t->name, policy, (unsigned long long)seed);
    struct rg_search_options so = {.policy = policy,
                                   .seed = seed,
                                   .evals = o->evals,
                                   .in_flight = 1,
                                   .klass = t->klass,
                                   .function = t->name,
                                   .program = t->name,
                                   .run_id = id,
                                   .exploration = o->exploration,
                                   .max_mix = o->mix,
                                   .constants = o->constants,
                                   .n_constants = o->n_constants,
                                   .progress = see,
                                   .progress_arg = &w,
                                   .stop = whole ? NULL : &w.stop};
    if (o->trace) {
        remove(o->trace);
        so.journal = o->trace;
    }
    struct rg_error err = RG_ERROR_INIT;
    if (rg_search_run(&so, g, coders, 1, &ev, r, &err) != RG_OK) {
        fprintf(stderr, "search-tables: %s: %s\n", t->name, err.text);
        exit(1);
    }
    table_coder_free(&c);
    table_evaluator_free(&ev);
    if (o->runs && o->row) write_run(o, t, seed, &w);
    free(w.spent.asked);
    return w.reached && w.reached <= o->evals ? w.reached : -1;
}

static void learn(struct rg_regraph *g, const struct rg_search_result *r, const int *moved)
{
    for (int i = 0; i < r->n_rows; i++)
        rg_regraph_learn(g, moved ? moved[r->rows[i].edge] : r->rows[i].edge, &r->rows[i].row, NULL);
}

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

struct summary {
    int median, reached;
    double mean;
};

static struct summary summarize(const struct settings *o, int *x)
{
    struct summary s = {0, 0, 0};
    for (int i = 0; i < o->seeds; i++) {
        s.reached += x[i] > 0;
        if (x[i] < 0) x[i] = o->evals;
        s.mean += (double)x[i] / o->seeds;
    }
    qsort(x, (size_t)o->seeds, sizeof *x, compare);
    s.median = x[o->seeds / 2];
    return s;
}

static int *shuffle_edges(const struct rg_regraph *g, uint64_t seed)
{
    int n = rg_regraph_edges(g);
    int *p = rg_xmalloc((size_t)(n + 1) * sizeof *p);
    struct rg_rng r;
    rg_rng_seed(&r, seed);
    for (int i = 0; i < n; i++) p[i] = i;
    for (int i = n - 1; i > 0; i--) {
        int j = (int)rg_rng_below(&r, (uint64_t)i + 1), t = p[i];
        p[i] = p[j];
        p[j] = t;
    }
    return p;
}

/* A draw of teachers: each other table with a chance of two in three, or all of them in the first, by a run of that
 * seed. */
static struct rg_regraph *taught_by_others(const struct settings *o, const struct rg_regraph *g, int except, int draw)
{
    struct rg_regraph *out = rg_regraph_clone(g);
    struct rg_rng rng;
    rg_rng_seed(&rng, 99 + (uint64_t)draw);
    for (int i = o->n_judged; i < o->n_tables; i++) {
        bool teaches = rg_rng_below(&rng, 3) > 0 || draw == 0;
        if (i == except || !teaches) continue;
        struct rg_search_result r;
        struct settings quiet = *o;
        quiet.row = NULL;
        run(&quiet, o->tables[i], g, "mcgs", 777 + (uint64_t)draw, true, &r);
        learn(out, &r, NULL);
        rg_search_result_release(&r);
    }
    return out;
}

enum { LEARNT = 8, OTHERS, SHUFFLED, N_ROWS, MOST_DRAWS = 64 };
static const char *const names[N_ROWS] = {"mcgs",   "uct",        "random", "greedy", "beam",    "best-of-n",
                                          "refine", "exhaustive", "learnt", "others", "shuffled"};

static bool wanted(const struct settings *o, const char *name)
{
    size_t n = strlen(name);
    for (const char *p = o->policies; p; p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL)
        if (!strncmp(p, name, n) && (p[n] == ',' || !p[n])) return true;
    return !o->policies;
}

/* Every draw of teachers by itself: per_draw sums the logarithms over tables. */
static void bench_draws(const struct settings *o, const struct rg_regraph *g, int index, double *per_draw)
{
    int *x = rg_xmalloc((size_t)o->seeds * sizeof *x);
    for (int d = 0; d < o->draws; d++) {
        char name[32];
        snprintf(name, sizeof name, "taught %d", d);
        struct settings row = *o;
        row.row = name;
        struct rg_regraph *others = o->taught ? o->taught[d] : taught_by_others(o, g, index, d);
        for (int seed = 0; seed < o->seeds; seed++) {
            struct rg_search_result r;
            x[seed] = run(&row, o->tables[index], others, "mcgs", (uint64_t)seed + 1, false, &r);
            rg_search_result_release(&r);
        }
        per_draw[d] += log(summarize(o, x).mean) / (o->n_judged ? o->n_judged : o->n_tables);
        if (!o->taught) rg_regraph_free(others);
    }
    free(x);
}

static void bench_table(const struct settings *o, const struct rg_regraph *g, int index, double *log_mean)
{
    struct table *t = o->tables[index];
    int *x = rg_xmalloc((size_t)o->seeds * sizeof *x);
    struct rg_regraph *others = o->n_tables > 1 && wanted(o, names[OTHERS]) ? taught_by_others(o, g, index, 0) : NULL;
    int judged = o->n_judged ? o->n_judged : o->n_tables;
    printf("\n%s: %d nodes, class %s\n", t->name, t->n, t->klass);
    for (int k = 0; k < N_ROWS; k++) {
        if ((k == OTHERS && !others) || !wanted(o, names[k])) continue;
        for (int seed = 0; seed < o->seeds; seed++) {
            struct rg_search_result r;
            struct rg_regraph *taught = NULL;
            if (k == LEARNT || k == SHUFFLED) {
                run(o, t, g, "mcgs", (uint64_t)seed + 1, true, &r);
                taught = rg_regraph_clone(g);
                int *moved = k == SHUFFLED ? shuffle_edges(g, (uint64_t)seed + 1) : NULL;
                learn(taught, &r, moved);
                free(moved);
                rg_search_result_release(&r);
            }
            const struct rg_regraph *used = taught ? taught : k == OTHERS ? others : g;
            struct settings row = *o;
            row.row = names[k];
            x[seed] = run(&row, t, used, k < LEARNT ? names[k] : "mcgs", (uint64_t)seed + (k < LEARNT ? 1 : 1001),
                          o->runs != NULL && o->whole, &r);
            rg_search_result_release(&r);
            rg_regraph_free(taught);
        }
        struct summary s = summarize(o, x);
        printf("  %-10s median %4d  mean %6.1f  reached %d/%d\n", names[k], s.median, s.mean, s.reached, o->seeds);
        log_mean[k] += log(s.mean) / judged;
    }
    rg_regraph_free(others);
    free(x);
}

static void bench(const struct settings *o)
{
    struct rg_regraph *g;
    struct rg_error err = RG_ERROR_INIT;
    if (rg_regraph_load(o->graph, &g, &err) != RG_OK) {
        fprintf(stderr, "search-tables: %s\n", err.text);
        exit(3);
    }
    struct settings all = *o;
    for (int i = 0; i < o->synthetic; i++) {
        RG_GROW(all.tables, all.n_tables, all.cap_tables);
        all.tables[all.n_tables++] = table_synthetic(g, (uint64_t)i + 1, o->depth, o->steps);
    }
    double log_mean[N_ROWS] = {0}, per_draw[MOST_DRAWS] = {0};
    int judged = all.n_judged ? all.n_judged : all.n_tables;
    if (all.n_judged) all.taught = rg_xcalloc(MOST_DRAWS, sizeof *all.taught);
    for (int d = 0; d < all.draws && all.taught; d++) all.taught[d] = taught_by_others(&all, g, -1, d);
    for (int i = 0; i < judged; i++) bench_table(&all, g, i, log_mean);
    for (int i = 0; i < judged; i++) bench_draws(&all, g, i, per_draw);
    printf("\nall %d tables, %d seeds, evaluations to %.0f %% of the best g: geometric mean, against random\n", judged,
           o->seeds, 100 * o->share);
    for (int k = 0; k < N_ROWS; k++)
        if (log_mean[k] > 0)
            printf("  %-10s %7.1f  %5.2f\n", names[k], exp(log_mean[k]), exp(log_mean[k] - log_mean[2]));
    if (o->draws) printf("taught by others, against untaught, by draw of teachers:");
    for (int d = 0; d < o->draws; d++) printf(" %.3f", exp(per_draw[d] - log_mean[0]));
    if (o->draws) printf("\n");
    for (int i = 0; i < all.n_tables; i++) table_free(all.tables[i]);
    for (int d = 0; d < all.draws && all.taught; d++) rg_regraph_free(all.taught[d]);
    free(all.taught);
    free(all.tables);
    rg_regraph_free(g);
}

static int convert(const struct settings *o)
{
    struct table *t;
    struct rg_error err = RG_ERROR_INIT;
    if (table_from_journal(o->journal, o->name, &t, &err) != RG_OK || table_save(t, o->out, &err) != RG_OK) {
        fprintf(stderr, "search-tables: %s\n", err.text);
        return 3;
    }
    printf("%s: %d nodes, naive %.3f us, best %.3f us\n", o->out, t->n, t->naive_us, t->best_us);
    table_free(t);
    return 0;
}

/* The graph with what one run on each table taught it: a shard of `make teach`. */
static int teach(const struct settings *o)
{
    struct rg_regraph *g = NULL, *taught = NULL;
    struct rg_error err = RG_ERROR_INIT;
    enum rg_status st = rg_regraph_load(o->graph, &g, &err);
    if (st == RG_OK) taught = taught_by_others(o, g, -1, 0);
    if (st == RG_OK) st = rg_regraph_save(taught, o->teach, &err);
    if (st != RG_OK) fprintf(stderr, "search-tables: %s\n", err.text);
    rg_regraph_free(taught);
    rg_regraph_free(g);
    for (int i = 0; i < o->n_tables; i++) table_free(o->tables[i]);
    free(o->tables);
    return st == RG_OK ? 0 : 3;
}

static int usage(void)
{
    fprintf(
        stderr,
        "search-tables --graph G [--synthetic N] [--evals N] [--seeds N] [--draws N] [--exploration C] [--mix W] "
        "[--share S] [--set NAME=VALUE]... [--policies a,b] [--trace JOURNAL] [--runs FILE [--label ROW] [--whole 0]] "
        "[TABLE.json ...] [--teachers TABLE.json ...]\nsearch-tables --graph G --teach NEW.json TABLE.json "
        "...\nsearch-tables "
        "--from-journal JOURNAL NAME -o TABLE.json\n");
    return 2;
}

int main(int argc, char **argv)
{
    struct settings o = {.evals = 200, .seeds = 20, .mix = -1, .share = 0.95, .depth = 5, .steps = 12, .whole = true};
    struct rg_error err = RG_ERROR_INIT;
    for (int i = 1; i < argc; i++) {
        const char *a = argv[i], *v = i + 1 < argc ? argv[i + 1] : NULL;
        if (*a != '-') {
            struct table *t;
            if (table_load(a, &t, &err) != RG_OK) {
                fprintf(stderr, "search-tables: %s\n", err.text);
                return 3;
            }
            RG_GROW(o.tables, o.n_tables, o.cap_tables);
            o.tables[o.n_tables++] = t;
            continue;
        }
        if (!strcmp(a, "--teachers")) {
            o.n_judged = o.n_tables;
            continue;
        }
        if (!v) return usage();
        i++;
        if (!strcmp(a, "--graph"))
            o.graph = v;
        else if (!strcmp(a, "--synthetic"))
            o.synthetic = atoi(v);
        else if (!strcmp(a, "--evals"))
            o.evals = atoi(v);
        else if (!strcmp(a, "--seeds"))
            o.seeds = atoi(v);
        else if (!strcmp(a, "--whole"))
            o.whole = atoi(v) != 0;
        else if (!strcmp(a, "--depth"))
            o.depth = atoi(v);
        else if (!strcmp(a, "--steps"))
            o.steps = atoi(v);
        else if (!strcmp(a, "--draws"))
            o.draws = atoi(v) < MOST_DRAWS ? atoi(v) : MOST_DRAWS;
        else if (!strcmp(a, "--exploration"))
            o.exploration = atof(v);
        else if (!strcmp(a, "--mix"))
            o.mix = atof(v);
        else if (!strcmp(a, "--share"))
            o.share = atof(v);
        else if (!strcmp(a, "--set") && o.n_constants < 16)
            o.constants[o.n_constants++] = v;
        else if (!strcmp(a, "--trace"))
            o.trace = v;
        else if (!strcmp(a, "--teach"))
            o.teach = v;
        else if (!strcmp(a, "--label"))
            o.label = v;
        else if (!strcmp(a, "--runs")) {
            if (!(o.runs = fopen(v, "a"))) {
                fprintf(stderr, "search-tables: cannot write '%s'\n", v);
                return 3;
            }
        } else if (!strcmp(a, "--policies"))
            o.policies = v;
        else if (!strcmp(a, "-o"))
            o.out = v;
        else if (!strcmp(a, "--from-journal") && i + 1 < argc) {
            o.journal = v;
            o.name = argv[++i];
        } else
            return usage();
    }
    if (o.journal) return o.out ? convert(&o) : usage();
    if (!o.graph || o.seeds < 1 || (o.n_tables + o.synthetic) == 0) return usage();
    if (o.teach) return teach(&o);
    bench(&o);
    if (o.runs && fclose(o.runs) != 0) return 3;
    return 0;
}
