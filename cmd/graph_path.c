/* regraph-graph path: the likeliest chains from one step to another. */
#include "cmd/graph_view.h"

#include <math.h>
#include <rg/regraph_tools.h>
#include <stdlib.h>

static void print_path(const struct rg_regraph *g, const struct rg_regraph_path *p)
{
    printf("%6.2f %%  %5.2fx  %s", 100 * p->share, exp(p->gain),
           graph_step_name(g, p->n ? rg_regraph_edge(g, p->edges[0])->from : -1));
    for (int i = 0; i < p->n; i++) printf(" -> %s", graph_step_name(g, rg_regraph_edge(g, p->edges[i])->to));
    printf("\n");
}

static void csv_path(const struct rg_regraph *g, const struct rg_regraph_path *p, struct rg_buf *out)
{
    struct rg_buf chain = RG_BUF_INIT;
    rg_buf_str(&chain, graph_step_name(g, p->n ? rg_regraph_edge(g, p->edges[0])->from : -1));
    for (int i = 0; i < p->n; i++) rg_buf_printf(&chain, " %s", graph_step_name(g, rg_regraph_edge(g, p->edges[i])->to));
    graph_csv_real(out, p->share);
    graph_csv_real(out, p->gain);
    graph_csv_text(out, chain.data);
    graph_csv_end(out);
    rg_buf_release(&chain);
}

int graph_path(int argc, char **argv)
{
    struct graph_view v = GRAPH_VIEW_INIT;
    int64_t most = 5;
    bool csv = false;
    const struct rg_option options[] = {
        GRAPH_VIEW_OPTIONS(v),
        RG_OPTION_INT("most", 'n', &most, "N", 1, 1000, "so many chains (5)"),
        RG_OPTION_FLAG("csv", 0, &csv, "a table: share, ln gain, chain"),
    };
    const struct rg_command cmd = {
        .name = "regraph-graph path",
        .example = "regraph-graph path graphs/cuda.json @start tile.two.level --class contraction",
        .usage = "GRAPH FROM TO [options]",
        .about = "The likeliest chains of steps from FROM to TO: the share that a search would give each, by the scores of its\n"
                 "edges alone, and what it is expected to gain. No step twice; what is barred (never) is not gone through.",
        .options = options,
        .n_options = RG_N_OPTIONS(options),
        .min_args = 3,
        .max_args = 3};
    struct rg_strings args = {0, 0, NULL};
    struct rg_error err = RG_ERROR_INIT;
    int code = rg_cmd_parse(&cmd, argc, argv, 2, &args), n = 0, told = -1;
    if (code < 0) code = graph_view_check(&cmd, &v);
    if (code < 0 && (v.category || v.near)) code = rg_cmd_usage(&cmd, "--category and --near are for show and export");
    struct rg_regraph *g = code < 0 ? graph_load(args.items[0], &code) : NULL;
    if (g) {
        int from = graph_step_named(g, args.items[0], args.items[1], &told);
        int to = told < 0 ? graph_step_named(g, args.items[0], args.items[2], &told) : -1;
        const struct rg_circumstances at = graph_view_at(&v);
        struct rg_regraph_path *paths = NULL;
        struct rg_buf text = RG_BUF_INIT;
        code = told < 0 ? RG_EXIT_OK : told;
        if (told < 0 && rg_regraph_paths(g, from, to, (int)most, &at, &paths, &n, &err) != RG_OK) code = rg_cmd_fail(&err);
        if (csv) rg_buf_str(&text, "share,gain,chain\r\n");
        for (int i = 0; i < n; i++) {
            if (csv) csv_path(g, &paths[i], &text);
            else print_path(g, &paths[i]);
        }
        if (code == RG_EXIT_OK && n == 0 && !csv) printf("no chain leads from %s to %s\n", args.items[1], args.items[2]);
        fwrite(text.data, 1, text.len, stdout);
        rg_buf_release(&text);
        rg_regraph_paths_free(paths, n);
    }
    rg_regraph_free(g);
    rg_strings_release(&args);
    return code;
}
