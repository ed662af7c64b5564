/* The graph that a suite's searches taught together: the union of their evidence, whatever order they ended in. */
#include "cmd/suite.h"

#include <rg/file.h>
#include <rg/regraph.h>
#include <rg/search.h>
#include <stdlib.h>
#include <string.h>

enum { LOCK_WAIT_S = 60 };

/* A run that was killed has left no evidence file: its journal tells the same. */
static enum rg_status join_journal(struct rg_regraph *g, const char *path, int *n, struct rg_error *err)
{
    struct rg_search_row *rows = NULL;
    enum rg_status st = rg_journal_evidence(path, g, &rows, n, err);
    for (int i = 0; i < *n && st == RG_OK; i++) st = rg_regraph_learn(g, rows[i].edge, &rows[i].row, err);
    rg_search_rows_free(rows, *n);
    return st;
}

/* The folder holds the last telling of every run: it takes the place of what an earlier collection had found. */
static enum rg_status join_all(struct rg_regraph *g, const struct suite *s, const char *out, bool tell, int *n_rows,
                               struct rg_error *err)
{
    *n_rows = 0;
    for (int i = 0; i < s->n; i++) {
        char *evidence = suite_path(out, "evidence", s->items[i].name, ".json"),
             *folder = suite_path(out, "runs", s->items[i].name, "");
        char *journal = rg_xasprintf("%s/journal.jsonl", folder), text[1600];
        struct rg_error e = RG_ERROR_INIT;
        int n = 0;
        enum rg_status st = RG_OK;
        /* an evidence file is of a run that came to an end; where the run goes on after that its journal knows more */
        if (rg_file_exists(evidence) && suite_finished(out, &s->items[i]))
            st = rg_evidence_join(g, evidence, true, &n, &e);
        else if (rg_file_exists(journal))
            st = join_journal(g, journal, &n, &e);
        if (st == RG_OK)
            *n_rows += n;
        else if (tell)
            rg_cmd_message("'%s' taught nothing: %s", s->items[i].name, rg_error_format(&e, text, sizeof text));
        free(evidence);
        free(folder);
        free(journal);
        if (st == RG_NOMEM || st == RG_BUG) return rg_error_set(err, st, "%s", e.text);
    }
    return RG_OK;
}

static enum rg_status join_into(const char *from, const char *to, const struct suite *s, const char *out, bool tell,
                                int *n_rows, struct rg_error *err)
{
    struct rg_regraph *g = NULL;
    enum rg_status st = rg_regraph_load(from, &g, err);
    if (st == RG_OK) st = join_all(g, s, out, tell, n_rows, err);
    if (st == RG_OK) st = rg_regraph_save(g, to, err);
    rg_regraph_free(g);
    return st;
}

enum rg_status suite_collect(const struct suite *s, const char *out, int *n_rows, struct rg_error *err)
{
    char *before = suite_path(out, NULL, "graph-before", ".json"), *after = suite_path(out, NULL, "graph", ".json");
    int lock = -1, n;
    enum rg_status st = join_into(before, after, s, out, true, n_rows, err);
    if (st == RG_OK && s->graph) {
        st = rg_file_lock(s->graph, LOCK_WAIT_S, &lock, err);
        if (st == RG_OK) st = join_into(s->graph, s->graph, s, out, false, &n, err);
        if (st != RG_OK) rg_error_prefix(err, "what the searches learnt is in '%s', but not in your graph", after);
        if (lock >= 0) rg_file_unlock(lock);
    }
    free(before);
    free(after);
    return st;
}
