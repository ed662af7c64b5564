/* The edits of a graph file: each leaves a dated backup and a line in its log, GRAPH.history/log.jsonl, and can be
 * undone. */
#ifndef RG_REGRAPH_HISTORY_H
#define RG_REGRAPH_HISTORY_H
#include <rg/regraph.h>

struct rg_edit {
    int64_t number;     /* 1, 2, ...: its backup is GRAPH.history/NUMBER.json */
    const char *at;     /* "2026-11-23T11:24:52Z" */
    const char *author; /* "" unknown */
    const char *did;    /* "set coalesce tile.shared --prior 0.8" */
    int n_changes;
    const char **changes; /* lines of rg_regraph_diff */
    int64_t undoes;       /* the number of the edit that this one took back; 0 none */
    bool undone;
};

struct rg_edit_log {
    int n;
    struct rg_edit *edits; /* oldest first */
    struct rg_arena *arena;
};

/* rg_regraph_keep - saves g over `path`, which holds the text `before`, with a backup of it and a line in the log.
 * then: the graph of that text; NULL: it is parsed.
 * Where the texts are equal nothing happens. Threads: under the file's lock. Errors RG_IO: the file is as it was.
 * The last 100 backups are kept. */
enum rg_status rg_regraph_keep(const char *path, const char *before, size_t before_len, const struct rg_regraph *then,
                               const struct rg_regraph *g, const char *did, const char *author, struct rg_error *err);
/* rg_regraph_undo - takes the last edit back that was not taken back before. What was learnt since stays.
 * told: what was undone, one line. Errors RG_INPUT: there is none, or the file was changed since by other means.
 * Threads: under the file's lock. */
enum rg_status rg_regraph_undo(const char *path, const char *author, struct rg_buf *told, struct rg_error *err);
/* No log is an empty one. A line that is not understood is RG_INPUT with its place. */
enum rg_status rg_regraph_log_read(const char *path, struct rg_edit_log *out, struct rg_error *err);
void rg_regraph_log_release(struct rg_edit_log *l);
#endif
