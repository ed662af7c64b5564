/* regraph-graph set-step, rename, undo, log. */
#include "cmd/graph.h"

#include <rg/file.h>
#include <rg/regraph_history.h>
#include <stdlib.h>
#include <string.h>

static const char *output; /* -o */
#define OUTPUT_OPTION                                                                                                  \
    RG_OPTION_TEXT("output", 'o', &output, "FILE", "write there and leave GRAPH alone; - is standard output")

struct change {
    struct rg_strings args; /* GRAPH first */
    const char *never;
    const char *name; /* of the patch's file */
    char *patch;      /* NULL none */
};

/* --- set-step --- */

static enum rg_status set_step(struct rg_regraph *g, void *arg, struct rg_error *err)
{
    const struct change *c = arg;
    const char *id = c->args.items[1];
    struct rg_buf notes = RG_BUF_INIT;
    enum rg_status s = c->patch ? rg_regraph_set_step(g, id, c->patch, c->name, &notes, err) : RG_OK;
    if (s == RG_OK && c->never) s = rg_regraph_bar_step(g, id, strcmp(c->never, "yes") == 0, err);
    graph_tell_places(c->name, notes.data);
    rg_buf_release(&notes);
    return s;
}

int graph_set_step(int argc, char **argv)
{
    struct change c = {.name = "standard input"};
    const struct rg_option options[] = {
        RG_OPTION_CHOICE("never", 0, &c.never, "yes|no", "yes: no search takes the step"),
        OUTPUT_OPTION,
    };
    const struct rg_command cmd = {
        .name = "regraph-graph set-step",
        .example = "echo '{\"hint\": \"Pad the rows.\"}' | regraph-graph set-step my.json tile.shared -",
        .usage = "GRAPH STEP [CHANGES.json|-] [options]",
        .about = "Changes members of a step: a JSON object with the members that change (docs/graph.md lists them); null\n"
                 "takes a member away. Its edges and their evidence stay.",
        .options = options,
        .n_options = RG_N_OPTIONS(options),
        .min_args = 2,
        .max_args = 3};
    size_t len = 0;
    int code = rg_cmd_parse(&cmd, argc, argv, 2, &c.args);
    if (code < 0 && c.args.n < 3 && !c.never) code = rg_cmd_usage(&cmd, "what is to be changed? (CHANGES.json, --never)");
    bool given = code < 0 && c.args.n == 3;
    if (given && strcmp(c.args.items[2], "-") != 0) c.name = c.args.items[2];
    if (given) c.patch = graph_read(c.args.items[2], &len, &code);
    if (code < 0) code = graph_edit(c.args.items[0], output, set_step, &c);
    free(c.patch);
    rg_strings_release(&c.args);
    return code;
}

/* --- rename --- */

static enum rg_status rename_it(struct rg_regraph *g, void *arg, struct rg_error *err)
{
    const struct change *c = arg;
    return rg_regraph_rename(g, c->args.items[1], c->args.items[2], err);
}

int graph_rename(int argc, char **argv)
{
    struct change c = {0};
    const struct rg_option options[] = {OUTPUT_OPTION};
    const struct rg_command cmd = {
        .name = "regraph-graph rename",
        .example = "regraph-graph rename my.json mine lab.pad",
        .usage = "GRAPH STEP NEW [options]",
        .about = "Gives a step another id. Edges, evidence and baseline follow; merges and runs that know the old id find\n"
                 "the step under the new one.",
        .options = options,
        .n_options = RG_N_OPTIONS(options),
        .min_args = 3,
        .max_args = 3};
    int code = rg_cmd_parse(&cmd, argc, argv, 2, &c.args);
    if (code < 0) code = graph_edit(c.args.items[0], output, rename_it, &c);
    rg_strings_release(&c.args);
    return code;
}

/* --- undo, log --- */

int graph_undo(int argc, char **argv)
{
    const struct rg_command cmd = {
        .name = "regraph-graph undo",
        .example = "regraph-graph undo my.json",
        .usage = "GRAPH",
        .about = "Takes back the last edit that was not taken back before; again for the one before it. What runs have\n"
                 "learnt since stays. `regraph-graph log` lists the edits; GRAPH.history holds the graph before each of them.",
        .min_args = 1,
        .max_args = 1};
    const char *path = NULL;
    int code = rg_cmd_parse_one(&cmd, argc - 1, argv + 1, &path), lock = -1;
    struct rg_error err = RG_ERROR_INIT;
    struct rg_buf told = RG_BUF_INIT;
    if (code >= 0) return code;
    if (!rg_file_exists(path)) rg_error_set(&err, RG_INPUT, "cannot open '%s': No such file or directory", path);
    if (err.status == RG_OK && rg_file_lock(path, 10, &lock, &err) == RG_OK) rg_regraph_undo(path, graph_author(), &told, &err);
    if (lock >= 0) rg_file_unlock(lock);
    if (err.status == RG_OK) printf("%s\n", told.data);
    rg_buf_release(&told);
    return err.status == RG_OK ? RG_EXIT_OK : rg_cmd_fail(&err);
}

int graph_log(int argc, char **argv)
{
    int64_t most = 0;
    const struct rg_option options[] = {
        RG_OPTION_INT("last", 'n', &most, "N", 1, 1e9, "only the last N edits"),
    };
    const struct rg_command cmd = {.name = "regraph-graph log",
                                   .example = "regraph-graph log my.json",
                                   .usage = "GRAPH [options]",
                                   .about = "Lists the edits of a graph, the latest first: when, who, what, and what changed.\n"
                                            "What runs learnt is no edit: `show FROM TO` dates it.",
                                   .options = options,
                                   .n_options = RG_N_OPTIONS(options),
                                   .min_args = 1,
                                   .max_args = 1};
    struct rg_strings args = {0, 0, NULL};
    struct rg_error err = RG_ERROR_INIT;
    struct rg_edit_log log;
    int code = rg_cmd_parse(&cmd, argc, argv, 2, &args);
    if (code < 0 && !rg_file_exists(args.items[0]))
        code = rg_cmd_fail((rg_error_set(&err, RG_INPUT, "cannot open '%s': No such file or directory", args.items[0]), &err));
    if (code < 0 && rg_regraph_log_read(args.items[0], &log, &err) != RG_OK) code = rg_cmd_fail(&err);
    if (code < 0) {
        for (int i = log.n - 1; i >= 0 && (most == 0 || log.n - i <= most); i--) {
            const struct rg_edit *e = &log.edits[i];
            printf("%lld  %s  %s  %s%s\n", (long long)e->number, e->at, *e->author ? e->author : "-", e->did,
                   e->undone ? "  (undone)" : "");
            for (int k = 0; k < e->n_changes; k++) printf("    %s\n", e->changes[k]);
        }
        rg_regraph_log_release(&log);
        code = RG_EXIT_OK;
    }
    rg_strings_release(&args);
    return code;
}
