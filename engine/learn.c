/* Evidence into the graph file: re-read, merged and saved under its lock; into a file beside it when that fails. */
#include "engine/engine.h"
#include <glob.h>
#include <rg/buf.h>
#include <rg/file.h>
#include <rg/log.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double lock_wait_s = 10;

/* A run id may hold anything; a file name may not. */
static char *pending_path(const char *path, const struct rg_search_row *rows, int n)
{
    char *run = rg_xstrdup(n && rows[0].row.run ? rows[0].row.run : "unnamed");
    for (char *p = run; *p; p++)
        if (!strchr("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_", *p)) *p = '_';
    char *out = rg_xasprintf("%s.pending-%s.json", path, run);
    free(run);
    return out;
}

static enum rg_status leave_pending(const char *path, const struct rg_search_row *rows, int n,
                                    const struct rg_regraph *used, const char *why, struct rg_error *err)
{
    char *name = pending_path(path, rows, n);
    struct rg_error e = RG_ERROR_INIT;
    enum rg_status st = rg_evidence_save(name, rows, n, used, &e);
    if (st == RG_OK)
        rg_error_set(err, RG_IO,
                     "the graph '%s' was not updated (%s); this run's evidence is in '%s' and enters with the "
                     "next run that can",
                     path, why, name);
    else
        rg_error_set(err, RG_IO, "the graph '%s' was not updated (%s), nor could its evidence be kept: %s", path, why,
                     e.text);
    free(name);
    return RG_IO;
}

/* Rows that an earlier run could not merge. Its file goes only after the graph is saved. */
static bool absorb(struct rg_regraph *g, const char *name)
{
    struct rg_error e = RG_ERROR_INIT;
    int n;
    bool ok = rg_evidence_join(g, name, false, &n, &e) == RG_OK;
    if (!ok) rg_log(RG_LOG_WARN, "evidence cannot be used: %s", e.text);
    return ok;
}

enum rg_status rg_search_learn(const char *path, const struct rg_search_row *rows, int n, const struct rg_regraph *used,
                               struct rg_error *err)
{
    int fd = -1;
    struct rg_error e = RG_ERROR_INIT;
    if (rg_file_lock(path, lock_wait_s, &fd, &e) != RG_OK) return leave_pending(path, rows, n, used, e.text, err);
    struct rg_regraph *g = NULL;
    enum rg_status st = rg_regraph_load(path, &g, &e);
    for (int i = 0; i < n && st == RG_OK; i++) {
        const struct rg_edge *x = rg_regraph_edge(used, rows[i].edge);
        int edge = rg__edge_named(g, rg__step_name(used, x->from), rg__step_name(used, x->to));
        if (edge < 0) {
            rg_log(RG_LOG_WARN, "'%s' has lost its edge from %s to %s; its evidence stays in the journal", path,
                   rg__step_name(used, x->from), rg__step_name(used, x->to));
            continue;
        }
        st = rg_regraph_learn(g, edge, &rows[i].row, &e);
    }
    glob_t found = {0};
    char *pattern = rg_xasprintf("%s.pending-*.json", path);
    bool any = st == RG_OK && glob(pattern, 0, NULL, &found) == 0;
    bool *used_up = rg_xcalloc(found.gl_pathc + 1, sizeof *used_up);
    for (size_t i = 0; any && i < found.gl_pathc; i++) used_up[i] = absorb(g, found.gl_pathv[i]);
    if (st == RG_OK) st = rg_regraph_save(g, path, &e);
    for (size_t i = 0; any && st == RG_OK && i < found.gl_pathc; i++)
        if (used_up[i]) unlink(found.gl_pathv[i]);
    if (any) globfree(&found);
    free(used_up);
    free(pattern);
    rg_regraph_free(g);
    rg_file_unlock(fd);
    return st == RG_OK ? RG_OK : leave_pending(path, rows, n, used, e.text, err);
}
