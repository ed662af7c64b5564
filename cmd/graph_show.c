/* regraph-graph show: for people, as CSV or JSON. */
#include "cmd/graph_view.h"

#include <math.h>
#include <rg/regraph_tools.h>
#include <stdlib.h>
#include <string.h>

/* ---- edges ---- */

static void print_heads(const char *first)
{
    printf("  %-22s %6s = %5s + %6s + %5s + %5s   %6s %7s %5s %4s\n", first, "score", "prior", "learnt", "bonus", "way",
           "chance", "gain", "seen", "led");
}

static void print_legend(void)
{
    printf("\nscore: what a search chooses by, the sum of the next four (no unit; +1 is e times as likely). prior: the "
           "opinion alone.\n"
           "learnt: what evidence changed. bonus: for being little known. way: for leading runs to their best.\n"
           "chance: that it works. gain: times as fast when it does. seen: observations. led: runs. `!`: barred "
           "(never).\n");
}

static void print_line(const struct rg_regraph *g, int index, const struct rg_weight *w, const char *name)
{
    const struct rg_edge *e = rg_regraph_edge(g, index);
    bool barred = e->never || rg_regraph_step(g, e->to)->never || (e->from >= 0 && rg_regraph_step(g, e->from)->never);
    printf("%c %-22s %6.2f = %5.2f + %6.2f + %5.2f + %5.2f   %4.0f %% %6.2fx %5lld %4lld\n", barred ? '!' : ' ', name,
           w->score, w->prior, w->learnt, w->bonus, w->way, 100 * w->p_ok, exp(w->gain), (long long)graph_seen(e),
           (long long)graph_led(e));
}

/* Edges out of (or into) a step, best score first. */
static void print_edges(const struct rg_regraph *g, int step, const struct graph_view *v, bool into)
{
    int n = rg_regraph_edges(g);
    const struct rg_circumstances at = graph_view_at(v);
    struct graph_rows rows = {0, rg_xcalloc((size_t)n + 1, sizeof *rows.edges),
                              rg_xcalloc((size_t)n + 1, sizeof *rows.weights)};
    for (int i = 0; i < n; i++) {
        const struct rg_edge *e = rg_regraph_edge(g, i);
        if ((into ? e->to : e->from) != step) continue;
        rg_regraph_weigh(g, i, &at, NULL, &rows.weights[rows.n]);
        rows.edges[rows.n++] = i;
    }
    graph_rows_best_first(&rows);
    if (rows.n) print_heads("");
    for (int i = 0; i < rows.n; i++) {
        const struct rg_edge *e = rg_regraph_edge(g, rows.edges[i]);
        print_line(g, rows.edges[i], &rows.weights[i], graph_step_name(g, into ? e->from : e->to));
    }
    graph_rows_release(&rows);
}

/* ---- one step ---- */

static void print_field(const char *name, const char *text)
{
    if (text && *text) printf("%-13s %s\n", name, text);
}

static void print_words(const char *name, uint32_t bits, int count, const char *(*word)(int))
{
    if (!bits) return;
    printf("%-13s", name);
    for (int i = 0; i < count; i++)
        if (bits >> i & 1) printf(" %s", word(i));
    printf("\n");
}

static const char *limiter_word(int i)
{
    return rg_limiter_word((enum rg_limiter)i);
}

static void print_step(const struct rg_regraph *g, int index, const struct graph_view *v)
{
    static const char *const change[] = {"", " appears", " rises", " falls", " disappears", " changes"};
    const struct rg_step *s = rg_regraph_step(g, index);
    printf("%s - %s\n", rg_cmd_paint(stdout, "1", s->id), s->title);
    print_field("category", s->category);
    print_words("when", s->when, RG_N_TRAITS, rg_trait_word);
    print_words("limiter", s->limiters, RG_N_LIMITERS, limiter_word);
    print_field("once", s->once == RG_ONCE_SITE ? "a site" : s->once == RG_ONCE_CANDIDATE ? "a candidate" : NULL);
    static const char *const needs[] = {NULL, "code", "several launches", "that nothing has verified",
                                        "to be the best so far"};
    print_field("needs", needs[s->needs]);
    for (int i = 0; i < s->tunables.n; i++) {
        const struct rg_tunable *t = &s->tunables.items[i];
        printf("%-13s %s in", i ? "" : "tunables", t->name);
        for (int k = 0; k < t->n_values; k++) printf(" %lld", (long long)t->values[k]);
        printf(", from %lld\n", (long long)t->start);
    }
    for (int i = 0; i < s->tunables.n_constraints; i++) {
        struct rg_buf b = RG_BUF_INIT;
        rg_expr_print(&b, s->tunables.constraints[i], NULL, NULL);
        print_field(i ? "" : "require", b.data);
        rg_buf_release(&b);
    }
    print_field("poly", s->poly);
    print_field("hint", s->hint);
    print_field("precondition", s->precondition);
    if (s->check_pattern) printf("%-13s /%s/%s\n", "check", s->check_pattern, change[s->check_change]);
    if (s->example_before) printf("before:\n%s\nafter:\n%s\n", s->example_before, s->example_after);
    print_field("source", s->source);
    if (s->never) print_field("never", "no search takes it");
    printf("\nfollows:\n");
    print_edges(g, index, v, true);
    printf("\nis followed by:\n");
    print_edges(g, index, v, false);
    print_legend();
}

/* ---- one edge ---- */

static void print_weight(const struct rg_edge *e, const struct rg_weight *w)
{
    printf("%-13s %.3f  (no unit), the sum of\n", "score", w->score);
    printf("  %-11s %+.3f  the opinion alone: %.15g of success, then ln gain %.3f, worth %.15g observations\n", "prior",
           w->prior, e->prior, e->prior * log(2), e->confidence);
    printf("  %-11s %+.3f  evidence: chance %.3f, then ln gain %.3f +- %.3f (%.2fx), from %.1f observations\n",
           "learnt", w->learnt, w->p_ok, w->gain, w->sigma, exp(w->gain), w->n);
    printf("  %-11s %+.3f  for being little known\n", "bonus", w->bonus);
    printf("  %-11s %+.3f  led %.2f of %.2f runs to their best\n", "way", w->way, w->lead, w->runs);
}

static const char *or_dash(const char *s)
{
    return s && *s ? s : "-";
}

static void print_row(const struct rg_evidence *r, const struct rg_circumstances *at)
{
    char runs[32];
    snprintf(runs, sizeof runs, r->n_runs ? "%d runs" : "%.0d%.16s", r->n_runs, r->n_runs ? "" : r->run);
    printf("  %-10s %-10s %-12s %-16s %-8s %-16s x%-5.3g %5lld ok of %-5lld", or_dash(r->origin.date), r->device,
           r->klass, or_dash(r->program), r->coder, runs, rg_evidence_relevance(r, at, NULL), (long long)r->ok,
           (long long)r->n);
    if (r->ok)
        printf(" mean %.2fx, at most %.2fx", exp((double)r->sum * 1e-6 / (double)r->ok), exp((double)r->max * 1e-6));
    for (int k = 0; k < RG_N_OUTCOMES; k++)
        if (r->fail[k]) printf(", %s %lld", rg_outcome_word((enum rg_outcome)k), (long long)r->fail[k]);
    if (r->refused) printf(", refused %lld", (long long)r->refused);
    if (r->lead) printf(", led %lld", (long long)r->lead);
    for (int k = 0; k < r->n_tuned; k++)
        printf("%s%s=%lld", k ? " " : ", with ", r->tuned[k].name, (long long)r->tuned[k].value);
    if (r->origin.machine && *r->origin.machine) printf(", on %s", r->origin.machine);
    if (r->origin.version && *r->origin.version) printf(" by %s", r->origin.version);
    printf("\n");
}

static const char *group_of(const struct rg_evidence *r, const char *by)
{
    const char *s = !strcmp(by, "device")    ? r->device
                    : !strcmp(by, "class")   ? r->klass
                    : !strcmp(by, "coder")   ? r->coder
                    : !strcmp(by, "program") ? r->program
                                             : r->origin.date;
    return or_dash(s);
}

/* The rows that have one thing in common, added up. */
static void print_groups(const struct rg_edge *e, const char *by)
{
    printf("\n%-24s %6s %6s %6s %9s %9s %5s\n", by, "rows", "n", "ok", "mean", "at most", "led");
    for (int i = 0; i < e->n_evidence; i++) {
        const char *group = group_of(&e->evidence[i], by);
        bool told = false;
        for (int k = 0; k < i && !told; k++) told = !strcmp(group, group_of(&e->evidence[k], by));
        if (told) continue;
        int64_t rows = 0, n = 0, ok = 0, lead = 0;
        double sum = 0, max = -INFINITY;
        for (int k = i; k < e->n_evidence; k++) {
            const struct rg_evidence *r = &e->evidence[k];
            if (strcmp(group, group_of(r, by))) continue;
            rows++;
            n += r->n;
            ok += r->ok;
            lead += r->lead;
            sum += (double)r->sum * 1e-6;
            if (r->ok && (double)r->max * 1e-6 > max) max = (double)r->max * 1e-6;
        }
        printf("%-24s %6lld %6lld %6lld ", group, (long long)rows, (long long)n, (long long)ok);
        if (ok)
            printf("%8.2fx %8.2fx", exp(sum / (double)ok), exp(max));
        else
            printf("%9s %9s", "-", "-");
        printf(" %5lld\n", (long long)lead);
    }
}

static void print_edge(const struct rg_regraph *g, int index, const struct graph_view *v, const char *by)
{
    const struct rg_edge *e = rg_regraph_edge(g, index);
    const struct rg_circumstances at = graph_view_at(v);
    struct rg_weight w;
    rg_regraph_weigh(g, index, &at, NULL, &w);
    printf("%s -> %s\n", graph_step_name(g, e->from), graph_step_name(g, e->to));
    if (e->never) print_field("never", "no search takes it");
    if (e->note && e->author && e->date)
        printf("%-13s %s (%s, %s)\n", "note", e->note, e->author, e->date);
    else
        print_field("note", e->note);
    print_weight(e, &w);
    if (by) {
        print_groups(e, by);
        return;
    }
    if (e->n_evidence) printf("\nevidence (x: what one observation counts for here)\n");
    for (int i = 0; i < e->n_evidence; i++) print_row(&e->evidence[i], &at);
}

/* ---- the graph, and lists of edges ---- */

static int print_graph(const struct rg_regraph *g, const bool *steps, const struct graph_view *v)
{
    struct rg_error err = RG_ERROR_INIT;
    struct rg_regraph_shape s;
    if (rg_regraph_shape(g, &s, &err) != RG_OK) return rg_cmd_fail(&err);
    int64_t seen = 0;
    int n_poly = 0;
    for (int i = 0; i < rg_regraph_edges(g); i++) seen += graph_seen(rg_regraph_edge(g, i));
    for (int i = 0; i < s.n_steps; i++) n_poly += rg_regraph_step(g, i)->poly != NULL;
    printf("%s: %d steps (%d of them the built-in coder can do), %d edges, %lld observations\n",
           rg_cmd_paint(stdout, "1", rg_regraph_name(g)), s.n_steps, n_poly, rg_regraph_edges(g), (long long)seen);
    printf("\n%-5s %-6s %-20s %-14s %s\n", "depth", "centre", "step", "category", "title");
    int *order = rg_xcalloc((size_t)s.n_steps + 1, sizeof *order), n = 0;
    for (int depth = 1; depth <= s.n_steps + 1 && n < s.n_steps; depth++) /* those that can't be reached last */
        for (int i = 0; i < s.n_steps; i++)
            if (s.depth[i] == (depth <= s.n_steps ? depth : -1)) order[n++] = i;
    for (int k = 0; k < n; k++) {
        const struct rg_step *p = rg_regraph_step(g, order[k]);
        if (!steps[order[k]]) continue;
        if (s.depth[order[k]] > 0)
            printf("%5d", s.depth[order[k]]);
        else
            printf("%5s", "-");
        printf(" %5.1f%% %-20s %-14s %s%s\n", 100 * s.centrality[order[k]], p->id, p->category,
               p->never ? "(never) " : "", p->title);
    }
    free(order);
    rg_regraph_shape_release(&s);
    printf("\n@start is followed by:\n");
    print_edges(g, -1, v, false);
    print_legend();
    return RG_EXIT_OK;
}

struct selection { /* which edges of the graph are listed */
    bool best, untried, never_helped;
    int64_t most;
};

/* Tried, and no attempt gained a hundredth, nor did it lead anywhere. */
static bool never_helped(const struct rg_edge *e)
{
    bool helped = false;
    for (int i = 0; i < e->n_evidence; i++)
        helped = helped || e->evidence[i].lead > 0 || (e->evidence[i].ok > 0 && e->evidence[i].max > 10000);
    return graph_seen(e) > 0 && !helped;
}

static void select_rows(const struct rg_regraph *g, struct graph_rows *rows, const struct selection *s)
{
    int n = 0;
    graph_rows_best_first(rows);
    for (int i = 0; i < rows->n; i++) {
        const struct rg_edge *e = rg_regraph_edge(g, rows->edges[i]);
        if ((s->untried && graph_seen(e) > 0) || (s->never_helped && !never_helped(e)) || (s->most && n >= s->most))
            continue;
        rows->edges[n] = rows->edges[i];
        rows->weights[n++] = rows->weights[i];
    }
    rows->n = n;
}

static void print_list(const struct rg_regraph *g, const struct graph_rows *rows)
{
    if (!rows->n) {
        printf("no such edge\n");
        return;
    }
    printf("%-22s", "");
    print_heads("");
    for (int i = 0; i < rows->n; i++) {
        const struct rg_edge *e = rg_regraph_edge(g, rows->edges[i]);
        printf("%-22s", graph_step_name(g, e->from));
        print_line(g, rows->edges[i], &rows->weights[i], graph_step_name(g, e->to));
    }
    print_legend();
}

/* Lists and machine-readable forms: of the edges of one step, of one edge, or of all that the filters leave. */
static int print_rows(const struct rg_regraph *g, const bool *steps, const struct graph_view *v, const int *at,
                      int n_at, int edge, const struct selection *select, bool json, bool csv)
{
    struct graph_rows rows;
    struct rg_buf text = RG_BUF_INIT;
    graph_view_rows(g, v, steps, &rows);
    int n = 0;
    for (int i = 0; i < rows.n; i++) {
        const struct rg_edge *e = rg_regraph_edge(g, rows.edges[i]);
        if (n_at == 1 && e->from != at[0] && e->to != at[0]) continue;
        if (n_at == 2 && rows.edges[i] != edge) continue;
        rows.edges[n] = rows.edges[i];
        rows.weights[n++] = rows.weights[i];
    }
    rows.n = n;
    if (select->best || select->untried || select->never_helped) select_rows(g, &rows, select);
    if (json)
        graph_json(g, steps, &rows, v, edge, &text);
    else if (csv && n_at == 2)
        graph_csv_evidence(g, edge, v, &text);
    else if (csv)
        graph_csv_edges(g, &rows, &text);
    else
        print_list(g, &rows);
    fwrite(text.data, 1, text.len, stdout);
    rg_buf_release(&text);
    graph_rows_release(&rows);
    return RG_EXIT_OK;
}

int graph_show(int argc, char **argv)
{
    struct graph_view v = GRAPH_VIEW_INIT;
    struct selection select = {false, false, false, 0};
    const char *by = NULL;
    bool json = false, csv = false;
    const struct rg_option options[] = {
        GRAPH_VIEW_OPTIONS(v),
        RG_OPTION_FLAG("best", 0, &select.best, "the edges of the highest scores (20)"),
        RG_OPTION_FLAG("untried", 0, &select.untried, "edges that no run has tried, the most promising first"),
        RG_OPTION_FLAG("never-helped", 0, &select.never_helped,
                       "edges that were tried, never gained 1 % and led to no run's best"),
        RG_OPTION_INT("most", 'n', &select.most, "N", 1, 1e9, "so many edges of these lists"),
        RG_OPTION_CHOICE("by", 0, &by, "device|class|coder|program|date", "one edge: its evidence added up by this"),
        RG_OPTION_FLAG("json", 0, &json, "one JSON document (regraph-show/1)"),
        RG_OPTION_FLAG("csv", 0, &csv, "a table of edges; of one edge its evidence"),
    };
    const struct rg_command cmd = {
        .name = "regraph-graph show",
        .example = "regraph-graph show graphs/cuda.json tile.shared --device sm_90",
        .usage = "GRAPH [STEP | FROM TO] [options]",
        .about = "Prints the graph, one step with its edges, or one edge with its evidence; or lists of edges.",
        .options = options,
        .n_options = RG_N_OPTIONS(options),
        .min_args = 1,
        .max_args = 3};
    struct rg_strings args = {0, 0, NULL};
    int code = rg_cmd_parse(&cmd, argc, argv, 2, &args);
    if (code < 0) code = graph_view_check(&cmd, &v);
    if (code < 0 && json && csv) code = rg_cmd_usage(&cmd, "--json or --csv, not both");
    if (code < 0 && by && args.n < 3) code = rg_cmd_usage(&cmd, "--by wants an edge: FROM TO");
    if (select.best && !select.most) select.most = 20;
    bool list = select.best || select.untried || select.never_helped;
    struct rg_regraph *g = code < 0 ? graph_load(args.items[0], &code) : NULL;
    bool *steps = g ? graph_view_steps(g, &v, args.items[0], &code) : NULL;
    if (steps) {
        int at[2] = {-1, -1};
        code = RG_EXIT_OK;
        for (int i = 1; i < args.n && code == RG_EXIT_OK; i++)
            at[i - 1] = graph_step_named(g, args.items[0], args.items[i], &code);
        int edge = args.n == 3 && code == RG_EXIT_OK && at[1] >= 0 ? rg_regraph_find_edge(g, at[0], at[1]) : -1;
        if (code != RG_EXIT_OK) {
            /* told already */
        } else if (args.n == 3 && edge < 0) {
            rg_cmd_message("%s: there is no edge from '%s' to '%s'", args.items[0], args.items[1], args.items[2]);
            code = RG_EXIT_INPUT;
        } else if (json || csv || list) {
            code = print_rows(g, steps, &v, at, args.n - 1, edge, &select, json, csv);
        } else if (args.n == 1) {
            code = print_graph(g, steps, &v);
        } else if (args.n == 2 && at[0] < 0) {
            printf("@start is followed by:\n");
            print_edges(g, -1, &v, false);
            print_legend();
        } else if (args.n == 2) {
            print_step(g, at[0], &v);
        } else {
            print_edge(g, edge, &v, by);
        }
    }
    free(steps);
    rg_regraph_free(g);
    rg_strings_release(&args);
    return code;
}
