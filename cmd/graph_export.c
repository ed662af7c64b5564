/* regraph-graph export, import. */
#include "cmd/graph_view.h"

#include <rg/regraph_tools.h>
#include <stdlib.h>
#include <string.h>

int graph_export(int argc, char **argv)
{
    struct graph_view v = GRAPH_VIEW_INIT;
    const char *format = "dot";
    const struct rg_option options[] = {
        RG_OPTION_CHOICE("format", 'f', &format, "dot|json", "GraphViz, or the canonical JSON (dot)"), GRAPH_VIEW_OPTIONS(v)};
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
