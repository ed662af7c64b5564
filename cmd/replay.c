/* regraph-replay: rebuild a graph's evidence from journals, the truth that it came from, or write what models can be
 * trained on. */
#include "cmd/common.h"
#include "cmd/replay_export.h"

#include <rg/file.h>
#include <rg/regraph.h>
#include <rg/search.h>
#include <stdlib.h>
#include <string.h>

static enum rg_status take(struct rg_regraph *g, const char *path, int *n_rows, struct rg_error *err)
{
    struct rg_search_row *rows = NULL;
    int n = 0;
    enum rg_status s;
    if (rg_evidence_is(path)) {
        s = rg_evidence_join(g, path, false, &n, err);
    } else {
        s = rg_journal_evidence(path, g, &rows, &n, err);
        for (int i = 0; i < n && s == RG_OK; i++) s = rg_regraph_join(g, rows[i].edge, &rows[i].row, err);
        rg_search_rows_free(rows, n);
    }
    *n_rows += n;
    return s;
}

static enum rg_status replay(const char *graph, const struct rg_strings *journals, const char *out, int *n_rows,
                             struct rg_error *err)
{
    struct rg_regraph *g;
    int rows = 0;
    enum rg_status s = rg_regraph_load(graph, &g, err);
    if (s != RG_OK) return s;
    /* Joined, so the order does not matter; of two tellings of one run (a copy cut short) the fuller stays. */
    for (int i = 0; i < journals->n && s == RG_OK; i++) s = take(g, journals->items[i], &rows, err);
    if (s == RG_OK && strcmp(out, "-") == 0) {
        struct rg_buf b = RG_BUF_INIT;
        s = rg_regraph_print(g, &b, err);
        fwrite(b.data, 1, b.len, stdout);
        rg_buf_release(&b);
    } else if (s == RG_OK) {
        s = rg_regraph_save(g, out, err);
    }
    *n_rows = rows;
    rg_regraph_free(g);
    return s;
}

static int export_kind(const char *word)
{
    int k = 0;
    while (k < N_REPLAY_EXPORTS && strcmp(replay_export_words[k], word)) k++;
    return k;
}

static enum rg_status export_to(const char *kind, const struct rg_strings *journals, const char *record,
                                const char *split, const char *out, struct rg_error *err)
{
    struct rg_buf text = RG_BUF_INIT;
    int n = 0;
    enum rg_status s = replay_export((enum replay_export)export_kind(kind), (char *const *)journals->items, journals->n,
                                     record, split, &text, &n, err);
    if (s == RG_OK && out && strcmp(out, "-"))
        s = rg_file_write(out, text.data ? text.data : "", text.len, err);
    else if (s == RG_OK && text.len)
        fwrite(text.data, 1, text.len, stdout);
    if (s == RG_OK) rg_cmd_message("%d lines from %d journals", n, journals->n);
    rg_buf_release(&text);
    return s;
}

int main(int argc, char **argv)
{
    const char *graph = NULL, *out = NULL, *kind = NULL, *record = NULL, *split = NULL;
    const struct rg_option options[] = {
        RG_OPTION_TEXT("graph", 'g', &graph, "FILE",
                       "the graph to add the evidence to (graph-before.json of the first run)"),
        RG_OPTION_TEXT("output", 'o', &out, "NEW", "where the result goes; - is standard output"),
        RG_OPTION_TEXT("export", 0, &kind, "KIND",
                       "instead of evidence JSON lines to train models on: sft (replies that gained), preference (the "
                       "better of two "
                       "replies), steps (which step next, by any coder)"),
        RG_OPTION_TEXT("llm-record", 0, &record, "FILE",
                       "with --export: the requests and replies (default: llm.jsonl beside each journal)"),
        RG_OPTION_TEXT("split", 0, &split, "WHICH",
                       "with --export: train or test alone; a problem is in one of them, by its hash"),
    };
    const struct rg_command cmd = {
        .name = "regraph-replay",
        .example = "regraph-replay out/sgemm/journal.jsonl --graph out/sgemm/graph-before.json -o learnt.json",
        .usage = "JOURNAL... --graph FILE -o NEW | --export sft|preference|steps JOURNAL... [-o FILE]",
        .about =
            "Rebuilds evidence from the journals of runs (or from their evidence files, regraph-search --evidence).\n"
            "The result is, byte for byte and in any order, the graph that those runs wrote.",
        .options = options,
        .n_options = RG_N_OPTIONS(options),
        .min_args = 1,
        .max_args = -1};
    struct rg_strings journals = {0, 0, NULL};
    struct rg_error err = RG_ERROR_INIT;
    int n_rows = 0;
    rg_cmd_start("regraph-replay");
    int code = rg_cmd_parse(&cmd, argc, argv, 1, &journals);
    if (code < 0 && kind && export_kind(kind) == N_REPLAY_EXPORTS)
        code = rg_cmd_usage(&cmd, "--export is sft, preference or steps");
    if (code < 0 && split && strcmp(split, "train") && strcmp(split, "test"))
        code = rg_cmd_usage(&cmd, "--split is train or test");
    if (code < 0 && kind) {
        code = export_to(kind, &journals, record, split, out, &err) == RG_OK ? RG_EXIT_OK : rg_cmd_fail(&err);
        rg_strings_release(&journals);
        return rg_cmd_end(code);
    }
    if (code < 0 && !graph) code = rg_cmd_usage(&cmd, "--graph FILE is needed");
    if (code < 0 && !out) code = rg_cmd_usage(&cmd, "-o NEW is needed");
    if (code < 0) {
        code = replay(graph, &journals, out, &n_rows, &err) == RG_OK ? RG_EXIT_OK : rg_cmd_fail(&err);
        if (code == RG_EXIT_OK) rg_cmd_message("%d rows of evidence from %d journals", n_rows, journals.n);
    }
    rg_strings_release(&journals);
    return rg_cmd_end(code);
}
