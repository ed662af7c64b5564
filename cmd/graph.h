/* regraph-graph: a file a group of verbs, one table here. */
#ifndef RG_CMD_GRAPH_H
#define RG_CMD_GRAPH_H
#include "cmd/common.h"
#include <rg/regraph.h>

/* NULL after the error was printed; *code is the exit code then. "-" is standard input. */
struct rg_regraph *graph_load(const char *path, int *code);
/* The same with what rg_regraph_parse_noting notes. */
struct rg_regraph *graph_load_noting(const char *path, struct rg_buf *notes, int *code);
/* Whole text of a file or of "-", malloc'd; NULL after the error was printed. */
char *graph_read(const char *path, size_t *len, int *code);
/* Loads `path` under its lock, lets `edit` change it, saves to `out` (NULL: back to `path`; "-": standard output).
 * Nothing is written when edit fails. */
int graph_edit(const char *path, const char *out,
               enum rg_status (*edit)(struct rg_regraph *, void *, struct rg_error *), void *arg);

/* `regraph-graph: path: line` on stderr for each line of text. */
void graph_tell(const char *path, const char *text);

int graph_show(int argc, char **argv);
int graph_check(int argc, char **argv);
int graph_diff(int argc, char **argv);
int graph_export(int argc, char **argv);
int graph_set(int argc, char **argv);
int graph_add_step(int argc, char **argv);
int graph_add_edge(int argc, char **argv);
int graph_remove(int argc, char **argv);
int graph_merge(int argc, char **argv);
int graph_compact(int argc, char **argv);
#endif
