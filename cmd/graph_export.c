/* regraph-graph export, import. */
#include "cmd/graph_view.h"

#include <rg/file.h>
#include <rg/regraph_tools.h>
#include <stdlib.h>
#include <string.h>

/* What the picture shows, in a line. */
static void describe(const struct rg_regraph *g, const struct graph_view *v, const bool *steps, int64_t strongest, struct rg_buf *out)
{
    int n = 0;
    for (int i = 0; i < rg_regraph_steps(g); i++) n += steps[i];
    rg_buf_printf(out, "%d of %d steps", n, rg_regraph_steps(g));
    if (strongest) rg_buf_printf(out, ", of each the %lld edges of the highest scores", (long long)strongest);
    const char *const asked[][2] = {{"device", v->device}, {"class", v->klass}, {"coder", v->coder}, {"program", v->program},
                                    {"category", v->category}, {"near", v->near}};
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
        if (asked[i][1]) rg_buf_printf(out, "; %s %s", asked[i][0], asked[i][1]);
}

static enum rg_status write_form(const struct rg_regraph *g, const struct graph_view *v, const bool *steps, const char *format,
                                 int64_t strongest, struct rg_buf *out, struct rg_error *err)
{
    struct rg_buf subtitle = RG_BUF_INIT;
    describe(g, v, steps, strongest, &subtitle);
    const struct rg_regraph_picture p = {graph_view_at(v), steps, (int)strongest, subtitle.data};
    enum rg_status s = RG_OK;
    if (!strcmp(format, "dot")) rg_regraph_dot(g, &p, out);
    else if (!strcmp(format, "svg")) s = rg_regraph_svg(g, &p, out, err);
    else if (!strcmp(format, "graphml")) s = rg_regraph_graphml(g, out, err);
    else if (!strcmp(format, "csv")) {
        struct graph_rows rows;
        graph_view_rows(g, v, steps, &rows);
        graph_csv_edges(g, &rows, out);
        graph_rows_release(&rows);
    } else s = rg_regraph_print(g, out, err);
    rg_buf_release(&subtitle);
    return s;
}

int graph_export(int argc, char **argv)
{
    struct graph_view v = GRAPH_VIEW_INIT;
    const char *format = "svg", *output = "-";
    int64_t strongest = 2;
    const struct rg_option options[] = {
        RG_OPTION_CHOICE("format", 'f', &format, "svg|dot|graphml|csv|json",
                         "a picture, GraphViz, what Gephi, yEd and igraph read, a table\nof edges, the canonical JSON (svg)"),
        RG_OPTION_INT("strongest", 0, &strongest, "N", 0, 1e6, "svg, dot: so many edges out of each step; 0: all (2)"),
        RG_OPTION_TEXT("output", 'o', &output, "FILE", "write there; - is standard output (-)"),
        GRAPH_VIEW_OPTIONS(v)};
    const struct rg_command cmd = {.name = "regraph-graph export",
                                   .example = "regraph-graph export graphs/cuda.json -o cuda.svg --class stencil",
                                   .usage = "GRAPH [options]",
                                   .about = "Writes the graph for people and other tools. Filters are for pictures and tables; graphml and json hold\n"
                                            "the whole graph, and `import` reads graphml and csv back.",
                                   .options = options,
                                   .n_options = RG_N_OPTIONS(options),
                                   .min_args = 1,
                                   .max_args = 1};
    struct rg_strings args = {0, 0, NULL};
    int code = rg_cmd_parse(&cmd, argc, argv, 2, &args);
    if (code < 0) code = graph_view_check(&cmd, &v);
    bool whole = !strcmp(format, "graphml") || !strcmp(format, "json");
    if (code < 0 && whole && (v.category || v.near)) code = rg_cmd_usage(&cmd, "%s holds the whole graph: no --category, no --near", format);
    struct rg_regraph *g = code < 0 ? graph_load(args.items[0], &code) : NULL;
    bool *steps = g ? graph_view_steps(g, &v, args.items[0], &code) : NULL;
    if (steps) {
        struct rg_buf text = RG_BUF_INIT;
        struct rg_error err = RG_ERROR_INIT;
        code = RG_EXIT_OK;
        if (write_form(g, &v, steps, format, strongest, &text, &err) != RG_OK) code = rg_cmd_fail(&err);
        else if (!strcmp(output, "-")) fwrite(text.data, 1, text.len, stdout);
        else if (rg_file_write(output, text.data, text.len, &err) != RG_OK) code = rg_cmd_fail(&err);
        rg_buf_release(&text);
    }
    free(steps);
    rg_regraph_free(g);
    rg_strings_release(&args);
    return code;
}

/* ---- import ---- */

struct import {
    struct rg_strings args; /* GRAPH, FILE */
    const char *output;
    char *text;
    size_t len;
    bool csv;
};

static enum rg_status import_it(struct rg_regraph *g, void *arg, struct rg_error *err)
{
    const struct import *x = arg;
    if (x->csv) return rg_regraph_take_csv(g, x->text, x->len, x->args.items[1], err);
    struct rg_regraph *read;
    enum rg_status s = rg_regraph_from_graphml(x->text, x->len, x->args.items[1], &read, err);
    if (s == RG_OK) rg_regraph_swap(g, read);
    if (s == RG_OK) rg_regraph_free(read);
    return s;
}

/* A graph that is not there yet is made. */
static int import_new(const struct import *x, const char *to)
{
    struct rg_error err = RG_ERROR_INIT;
    struct rg_regraph *g = NULL;
    if (rg_regraph_from_graphml(x->text, x->len, x->args.items[1], &g, &err) == RG_OK) rg_regraph_save(g, to, &err);
    rg_regraph_free(g);
    return err.status == RG_OK ? RG_EXIT_OK : rg_cmd_fail(&err);
}

int graph_import(int argc, char **argv)
{
    struct import x = {0};
    const char *format = NULL;
    const struct rg_option options[] = {
        RG_OPTION_CHOICE("format", 'f', &format, "graphml|csv", "of FILE (by its name)"),
        RG_OPTION_TEXT("output", 'o', &x.output, "FILE", "write there and leave GRAPH alone; - is standard output")};
    const struct rg_command cmd = {
        .name = "regraph-graph import",
        .example = "regraph-graph import my.json edited.graphml",
        .usage = "GRAPH FILE [options]",
        .about = "Reads back what `export` wrote and another program changed. graphml: GRAPH becomes what the file says (it is\n"
                 "made where there is none). csv: priors, confidences, notes and never of its edges become those of GRAPH's.",
        .options = options,
        .n_options = RG_N_OPTIONS(options),
        .min_args = 2,
        .max_args = 2};
    int code = rg_cmd_parse(&cmd, argc, argv, 2, &x.args);
    const char *dot = code < 0 ? strrchr(x.args.items[1], '.') : NULL;
    if (code < 0 && !format) format = dot && !strcmp(dot, ".csv") ? "csv" : dot && !strcmp(dot, ".graphml") ? "graphml" : NULL;
    if (code < 0 && !format) code = rg_cmd_usage(&cmd, "is '%s' graphml or csv? (--format)", x.args.items[1]);
    if (code < 0) x.text = graph_read(x.args.items[1], &x.len, &code);
    if (code < 0) {
        x.csv = !strcmp(format, "csv");
        const char *graph = x.args.items[0];
        bool make = !x.csv && strcmp(graph, "-") && !rg_file_exists(graph) && !x.output;
        code = make ? import_new(&x, graph) : graph_edit(graph, x.output, import_it, &x);
    }
    free(x.text);
    rg_strings_release(&x.args);
    return code;
}
