/* regraph-graph: a file a group of verbs, one table here. */
#ifndef RG_CMD_GRAPH_H
#define RG_CMD_GRAPH_H
#include "cmd/common.h"
#include <rg/regraph.h>

/* NULL after the error was printed; *code is the exit code then. "-" is standard input. */
struct rg_regraph *graph_load(const char *path, int *code);
/* Whole text of a file or of "-", malloc'd; NULL after the error was printed. */
char *graph_read(const char *path, size_t *len, int *code);
/* Loads `path` under its lock, lets `edit` change it, saves to `out` (NULL: back to `path`; "-": standard output).
 * Nothing is written when edit fails. An edit in place leaves a backup and a line in the graph's log. */
int graph_edit(const char *path, const char *out,
               enum rg_status (*edit)(struct rg_regraph *, void *, struct rg_error *), void *arg);

/* Who edits: $REGRAPH_AUTHOR, else the user's login name; "" unknown. */
const char *graph_author(void);

/* `regraph-graph: path: line` on stderr for each line of text. */
void graph_tell(const char *path, const char *text);

/* The same for lines `line:column: text`: path:line:column: text. */
void graph_tell_places(const char *path, const char *text);

int graph_show(int argc, char **argv);
int graph_serve(int argc, char **argv);
int graph_import(int argc, char **argv);
int graph_path(int argc, char **argv);
int graph_check(int argc, char **argv);
int graph_diff(int argc, char **argv);
int graph_export(int argc, char **argv);
int graph_set(int argc, char **argv);
int graph_add_step(int argc, char **argv);
int graph_add_edge(int argc, char **argv);
int graph_remove(int argc, char **argv);
int graph_merge(int argc, char **argv);
int graph_compact(int argc, char **argv);
int graph_set_step(int argc, char **argv);
int graph_rename(int argc, char **argv);
int graph_undo(int argc, char **argv);
int graph_log(int argc, char **argv);
#endif
