/* regraph-graph set, add-step, add-edge, remove, merge, compact. */
#include "cmd/graph.h"

#include <math.h>
#include <rg/regraph_tools.h>
#include <rg/search.h>
#include <stdlib.h>
#include <string.h>

static const char *output; /* -o */
#define OUTPUT_OPTION                                                                                                  \
    RG_OPTION_TEXT("output", 'o', &output, "FILE", "write there and leave GRAPH alone; - is standard output")

struct change {
    struct rg_strings args; /* GRAPH first */
    double prior, confidence;
    const char *note, *never;
    char *text;
};

/* Parses, then edits; the common frame of all verbs here. */
static int run(const struct rg_command *c, int argc, char **argv, struct change *change,
               enum rg_status (*edit)(struct rg_regraph *, void *, struct rg_error *))
{
    int code = rg_cmd_parse(c, argc, argv, 2, &change->args);
    if (code < 0) code = graph_edit(change->args.items[0], output, edit, change);
    rg_strings_release(&change->args);
    return code;
}

/* --- set --- */

static enum rg_status set_edge(struct rg_regraph *g, void *arg, struct rg_error *err)
{
    struct change *c = arg;
    const char *from = c->args.items[1], *to = c->args.items[2];
    enum rg_status s = rg_regraph_set(g, from, to, c->prior, c->confidence, c->note, err);
    if (s == RG_OK && c->never) s = rg_regraph_bar_edge(g, from, to, strcmp(c->never, "yes") == 0, err);
    return s;
}

int graph_set(int argc, char **argv)
{
    struct change c = {.prior = NAN, .confidence = NAN};
    const struct rg_option options[] = {
        RG_OPTION_REAL("prior", 'p', &c.prior, "P", 0, 1, "how promising the step is here, 0 to 1"),
        RG_OPTION_REAL("confidence", 'c', &c.confidence, "N", 0, 1e6, "how many observations this opinion is worth"),
        RG_OPTION_TEXT("note", 'n', &c.note, "TEXT", "why; empty removes it"),
        RG_OPTION_CHOICE("never", 0, &c.never, "yes|no", "yes: no search takes the edge, whatever its weight"),
        OUTPUT_OPTION,
    };
    const struct rg_command cmd = {.name = "regraph-graph set",
                                   .example = "regraph-graph set my.json parallelize tile.shared --prior 0.8",
                                   .usage = "GRAPH FROM TO [options]",
                                   .about =
                                       "Changes the expert's opinion of an edge. Evidence stays. FROM may be @start.",
                                   .options = options,
                                   .n_options = RG_N_OPTIONS(options),
                                   .min_args = 3,
                                   .max_args = 3};
    int code = rg_cmd_parse(&cmd, argc, argv, 2, &c.args);
    if (code < 0 && isnan(c.prior) && isnan(c.confidence) && !c.note && !c.never)
        code = rg_cmd_usage(&cmd, "what is to be set? (--prior, --confidence, --note, --never)");
    if (code < 0) code = graph_edit(c.args.items[0], output, set_edge, &c);
    rg_strings_release(&c.args);
    return code;
}

/* --- add --- */

static enum rg_status add_step(struct rg_regraph *g, void *arg, struct rg_error *err)
{
    const struct change *c = arg;
    const char *name = strcmp(c->args.items[1], "-") ? c->args.items[1] : "standard input";
    struct rg_buf notes = RG_BUF_INIT;
    enum rg_status s = rg_regraph_add_step_of(g, c->text, name, &notes, err);
    graph_tell_places(name, notes.data);
    rg_buf_release(&notes);
    return s;
}

int graph_add_step(int argc, char **argv)
{
    struct change c = {0};
    const struct rg_option options[] = {OUTPUT_OPTION};
    const struct rg_command cmd = {
        .name = "regraph-graph add-step",
        .example = "regraph-graph add-step my.json step.json",
        .usage = "GRAPH STEP.json|- [options]",
        .about = "Adds a step: a JSON object with id, title, category and what else docs/graph.md lists.",
        .options = options,
        .n_options = RG_N_OPTIONS(options),
        .min_args = 2,
        .max_args = 2};
    size_t len = 0;
    int code = rg_cmd_parse(&cmd, argc, argv, 2, &c.args);
    if (code < 0 && (c.text = graph_read(c.args.items[1], &len, &code)) != NULL)
        code = graph_edit(c.args.items[0], output, add_step, &c);
    free(c.text);
    rg_strings_release(&c.args);
    return code;
}

static enum rg_status add_edge(struct rg_regraph *g, void *arg, struct rg_error *err)
{
    struct change *c = arg;
    return rg_regraph_add_edge(g, c->args.items[1], c->args.items[2], c->prior, c->confidence, c->note, err);
}

int graph_add_edge(int argc, char **argv)
{
    struct change c = {.prior = 0.5, .confidence = 1};
    const struct rg_option options[] = {
        RG_OPTION_REAL("prior", 'p', &c.prior, "P", 0, 1, "how promising TO is after FROM, 0 to 1 (0.5)"),
        RG_OPTION_REAL("confidence", 'c', &c.confidence, "N", 0, 1e6,
                       "how many observations this opinion is worth (1)"),
        RG_OPTION_TEXT("note", 'n', &c.note, "TEXT", "why"),
        OUTPUT_OPTION,
    };
    const struct rg_command cmd = {.name = "regraph-graph add-edge",
                                   .example =
                                       "regraph-graph add-edge my.json coalesce tile.shared --prior 0.6 --confidence 4",
                                   .usage = "GRAPH FROM TO [options]",
                                   .about = "Says that step TO may follow step FROM. FROM may be @start.",
                                   .options = options,
                                   .n_options = RG_N_OPTIONS(options),
                                   .min_args = 3,
                                   .max_args = 3};
    return run(&cmd, argc, argv, &c, add_edge);
}

/* --- remove --- */

static enum rg_status remove_it(struct rg_regraph *g, void *arg, struct rg_error *err)
{
    struct change *c = arg;
    if (c->args.n == 2) return rg_regraph_remove_step(g, c->args.items[1], err);
    return rg_regraph_remove_edge(g, c->args.items[1], c->args.items[2], err);
}

int graph_remove(int argc, char **argv)
{
    struct change c = {0};
    const struct rg_option options[] = {OUTPUT_OPTION};
    const struct rg_command cmd = {.name = "regraph-graph remove",
                                   .example = "regraph-graph remove my.json parallelize tile.shared",
                                   .usage = "GRAPH STEP | GRAPH FROM TO",
                                   .about = "Removes a step with all its edges and their evidence, or one edge.",
                                   .options = options,
                                   .n_options = RG_N_OPTIONS(options),
                                   .min_args = 2,
                                   .max_args = 3};
    return run(&cmd, argc, argv, &c, remove_it);
}

/* --- merge --- */

static enum rg_status merge_all(struct rg_regraph *g, void *arg, struct rg_error *err)
{
    struct change *c = arg;
    enum rg_status s = RG_OK;
    for (int i = 1; i < c->args.n && s == RG_OK; i++) {
        struct rg_regraph *other = NULL;
        struct rg_buf notes = RG_BUF_INIT;
        struct rg_error no_graph = RG_ERROR_INIT;
        int rows;
        s = rg_regraph_load(c->args.items[i], &other, &no_graph);
        if (s == RG_OK)
            s = rg_regraph_merge(g, other, &notes, err);
        else if (rg_evidence_is(c->args.items[i])) /* asked last: a graph is large, and read once */
            s = rg_evidence_join(g, c->args.items[i], false, &rows, err);
        else
            *err = no_graph;
        graph_tell(c->args.items[i], notes.data);
        rg_buf_release(&notes);
        rg_regraph_free(other);
    }
    return s;
}

int graph_merge(int argc, char **argv)
{
    struct change c = {0};
    const struct rg_option options[] = {OUTPUT_OPTION};
    const struct rg_command cmd = {
        .name = "regraph-graph merge",
        .example = "regraph-graph merge mine.json colleague.json -o both.json",
        .usage = "GRAPH OTHER... [options]",
        .about =
            "Adds to GRAPH the steps, edges and evidence of the others, which may also be evidence files of single\n"
            "runs (regraph-search --evidence). Evidence is a union of runs: merging twice, or in another order,\n"
            "changes nothing. Where opinions differ GRAPH's stays and a message tells.",
        .options = options,
        .n_options = RG_N_OPTIONS(options),
        .min_args = 2,
        .max_args = -1};
    return run(&cmd, argc, argv, &c, merge_all);
}

/* --- compact --- */

static enum rg_status compact(struct rg_regraph *g, void *arg, struct rg_error *err)
{
    int before, after;
    enum rg_status s = rg_regraph_compact(g, &before, &after, err);
    if (s == RG_OK) rg_cmd_message("%d rows of evidence became %d", before, after);
    return s;
}

int graph_compact(int argc, char **argv)
{
    struct change c = {0};
    const struct rg_option options[] = {OUTPUT_OPTION};
    const struct rg_command cmd = {
        .name = "regraph-graph compact",
        .example = "regraph-graph compact my.json",
        .usage = "GRAPH [options]",
        .about =
            "Folds the evidence of many runs into one row an edge, device, class and coder, which lists its runs.\n"
            "Weights stay what they were; merging those runs again adds nothing.",
        .options = options,
        .n_options = RG_N_OPTIONS(options),
        .min_args = 1,
        .max_args = 1};
    return run(&cmd, argc, argv, &c, compact);
}
