#include "cmd/search.h"
#include <math.h>
#include <rg/file.h>
#include <rg/plan.h>
#include <stdlib.h>
#include <string.h>

static const char *time_text(double us, char out[32])
{
    if (us < 1e3)
        snprintf(out, 32, "%.4g us", us);
    else if (us < 1e6)
        snprintf(out, 32, "%.4g ms", us * 1e-3);
    else
        snprintf(out, 32, "%.4g s", us * 1e-6);
    return out;
}

double search_sol_fraction(const struct search_session *s)
{
    double sol = rg_farm_info(s->farm)->sol_ms;
    return sol > 0 && s->result.best ? sol * 1e3 / s->result.evaluation.time_us : NAN;
}

/* An estimated time never meets a measured one in a ratio. */
double search_vs_sequential(const struct search_session *s)
{
    const struct rg_farm_info *i = rg_farm_info(s->farm);
    return !i->estimated && i->sequential_ms > 0 && s->result.best
               ? i->sequential_ms * 1e3 / s->result.evaluation.time_us
               : NAN;
}

double search_vs_threads(const struct search_session *s)
{
    const struct rg_farm_info *i = rg_farm_info(s->farm);
    return !i->estimated && i->baseline_ms > 0 && s->result.best ? i->baseline_ms * 1e3 / s->result.evaluation.time_us
                                                                 : NAN;
}

int search_accepted(const struct search_session *s)
{
    int64_t n = 0;
    const char *model = s->has_llm ? s->coders[s->n_coders - 1].family : NULL; /* what its evidence is kept under */
    for (int i = 0; model && i < s->result.n_rows; i++)
        if (s->result.rows[i].row.coder && !strcmp(s->result.rows[i].row.coder, model)) n += s->result.rows[i].row.ok;
    return (int)n;
}

/* Money over what it bought: naive / best as a power of two. A best that is no faster bought nothing. */
double search_cost_per_gain(const struct search_session *s)
{
    struct rg_llm_usage u;
    const struct rg_search_result *r = &s->result;
    if (!s->has_llm || !r->best || r->naive_us <= 0) return NAN;
    rg_llm_usage(&s->coders[s->n_coders - 1], &u);
    double gain = log2(r->naive_us / r->evaluation.time_us);
    return u.cost >= 0 && gain > 0 ? u.cost / gain : NAN;
}

/* What the model took and gave. */
static void model_report(const struct search_session *s)
{
    if (!s->has_llm) return;
    struct rg_llm_usage u;
    rg_llm_usage(&s->coders[s->n_coders - 1], &u);
    printf("  model       %d calls", u.calls);
    if (u.replayed) printf(" (%d from the record)", u.replayed);
    if (u.repairs) printf(", %d repairs", u.repairs);
    printf(", %lld tokens in, %lld out", (long long)u.prompt_tokens, (long long)u.completion_tokens);
    if (u.cached_tokens) printf(", %lld cached", (long long)u.cached_tokens);
    int accepted = search_accepted(s);
    printf("; %d of its steps verified", accepted);
    if (u.cost > 0) printf("; $%.4f", u.cost);
    if (u.cost > 0 && accepted) printf(", $%.4f a verified step", u.cost / accepted);
    double per = search_cost_per_gain(s);
    if (u.cost > 0 && isfinite(per)) printf(", $%.4f a halving of the time", per);
    printf("\n");
}

void search_chain(const struct search_session *s, struct rg_buf *out)
{
    const struct rg_template *t = s->result.best;
    for (int i = 0; i < s->result.n_chain; i++)
        rg_buf_printf(out, "%s%s@%s", i ? ", " : "", s->result.chain[i].step, s->result.chain[i].site);
    if (!s->result.n_chain) rg_buf_str(out, strcmp(t->coder, "given") ? "(none)" : "(as given)");
    if (t->tunables.n) {
        rg_buf_str(out, " {");
        rg_vector_print(out, &t->tunables, &s->result.vector);
        rg_buf_char(out, '}');
    }
}

const struct rg_prepared *search_prepared_list(const struct search_session *s, int *n)
{
    const struct rg_template *t = s->result.best;
    *n = 0;
    return s->has_poly && (!t || !strcmp(t->coder, "poly")) ? rg_poly_prepared(&s->coders[0], n) : NULL;
}

void search_prepared(const struct search_session *s, struct rg_buf *out)
{
    int n;
    const struct rg_prepared *p = search_prepared_list(s, &n);
    for (int i = 0; i < n; i++)
        rg_buf_printf(out, "%s%s@loop:%s", i ? ", " : "", rg_preparation_word(p[i].what), p[i].loop);
}

static bool line_open; /* a progress line without its newline is on the terminal */

void search_progress_end(void)
{
    if (line_open) fputs("\r\033[K", stderr);
    line_open = false;
}

/* "62 of 200", seconds left by the slower of what ends the run: its evaluations at the rate so far, or its time. */
static double left_s(const struct search_session *s, const struct rg_search_progress *p)
{
    double by_time = s->o.time > 0 ? s->o.time - (rg_now() - s->began) : INFINITY, by_evals = INFINITY;
    if (s->o.evals > 0 && p->evaluations > 0)
        by_evals = p->seconds / p->evaluations * (double)(s->o.evals - p->evaluations);
    double left = by_time < by_evals ? by_time : by_evals;
    return left > 0 ? left : 0;
}

/* What is said most of, first: the line of a narrow terminal ends where its columns do. */
static void progress_line(const struct search_session *s, const struct rg_search_progress *p, bool terminal,
                          struct rg_buf *b)
{
    bool narrow = terminal && rg_cmd_columns(stderr) < 80;
    char t[32] = "none yet";
    const struct rg_farm_info *i = rg_farm_info(s->farm);
    double sol = i->sol_ms * 1e3, left = left_s(s, p);
    rg_buf_printf(b, "%4d", p->evaluations);
    if (s->o.evals > 0 && !s->o.apply) rg_buf_printf(b, " of %lld", (long long)s->o.evals);
    rg_buf_printf(b, terminal ? "  %.0f s" : " evaluations  %5.1f s", p->seconds);
    if (p->best_us > 0) time_text(p->best_us, t);
    rg_buf_printf(b, narrow ? "  %s" : "  best %s", t);
    if (!narrow && sol > 0 && p->best_us > 0) rg_buf_printf(b, " (%.0f%% of the floor)", 100 * sol / p->best_us);
    if (i->estimated) rg_buf_str(b, narrow ? " est." : " estimated");
    rg_buf_printf(b, "  %s", p->action ? p->action : "");
    if (isfinite(left) && !s->o.apply) rg_buf_printf(b, "  at most %.0f s left", left);
}

void search_progress(void *session, const struct rg_search_progress *p)
{
    struct search_session *s = session;
    static double last_line;
    static int last_evaluations;
    search_live(s);
    if (s->o.quiet) return;
    bool terminal = rg_cmd_terminal(stderr);
    if (!terminal && !p->new_best && (p->seconds - last_line < 10 || p->evaluations == last_evaluations)) return;
    last_line = p->seconds;
    last_evaluations = p->evaluations;
    struct rg_buf line = RG_BUF_INIT;
    progress_line(s, p, terminal, &line);
    if (terminal) {
        fprintf(stderr, "\r\033[K%.*s", rg_cmd_columns(stderr) - 1, line.data);
        line_open = true;
        fflush(stderr);
    } else {
        fprintf(stderr, "%s\n", line.data);
    }
    rg_buf_release(&line);
}

/* Sizes that the kernel has as constants. */
static void specialised(const struct search_session *s)
{
    const struct rg_problem *p = s->problem;
    bool any = false;
    for (int i = 0; i < p->n_params; i++) {
        int64_t v;
        if (p->params[i].kind != RG_PARAM_SCALAR || !rg_problem_fixed(p, i, &v)) continue;
        printf(any ? ", %s=%lld" : "\n  specialised for %s=%lld", rg_param_shown(&p->params[i]), (long long)v);
        any = true;
    }
    if (any) printf(": the exported functions refuse other sizes");
}

static void outcomes(const struct search_session *s, struct rg_buf *b)
{
    for (int i = 0; i < RG_N_OUTCOMES; i++)
        if (s->result.outcomes[i])
            rg_buf_printf(b, "%s%d %s", b->len ? ", " : "", s->result.outcomes[i], rg_outcome_word(i));
}

/* What estimates kept from being timed, and how that was borne out. */
static void pruning(const struct search_session *s)
{
    const struct rg_farm_info *i = rg_farm_info(s->farm);
    const struct rg_search_result *r = &s->result;
    if (i->estimated) return;
    printf("  pruning     %s\n", i->prune);
    if (i->prunes)
        printf("              %d pruned; %d more timed all the same, %d of them faster than estimated\n",
               r->outcomes[RG_OUTCOME_PRUNED], r->prune_measured, r->prune_missed);
}

static void told_stopped(const struct search_session *s, int code)
{
    if (code > 128) printf("  Stopped by signal %d; regraph-search --resume %s goes on.\n", code - 128, s->out_dir);
}

/* What the chip itself counted while the best ran, the few that say most; else why not. */
static void hardware(const struct rg_farm_info *i, const struct rg_evaluation *e)
{
    static const struct {
        const char *name, *words;
    } shown[] = {{"hw_dram_pct", "DRAM %.0f %%"},
                 {"hw_sm_pct", "SM %.0f %%"},
                 {"hw_issue_pct", "issue slots %.0f %%"},
                 {"hw_occupancy_pct", "occupancy %.0f %%"},
                 {"hw_l1_hit_pct", "L1 hits %.0f %%"},
                 {"hw_l2_hit_pct", "L2 hits %.0f %%"},
                 {"hw_bank_conflicts", "%.3g bank conflicts"}};
    if (i->estimated) return;
    bool any = false;
    for (size_t k = 0; k < sizeof shown / sizeof *shown; k++) {
        double v = rg_evaluation_counter(e, shown[k].name);
        if (isnan(v)) continue;
        fputs(any ? ", " : "  counters    ", stdout);
        printf(shown[k].words, v);
        any = true;
    }
    for (int k = 0; k < e->n_counters && any; k++)
        if (!strncmp(e->counters[k].name, "hw_stall_", 9))
            printf(", %s %.1f", e->counters[k].name + 9, e->counters[k].value);
    if (any)
        putchar('\n');
    else
        printf("  counters    %s\n", i->hardware_counters);
}

/* Where the C's own results are good to less than is asked of kernels, or do not depend on its inputs alone. */
static void uncertainty(const struct rg_farm_info *i)
{
    if (i->loose) {
        double digits = floor(i->digits);
        printf("  accuracy    your C gives ");
        if (digits < 1)
            printf("not one digit");
        else
            printf("%.0f digit%s", digits, digits == 1 ? "" : "s");
        printf(" of %s at %s: so far it moves when its operations are rounded otherwise or its inputs are half an ulp "
               "away.\n",
               i->digits_of, i->digits_at);
        printf("              Kernels are held to 8 times that, no closer. For more %schoose inputs for which the "
               "problem is better conditioned (--input, --init)\n",
               i->wider_helps ? "compute in double, or " : "");
    }
    if (i->undetermined)
        printf("  accuracy    not determined by your C at this input: %lld value%s of %s at %s come%s out differently "
               "when it rounds otherwise\n",
               (long long)i->undetermined, i->undetermined == 1 ? "" : "s", i->undetermined_of, i->undetermined_at,
               i->undetermined == 1 ? "s" : "");
}

/* Results of the C that kernels are compared with though they are no numbers. */
static void not_numbers(const struct rg_farm_info *i)
{
    if (i->n_nan)
        printf("  accuracy    %lld of %lld results of the C are NaN (%s at %s); compared as NaN\n", (long long)i->n_nan,
               (long long)i->odd_of_n, i->odd_of, i->odd_at);
    if (i->n_infinite)
        printf("  accuracy    %lld of %lld results of the C are infinite (%s at %s); compared as infinite\n",
               (long long)i->n_infinite, (long long)i->odd_of_n, i->odd_of, i->odd_at);
}

/* What it brings: a call with its transfers, and after how many such calls the search has paid off. */
static void gains(const struct search_session *s)
{
    const struct rg_farm_info *i = rg_farm_info(s->farm);
    const char *how;
    char t[32];
    double transfer = search_transfer_ms(s, &how), call = search_call_ms(s), calls = search_break_even(s);
    if (isnan(call)) return;
    printf("  transfers   %s", time_text(transfer * 1e3, t));
    printf("; a call with them %s (%s%s)", time_text(call * 1e3, t), how,
           i->estimated ? ", at the PCIe rate of the device file" : "");
    if (isfinite(calls))
        printf("; after %s%.0f call%s the search has paid off",
               i->sequential_how == RG_SEQUENTIAL_AT_LEAST ? "at most " : "", calls, calls == 1 ? "" : "s");
    else if (i->sequential_ms > 0 && i->sequential_how != RG_SEQUENTIAL_AT_LEAST)
        printf("; no faster than your C: keep the data on the device");
    printf("\n");
}

void search_report(const struct search_session *s, int code)
{
    const struct rg_search_result *r = &s->result;
    const struct rg_farm_info *i = rg_farm_info(s->farm);
    const char *est = i->estimated ? " (estimated)" : "";
    struct rg_buf b = RG_BUF_INIT;
    char t[32];
    printf("%s  %s\n", rg_cmd_paint(stdout, "1", s->problem->function), i->device);
    printf("  sizes       ");
    const struct rg_sizes *z = &s->problem->sizes[0];
    for (int k = 0; k < s->problem->n_size_params; k++)
        printf("%s%s=%lld", k ? ", " : "", rg_param_shown(&s->problem->params[s->problem->size_params[k]]),
               (long long)z->values[k]);
    if (!s->problem->n_size_params) printf("fixed");
    specialised(s);
    outcomes(s, &b);
    printf("\n  evaluated   %d candidate%s: %s\n", r->evaluations, r->evaluations == 1 ? "" : "s",
           b.len ? b.data : "none");
    rg_buf_reset(&b);
    pruning(s);
    if (i->sequential_ms >= 0)
        printf("  sequential  %s on one CPU core (%s%s%s)\n", time_text(i->sequential_ms * 1e3, t),
               rg_sequential_word(i->sequential_how),
               i->sequential_how == RG_SEQUENTIAL_AT_LEAST       ? ": it was stopped then"
               : i->sequential_how == RG_SEQUENTIAL_EXTRAPOLATED ? " by work from "
                                                                 : "",
               i->sequential_how == RG_SEQUENTIAL_EXTRAPOLATED ? i->sequential_from : "");
    if (i->baseline_ms >= 0)
        printf("  %3d threads %s with OpenMP%s%s\n", i->baseline_threads, time_text(i->baseline_ms * 1e3, t),
               i->baseline_note[0] ? ", " : "", i->baseline_note);
    else if (i->baseline_threads)
        printf("  threads     %s\n", i->baseline_note);
    if (i->init_missed)
        printf("  inputs      %s works at the timed size alone: random inputs stand for what it fills at %d other "
               "size%s\n",
               s->problem->init_function, i->init_missed, i->init_missed == 1 ? "" : "s");
    if (s->problem->extent_note) printf("  extents     %s\n", s->problem->extent_note);
    if (s->problem->size_note) printf("  inputs      %s\n", s->problem->size_note);
    if (s->problem->init_note) printf("  inputs      %s\n", s->problem->init_note);
    if (search_idle(s))
        printf(
            "  inputs      your C does hardly anything on them: %s, where its loops allow %.3g accesses. Choose inputs "
            "on which it goes on (--input, --init)\n",
            time_text(i->sequential_ms * 1e3, t), s->problem->sizes[0].work);
    uncertainty(i);
    not_numbers(i);
    if (r->naive_us > 0) printf("  naive       %s%s\n", time_text(r->naive_us, t), est);
    if (!r->best) {
        printf("  best        none verified\n");
        model_report(s);
        told_stopped(s, code);
        rg_buf_release(&b);
        return;
    }
    printf("  best        %s%s", rg_cmd_paint(stdout, "1;32", time_text(r->evaluation.time_us, t)), est);
    if (r->naive_us > 0) printf(", %.2fx naive", r->naive_us / r->evaluation.time_us);
    double vs = search_vs_sequential(s), sol = search_sol_fraction(s);
    if (isfinite(vs))
        printf(", %s%.1fx sequential", i->sequential_how == RG_SEQUENTIAL_AT_LEAST ? "at least " : "", vs);
    if (isfinite(search_vs_threads(s))) printf(", %.1fx %d threads", search_vs_threads(s), i->baseline_threads);
    if (isfinite(sol)) printf(", %.0f%% of speed of light", 100 * sol);
    search_chain(s, &b);
    printf("\n  steps       %s\n", b.data);
    rg_buf_reset(&b);
    search_live_chain(s, &b);
    fputs(b.data, stdout);
    rg_buf_reset(&b);
    gains(s);
    search_parallel_report(s, code);
    if (rg_evaluation_counter(&r->evaluation, "race_checked") == 0)
        printf("  races       not checked: %s\n", i->race_checks);
    if (s->problem->assumed) printf("  assumed     %s\n", s->problem->assumed);
    if (isfinite(r->evaluation.max_error)) {
        unsigned allow = s->problem->allow;
        printf("  verified    largest error %.3g%s%s%s\n", r->evaluation.max_error, allow ? " (allowed: " : "",
               allow == (RG_ALLOW_TF32 | RG_ALLOW_FAST_MATH) ? "tf32, fast-math"
               : allow == RG_ALLOW_TF32                      ? "tf32"
               : allow                                       ? "fast-math"
                                                             : "",
               allow ? ")" : "");
    } else
        printf("  verified    yes\n");
    if (i->left_out[0])
        printf("              not at %s\n", i->left_out);
    else if (rg_farm_doubts(s->farm, &r->source))
        printf("              not at every size: the run ended before\n");
    hardware(i, &r->evaluation);
    if (s->best_path) {
        struct rg_buf use = RG_BUF_INIT;
        printf("  files       %s (and best.h, check.c, Makefile, certificate.json, journal.jsonl beside it)\n",
               s->best_path);
        rg_export_use(&use, s->problem, s->out_dir);
        if (code != 1) printf("  use         %s\n", use.data); /* 1: the C is faster */
        rg_buf_release(&use);
    }
    if (s->live && !search_live_failed(s)) printf("  report      %s/report.html\n", s->out_dir);
    model_report(s);
    if (s->o.evidence && !s->learn_failed) printf("  evidence    %s\n", s->o.evidence);
    if (s->o.learn && !s->learn_failed) printf("  learnt      %d edges of %s\n", s->edges_updated, s->graph_path);
    told_stopped(s, code);
    rg_buf_release(&b);
}
