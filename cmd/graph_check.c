/* regraph-graph check, diff. */
#include "cmd/graph.h"

#include <rg/poly.h>
#include <rg/regraph_tools.h>
#include <stdlib.h>
#include <string.h>

/* Legal: a newer program may know them. Said all the same, as a misspelt one is never offered. */
static void list_unknown_edits(const struct rg_regraph *g, struct rg_buf *out)
{
    for (int i = 0; i < rg_regraph_steps(g); i++) {
        const struct rg_step *s = rg_regraph_step(g, i);
        if (s->poly && !rg_poly_knows(s->poly))
            rg_buf_printf(out, "%s%s (step %s)",
                          out->len ? ", " : "; edits that the built-in coder does not know: ", s->poly, s->id);
    }
}

enum { PLACES_MOST = 10 }; /* of what is told with its place, where not all is asked for */

/* Lines "L:C: what", all or the first of them. */
static void tell_some(const char *path, const char *text, bool all)
{
    const char *end = text;
    int n = 0, more = 0;
    for (; *end && (all || n < PLACES_MOST); n++) end += strcspn(end, "\n") + 1;
    for (const char *p = end; (p = strchr(p, '\n')); p++) more++;
    char *some = rg_xstrndup(text, (size_t)(end - text));
    graph_tell_places(path, some);
    if (more) rg_cmd_message("%s: %d more like these: --all tells them", path, more);
    free(some);
}

/* What else is wrong with a file that could not be read: the loader stops at the first error, the schema does not. */
static void tell_schema(const char *path, const char *lines, const struct rg_error *first)
{
    for (const char *p = lines, *end; p && (end = strchr(p, '\n')); p = end + 1)
        if (!first || atoi(p) != first->line) rg_cmd_message("%s:%.*s", path, (int)(end - p), p);
}

static int check_one(const char *path, bool strict, bool all)
{
    struct rg_buf doubts = RG_BUF_INIT, places = RG_BUF_INIT, schema = RG_BUF_INIT, edits = RG_BUF_INIT;
    struct rg_error err = RG_ERROR_INIT, other = RG_ERROR_INIT;
    struct rg_regraph *g = NULL;
    int code = RG_EXIT_OK, n_schema = 0;
    size_t len = 0;
    char *text = graph_read(path, &len, &code);
    const char *name = strcmp(path, "-") ? path : "standard input";
    if (!text) return code;
    rg_regraph_parse_noting(text, len, name, &places, &g, &err);
    rg_regraph_schema_check(text, len, name, &schema, &n_schema, &other);
    if (!g) code = rg_cmd_fail(&err);
    if (other.status == RG_BUG) code = rg_cmd_fail(&other);
    tell_schema(name, schema.data, g ? NULL : &err);
    if (g) {
        list_unknown_edits(g, &edits);
        int n = rg_regraph_review(g, all, &doubts, &err);
        if (n < 0) code = rg_cmd_fail(&err);
        if (n >= 0) {
            n += n_schema;
            for (const char *p = places.data; (p = strchr(p, '\n')); p++) n++;
            tell_some(name, places.data ? places.data : "", all);
            graph_tell(name, doubts.data);
            if (n > 0 && strict) code = RG_EXIT_INPUT;
            printf("%s: %s: %d steps, %d edges, %d doubts%s\n", path, rg_regraph_name(g), rg_regraph_steps(g),
                   rg_regraph_edges(g), n, edits.data);
        }
    }
    free(text);
    rg_buf_release(&doubts);
    rg_buf_release(&places);
    rg_buf_release(&schema);
    rg_buf_release(&edits);
    rg_regraph_free(g);
    return code;
}

int graph_check(int argc, char **argv)
{
    bool strict = false, all = false;
    const struct rg_option options[] = {RG_OPTION_FLAG("strict", 0, &strict, "exit 3 when there are doubts, too"),
                                        RG_OPTION_FLAG("all", 0, &all, "every doubt, where many are alike")};
    const struct rg_command cmd = {
        .name = "regraph-graph check",
        .example = "regraph-graph check graphs/cuda.json",
        .usage = "GRAPH... [options]",
        .about =
            "Reads graphs whole, and holds them against docs/graph.schema.json. What is wrong is an error with\n"
            "file:line:column (exit 3); what is legal but probably not meant (unknown members, steps that can't be\n"
            "reached, endless chains) is told and passes; many of one kind in one line.",
        .options = options,
        .n_options = RG_N_OPTIONS(options),
        .min_args = 1,
        .max_args = -1};
    struct rg_strings args = {0, 0, NULL};
    int code = rg_cmd_parse(&cmd, argc, argv, 2, &args), worst = RG_EXIT_OK;
    for (int i = 0; code < 0 && i < args.n; i++) {
        int bad = check_one(args.items[i], strict, all);
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
