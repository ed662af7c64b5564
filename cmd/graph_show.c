/* regraph-graph show, check, diff, export. */
#include "cmd/graph.h"

#include <rg/poly.h>
#include <rg/regraph_tools.h>
#include <stdlib.h>
#include <string.h>

struct view { /* which weights are asked for; NULL: over everything seen */
    const char *device, *klass, *coder;
};
#define VIEW_OPTIONS(v)                                                                                                \
    RG_OPTION_TEXT("device", 'd', &(v).device, "ARCH", "weights as on this device (sm_90, sim:h200; all)"),            \
        RG_OPTION_TEXT("class", 0, &(v).klass, "CLASS", "weights as for this class of problems (contraction; all)"),   \
        RG_OPTION_TEXT("coder", 0, &(v).coder, "CODER", "weights as for this coder (poly, llm; all)")

static const char *id_of(const struct rg_regraph *g, int step)
{
    return step < 0 ? "@start" : rg_regraph_step(g, step)->id;
}

static int64_t observations(const struct rg_edge *e)
{
    int64_t n = 0;
    for (int i = 0; i < e->n_evidence; i++) n += e->evidence[i].n;
    return n;
}

static void print_edge_line(const struct rg_regraph *g, int index, const struct view *v, bool from)
{
    const struct rg_edge *e = rg_regraph_edge(g, index);
    struct rg_weight w;
    rg_regraph_weigh(g, index, &(struct rg_circumstances){v->device, v->klass, NULL, v->coder}, NULL, &w);
    printf("  %-20s prior %-5.3g conf %-4.3g seen %-5lld p_ok %.2f  gain %+.2f +-%.2f  score %6.2f\n",
           id_of(g, from ? e->from : e->to), e->prior, e->confidence, (long long)observations(e), w.p_ok, w.gain,
           w.sigma, w.score);
}

/* Edges out of (or into) a step, best score first. */
static void print_edges(const struct rg_regraph *g, int step, const struct view *v, bool into)
{
    int n = 0, n_all = rg_regraph_edges(g), *list = rg_xcalloc((size_t)n_all + 1, sizeof *list);
    double *score = rg_xcalloc((size_t)n_all + 1, sizeof *score);
    for (int i = 0; i < n_all; i++) {
        const struct rg_edge *e = rg_regraph_edge(g, i);
        if ((into ? e->to : e->from) != step) continue;
        struct rg_weight w;
        rg_regraph_weigh(g, i, &(struct rg_circumstances){v->device, v->klass, NULL, v->coder}, NULL, &w);
        int k = n++;
        for (; k > 0 && score[k - 1] < w.score; k--) {
            score[k] = score[k - 1];
            list[k] = list[k - 1];
        }
        score[k] = w.score;
        list[k] = i;
    }
    for (int i = 0; i < n; i++) print_edge_line(g, list[i], v, into);
    free(list);
    free(score);
}

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

static void print_step(const struct rg_regraph *g, int index, const struct view *v)
{
    static const char *const change[] = {"", " appears", " rises", " falls", " disappears", " changes"};
    const struct rg_step *s = rg_regraph_step(g, index);
    printf("%s - %s\n", rg_cmd_paint(stdout, "1", s->id), s->title);
    print_field("category", s->category);
    print_words("when", s->when, RG_N_TRAITS, rg_trait_word);
    print_words("limiter", s->limiters, RG_N_LIMITERS, limiter_word);
    print_field("once", s->once == RG_ONCE_SITE ? "a site" : s->once == RG_ONCE_CANDIDATE ? "a candidate" : NULL);
    static const char *const needs[] = {NULL, "code", "several launches", "that nothing has verified", "to be the best so far"};
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
    printf("\nfollows:\n");
    print_edges(g, index, v, true);
    printf("\nis followed by:\n");
    print_edges(g, index, v, false);
}

static void print_edge(const struct rg_regraph *g, int index, const struct view *v)
{
    const struct rg_edge *e = rg_regraph_edge(g, index);
    struct rg_weight w;
    rg_regraph_weigh(g, index, &(struct rg_circumstances){v->device, v->klass, NULL, v->coder}, NULL, &w);
    printf("%s -> %s\n", id_of(g, e->from), id_of(g, e->to));
    print_field("note", e->note);
    printf("%-13s %.15g (worth %.15g observations)\n", "prior", e->prior, e->confidence);
    printf("%-13s score %.3f: works with chance %.3f, then gains ln %.3f +- %.3f; from %.1f observations\n", "weight",
           w.score, w.p_ok, w.gain, w.sigma, w.n);
    for (int i = 0; i < e->n_evidence; i++) {
        const struct rg_evidence *r = &e->evidence[i];
        printf("  %-12s %-12s %-6s ", r->device, r->klass, r->coder);
        if (r->n_runs)
            printf("%d runs", r->n_runs);
        else
            printf("%.12s", r->run);
        printf("  n %lld ok %lld", (long long)r->n, (long long)r->ok);
        if (r->ok) printf(" mean gain %+.3f max %+.3f", (double)r->sum * 1e-6 / (double)r->ok, (double)r->max * 1e-6);
        for (int k = 0; k < RG_N_OUTCOMES; k++)
            if (r->fail[k]) printf(" %s %lld", rg_outcome_word((enum rg_outcome)k), (long long)r->fail[k]);
        if (r->refused) printf(" refused %lld", (long long)r->refused);
        printf("\n");
    }
}

static int print_graph(const struct rg_regraph *g, const struct view *v)
{
    struct rg_error err = RG_ERROR_INIT;
    struct rg_regraph_shape s;
    if (rg_regraph_shape(g, &s, &err) != RG_OK) return rg_cmd_fail(&err);
    int64_t seen = 0;
    int n_poly = 0;
    for (int i = 0; i < rg_regraph_edges(g); i++) seen += observations(rg_regraph_edge(g, i));
    for (int i = 0; i < s.n_steps; i++) n_poly += rg_regraph_step(g, i)->poly != NULL;
    printf("%s: %d steps (%d of them the built-in coder can do), %d edges, %lld observations\n",
           rg_cmd_paint(stdout, "1", rg_regraph_name(g)), s.n_steps, n_poly, rg_regraph_edges(g), (long long)seen);
    printf("\n%-5s %-6s %-20s %-14s %s\n", "depth", "centre", "step", "category", "title");
    for (int depth = 1; depth <= s.n_steps + 1; depth++)
        for (int i = 0; i < s.n_steps; i++)
            if (s.depth[i] == (depth <= s.n_steps ? depth : -1)) {
                const struct rg_step *p = rg_regraph_step(g, i);
                if (s.depth[i] > 0)
                    printf("%5d", s.depth[i]);
                else
                    printf("%5s", "-");
                printf(" %5.1f%% %-20s %-14s %s\n", 100 * s.centrality[i], p->id, p->category, p->title);
            }
    rg_regraph_shape_release(&s);
    printf("\n@start is followed by:\n");
    print_edges(g, -1, v, false);
    return RG_EXIT_OK;
}

int graph_show(int argc, char **argv)
{
    struct view v = {NULL, NULL, NULL};
    const struct rg_option options[] = {VIEW_OPTIONS(v)};
    const struct rg_command cmd = {.name = "regraph-graph show",
                                   .example = "regraph-graph show graphs/cuda.json tile.shared --device sm_90",
                                   .usage = "GRAPH [STEP | FROM TO] [options]",
                                   .about = "Prints the graph, one step with its edges, or one edge with its evidence.",
                                   .options = options,
                                   .n_options = RG_N_OPTIONS(options),
                                   .min_args = 1,
                                   .max_args = 3};
    struct rg_strings args = {0, 0, NULL};
    int code = rg_cmd_parse(&cmd, argc, argv, 2, &args);
    if (code < 0 && v.klass && rg_class_parse(v.klass) < 0) code = rg_cmd_usage(&cmd, "unknown class '%s'", v.klass);
    struct rg_regraph *g = code < 0 ? graph_load(args.items[0], &code) : NULL;
    if (g) {
        int at[2] = {-1, -1};
        code = RG_EXIT_OK;
        for (int i = 1; i < args.n && code == RG_EXIT_OK; i++) {
            at[i - 1] = rg_regraph_find(g, args.items[i]);
            if (at[i - 1] < 0 && strcmp(args.items[i], "@start") != 0) {
                rg_cmd_message("%s: unknown step '%s'", args.items[0], args.items[i]);
                code = RG_EXIT_INPUT;
            }
        }
        int edge = args.n == 3 && code == RG_EXIT_OK ? rg_regraph_find_edge(g, at[0], at[1]) : -1;
        if (code != RG_EXIT_OK) {
            /* told already */
        } else if (args.n == 1) {
            code = print_graph(g, &v);
        } else if (args.n == 2 && at[0] < 0) {
            printf("@start is followed by:\n");
            print_edges(g, -1, &v, false);
        } else if (args.n == 2) {
            print_step(g, at[0], &v);
        } else if (edge < 0) {
            rg_cmd_message("%s: there is no edge from '%s' to '%s'", args.items[0], args.items[1], args.items[2]);
            code = RG_EXIT_INPUT;
        } else {
            print_edge(g, edge, &v);
        }
    }
    rg_regraph_free(g);
    rg_strings_release(&args);
    return code;
}

/* FILE:LINE:COLUMN: text, as errors have it. */
static void tell_places(const char *path, const char *text)
{
    for (size_t n; *text; text += n + (text[n] == '\n')) {
        n = strcspn(text, "\n");
        rg_cmd_message("%s:%.*s", path, (int)n, text);
    }
}

/* Legal: a newer program may know them. Said all the same, as a misspelt one is never offered. */
static void list_unknown_edits(const struct rg_regraph *g, struct rg_buf *out)
{
    for (int i = 0; i < rg_regraph_steps(g); i++) {
        const struct rg_step *s = rg_regraph_step(g, i);
        if (s->poly && !rg_poly_knows(s->poly))
            rg_buf_printf(out, "%s%s (step %s)", out->len ? ", " : "; edits that the built-in coder does not know: ",
                          s->poly, s->id);
    }
}

int graph_check(int argc, char **argv)
{
    bool strict = false;
    const struct rg_option options[] = {RG_OPTION_FLAG("strict", 0, &strict, "exit 3 when there are doubts, too")};
    const struct rg_command cmd = {
        .name = "regraph-graph check",
        .example = "regraph-graph check graphs/cuda.json",
        .usage = "GRAPH... [options]",
        .about = "Reads graphs whole. What is wrong is an error with file:line:column (exit 3); what is legal but\n"
                 "probably not meant (unknown members, steps that can't be reached, endless chains) is told\n"
                 "and passes.",
        .options = options,
        .n_options = RG_N_OPTIONS(options),
        .min_args = 1,
        .max_args = -1};
    struct rg_strings args = {0, 0, NULL};
    int code = rg_cmd_parse(&cmd, argc, argv, 2, &args), worst = RG_EXIT_OK;
    for (int i = 0; code < 0 && i < args.n; i++) {
        int bad = RG_EXIT_OK;
        struct rg_buf doubts = RG_BUF_INIT, places = RG_BUF_INIT;
        struct rg_regraph *g = graph_load_noting(args.items[i], &places, &bad);
        struct rg_buf edits = RG_BUF_INIT;
        if (g) {
            struct rg_error err = RG_ERROR_INIT;
            list_unknown_edits(g, &edits);
            int n = rg_regraph_review(g, &doubts, &err);
            if (n < 0) bad = rg_cmd_fail(&err);
            if (n >= 0)
                for (const char *p = places.data; (p = strchr(p, '\n')); p++) n++;
            tell_places(args.items[i], places.data);
            graph_tell(args.items[i], doubts.data);
            if (n > 0 && strict) bad = RG_EXIT_INPUT;
            if (n >= 0)
                printf("%s: %s: %d steps, %d edges, %d doubts%s\n", args.items[i], rg_regraph_name(g),
                       rg_regraph_steps(g), rg_regraph_edges(g), n, edits.data);
        }
        rg_buf_release(&doubts);
        rg_buf_release(&places);
        rg_buf_release(&edits);
        rg_regraph_free(g);
        if (bad > worst) worst = bad;
    }
    rg_strings_release(&args);
    return code < 0 ? worst : code;
}

int graph_diff(int argc, char **argv)
{
    const struct rg_command cmd = {
        .name = "regraph-graph diff",
        .example = "regraph-graph diff out/sgemm/graph-before.json ~/.local/share/regraph/cuda.json",
        .usage = "OLD NEW",
        .about = "Lists what turns OLD into NEW, a line each. Exit 0 when they are equal, 1 when not.",
        .min_args = 2,
        .max_args = 2};
    struct rg_strings args = {0, 0, NULL};
    int code = rg_cmd_parse(&cmd, argc, argv, 2, &args);
    if (code < 0) {
        struct rg_regraph *a = graph_load(args.items[0], &code), *b = a ? graph_load(args.items[1], &code) : NULL;
        if (a && b) {
            struct rg_buf text = RG_BUF_INIT;
            code = rg_regraph_diff(a, b, &text) > 0 ? 1 : 0;
            fwrite(text.data, 1, text.len, stdout);
            rg_buf_release(&text);
        }
        rg_regraph_free(a);
        rg_regraph_free(b);
    }
    rg_strings_release(&args);
    return code;
}

int graph_export(int argc, char **argv)
{
    struct view v = {NULL, NULL, NULL};
    const char *format = "dot";
    const struct rg_option options[] = {
        RG_OPTION_CHOICE("format", 'f', &format, "dot|json", "GraphViz, or the canonical JSON (dot)"), VIEW_OPTIONS(v)};
    const struct rg_command cmd = {.name = "regraph-graph export",
                                   .example =
                                       "regraph-graph export graphs/cuda.json --format dot | dot -Tsvg > cuda.svg",
                                   .usage = "GRAPH [options]",
                                   .about = "Writes the graph to standard output for other tools.",
                                   .options = options,
                                   .n_options = RG_N_OPTIONS(options),
                                   .min_args = 1,
                                   .max_args = 1};
    struct rg_strings args = {0, 0, NULL};
    int code = rg_cmd_parse(&cmd, argc, argv, 2, &args);
    struct rg_regraph *g = code < 0 ? graph_load(args.items[0], &code) : NULL;
    if (g) {
        struct rg_buf text = RG_BUF_INIT;
        struct rg_error err = RG_ERROR_INIT;
        code = RG_EXIT_OK;
        if (strcmp(format, "dot") == 0)
            rg_regraph_dot(g, v.device, v.klass, v.coder, &text);
        else if (rg_regraph_print(g, &text, &err) != RG_OK)
            code = rg_cmd_fail(&err);
        fwrite(text.data, 1, text.len, stdout);
        rg_buf_release(&text);
    }
    rg_regraph_free(g);
    rg_strings_release(&args);
    return code;
}
