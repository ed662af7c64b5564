/* regraph-graph VERB: look at a reasoning graph and edit it. */
#include "cmd/graph.h"
#include <rg/regraph_history.h>
#include <rg/regraph_tools.h>

#include <malloc.h>
#include <pwd.h>
#include <rg/file.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct rg_verb verbs[] = {
    {"show", "print the graph, one step or one edge, with weights", graph_show},
    {"path", "print the likeliest chains from one step to another", graph_path},
    {"check", "read a graph and say what is wrong or doubtful", graph_check},
    {"set", "change an edge's prior, confidence or note", graph_set},
    {"add-step", "add a step from a JSON object", graph_add_step},
    {"add-edge", "say that a step may follow another", graph_add_edge},
    {"set-step", "change members of a step", graph_set_step},
    {"rename", "give a step another id", graph_rename},
    {"remove", "remove a step with its edges, or one edge", graph_remove},
    {"merge", "add what other graphs know: steps, edges, evidence", graph_merge},
    {"undo", "take the last edit back", graph_undo},
    {"log", "list the edits, who made them and when", graph_log},
    {"diff", "list what turns one graph into another", graph_diff},
    {"compact", "fold evidence of many runs into one row each", graph_compact},
    {"export", "write the graph as a picture, or for other tools", graph_export},
    {"serve", "edit the graph in a browser", graph_serve},
    {"import", "read back what another tool changed", graph_import},
};
enum { N_VERBS = sizeof verbs / sizeof verbs[0] };

static const struct rg_command top = {
    .name = "regraph-graph",
    .example = "regraph-graph show graphs/cuda.json tile.shared",
    .usage = "VERB GRAPH [arguments] [options]",
    .about = "Looks at a reasoning graph (format regraph/1) and edits it. `regraph-graph VERB --help` tells more.",
    .max_args = -1,
};

char *graph_read(const char *path, size_t *len, int *code)
{
    struct rg_error err = RG_ERROR_INIT;
    char *text = NULL;
    if (strcmp(path, "-") == 0) {
        struct rg_buf b = RG_BUF_INIT;
        char chunk[65536];
        size_t n;
        while ((n = fread(chunk, 1, sizeof chunk, stdin)) > 0) rg_buf_add(&b, chunk, n);
        if (ferror(stdin)) {
            rg_buf_release(&b);
            rg_error_set(&err, RG_IO, "cannot read standard input");
        } else {
            *len = b.len;
            text = rg_buf_steal(&b);
        }
    } else {
        rg_file_read(path, 0, &text, len, &err);
    }
    if (err.status == RG_OK) return text;
    *code = rg_cmd_fail(&err);
    return NULL;
}

struct rg_regraph *graph_load(const char *path, int *code)
{
    struct rg_error err = RG_ERROR_INIT;
    struct rg_regraph *g = NULL;
    if (strcmp(path, "-") == 0) {
        size_t len = 0;
        char *text = graph_read(path, &len, code);
        if (!text) return NULL;
        rg_regraph_parse(text, len, "standard input", &g, &err);
        free(text);
    } else {
        rg_regraph_load(path, &g, &err);
    }
    if (!g) *code = rg_cmd_fail(&err);
    return g;
}

void graph_tell(const char *path, const char *text)
{
    for (size_t n; *text; text += n + (text[n] == '\n')) {
        n = strcspn(text, "\n");
        rg_cmd_message("%s: %.*s", path, (int)n, text);
    }
}

const char *graph_author(void)
{
    const char *given = getenv("REGRAPH_AUTHOR");
    const struct passwd *p = given ? NULL : getpwuid(getuid());
    return given ? given : p && p->pw_name ? p->pw_name : "";
}

void graph_tell_places(const char *path, const char *text)
{
    for (size_t n; *text; text += n + (text[n] == '\n')) {
        n = strcspn(text, "\n");
        rg_cmd_message("%s:%.*s", path, (int)n, text);
    }
}

static char *called; /* "set coalesce tile.shared --prior 0.8" */

static enum rg_status save(const struct rg_regraph *g, const char *out, struct rg_error *err)
{
    if (strcmp(out, "-") != 0) return rg_regraph_save(g, out, err);
    struct rg_buf b = RG_BUF_INIT;
    enum rg_status s = rg_regraph_print(g, &b, err);
    if (s == RG_OK) fwrite(b.data, 1, b.len, stdout);
    rg_buf_release(&b);
    return s;
}

int graph_edit(const char *path, const char *out,
               enum rg_status (*edit)(struct rg_regraph *, void *, struct rg_error *), void *arg)
{
    struct rg_error err = RG_ERROR_INIT;
    int code = RG_EXIT_OK, lock = -1;
    bool in_place = strcmp(path, "-") != 0 && (!out || strcmp(out, path) == 0);
    char today[11];
    size_t len = 0;
    if (!out) out = path;
    /* A graph that does not exist should not leave a lock file behind: the missing file is the error to tell. */
    if (in_place && rg_file_exists(path) && rg_file_lock(path, 10, &lock, &err) != RG_OK) return rg_cmd_fail(&err);
    char *text = graph_read(path, &len, &code);
    struct rg_regraph *g = NULL, *then = NULL;
    rg_cmd_today(today);
    if (text) rg_regraph_parse(text, len, strcmp(path, "-") ? path : "standard input", &g, &err);
    if (g && in_place) then = rg_regraph_clone(g);
    if (g && rg_regraph_sign(g, graph_author(), today, &err) == RG_OK && edit(g, arg, &err) == RG_OK) {
        if (in_place)
            rg_regraph_keep(path, text, len, then, g, called, graph_author(), &err);
        else
            save(g, out, &err);
    }
    if (text && err.status != RG_OK) code = rg_cmd_fail(&err);
    free(text);
    rg_regraph_free(g);
    rg_regraph_free(then);
    if (lock >= 0) rg_file_unlock(lock);
    return code;
}

/* The call as the log tells of it: without the graph's own name. */
static void note_call(int argc, char **argv)
{
    struct rg_buf b = RG_BUF_INIT;
    rg_buf_str(&b, argv[1]);
    for (int i = 3; i < argc; i++) rg_buf_printf(&b, strpbrk(argv[i], " \"'\t\n") ? " '%s'" : " %s", argv[i]);
    called = rg_buf_steal(&b);
}

int main(int argc, char **argv)
{
#ifdef M_MXFAST
    mallopt(M_MXFAST, 0); /* a JSON tree is freed at once: fast bins are consolidated over and over meanwhile */
#endif
    rg_cmd_start("regraph-graph");
    if (argc > 1) note_call(argc, argv);
    return rg_cmd_end(rg_cmd_run_verb(&top, verbs, N_VERBS, argc, argv));
}
