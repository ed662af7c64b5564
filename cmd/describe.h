/* Manual pages and shell completions, made of the option tables: an option that stands in its program's table is in all
 * of them, and in --help. `PROGRAM --describe FORM` prints one; `make` writes them into BUILD/share. */
#ifndef RG_CMD_DESCRIBE_H
#define RG_CMD_DESCRIBE_H
#include "cmd/common.h"

#define RG_DESCRIBE_FORMS "man|bash|zsh|fish"

/* Prints `c` in that form; inside rg_cmd_describe_verbs() the part of one verb. The exit code; 2: no such form. */
int rg_cmd_describe(const struct rg_command *c, const char *form);
/* A program of verbs: each verb is run with `--describe FORM`, so that its own table prints its part. */
int rg_cmd_describe_verbs(const struct rg_command *top, const struct rg_verb *verbs, int n, const char *form);
#endif
