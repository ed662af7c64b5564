/* What the programs share: option tables that parse, print --help and are tested against the manual; messages
 * `regraph-x: ...` on stderr; exit codes (design section 8); colour only where it is wanted. Only cmd/ prints. */
#ifndef RG_CMD_COMMON_H
#define RG_CMD_COMMON_H
#include <rg/buf.h>
#include <rg/error.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { RG_EXIT_OK = 0, RG_EXIT_SLOWER = 1, RG_EXIT_USAGE = 2, RG_EXIT_INPUT = 3, RG_EXIT_DEVICE = 4 };

struct rg_strings { /* borrowed from argv, in order */
    int n, cap;
    const char **items;
};
void rg_strings_add(struct rg_strings *s, const char *item);
void rg_strings_release(struct rg_strings *s);

enum rg_option_kind {
    RG_OPT_FLAG,    /* bool *: --name sets it */
    RG_OPT_CLEAR,   /* bool *: --no-learn clears `learn` */
    RG_OPT_FLAG_OF, /* const char **: --name sets "", --name=WORD one of the words of `arg`, "passes|other" */
    RG_OPT_TEXT_OF, /* const char **: --name sets "", --name=TEXT that text */
    RG_OPT_TEXT,    /* const char **, borrowed from argv; the last one wins */
    RG_OPT_LIST,    /* struct rg_strings *: may be repeated */
    RG_OPT_INT,     /* int64_t *, within [low, high] */
    RG_OPT_REAL,    /* double *, within [low, high], finite */
    RG_OPT_SECONDS, /* double *: 90, 90s, 10min, 1.5h, 500ms, 2d */
    RG_OPT_CHOICE,  /* const char **: one of the words of `arg`, "auto|cuda|sim" */
    RG_OPT_HEADING  /* no option: a heading of --help */
};

struct rg_option {
    enum rg_option_kind kind;
    const char *name; /* without the dashes */
    char letter;      /* 'o' for -o; 0 none */
    void *value;
    const char *arg;  /* "FILE": the placeholder of --help */
    const char *help; /* one line or more; says the default */
    double low, high; /* INT, REAL; both 0: any */
};

/* Table entries, in the order of --help. */
#define RG_OPTION_FLAG(name, letter, value, help)                                                                      \
    {                                                                                                                  \
        RG_OPT_FLAG, name, letter, value, NULL, help, 0, 0                                                             \
    }
#define RG_OPTION_CLEAR(name, value, help)                                                                             \
    {                                                                                                                  \
        RG_OPT_CLEAR, name, 0, value, NULL, help, 0, 0                                                                 \
    }
#define RG_OPTION_FLAG_OF(name, letter, value, words, help)                                                            \
    {                                                                                                                  \
        RG_OPT_FLAG_OF, name, letter, value, words, help, 0, 0                                                         \
    }
#define RG_OPTION_TEXT_OF(name, letter, value, arg, help)                                                              \
    {                                                                                                                  \
        RG_OPT_TEXT_OF, name, letter, value, arg, help, 0, 0                                                           \
    }
#define RG_OPTION_TEXT(name, letter, value, arg, help)                                                                 \
    {                                                                                                                  \
        RG_OPT_TEXT, name, letter, value, arg, help, 0, 0                                                              \
    }
#define RG_OPTION_LIST(name, letter, value, arg, help)                                                                 \
    {                                                                                                                  \
        RG_OPT_LIST, name, letter, value, arg, help, 0, 0                                                              \
    }
#define RG_OPTION_INT(name, letter, value, arg, low, high, help)                                                       \
    {                                                                                                                  \
        RG_OPT_INT, name, letter, value, arg, help, low, high                                                          \
    }
#define RG_OPTION_REAL(name, letter, value, arg, low, high, help)                                                      \
    {                                                                                                                  \
        RG_OPT_REAL, name, letter, value, arg, help, low, high                                                         \
    }
#define RG_OPTION_SECONDS(name, letter, value, arg, help)                                                              \
    {                                                                                                                  \
        RG_OPT_SECONDS, name, letter, value, arg, help, 0, 0                                                           \
    }
#define RG_OPTION_CHOICE(name, letter, value, words, help)                                                             \
    {                                                                                                                  \
        RG_OPT_CHOICE, name, letter, value, words, help, 0, 0                                                          \
    }
#define RG_OPTION_HEADING(text)                                                                                        \
    {                                                                                                                  \
        RG_OPT_HEADING, NULL, 0, NULL, NULL, text, 0, 0                                                                \
    }

struct rg_command {
    const char *name;    /* "regraph-search" or "regraph-graph show" */
    const char *example; /* first thing --help shows */
    const char *usage;   /* "FILE.c [options]" */
    const char *about;   /* what it does: plain text, wrapped by hand */
    const struct rg_option *options;
    int n_options;
    int min_args, max_args; /* positional; max_args < 0: any number */
    const char *notes;      /* after the options; NULL none */
};
/* An option is one line of its program's table: --help, the manual page and the completions are made of it
 * (cmd/describe.h). A value whose placeholder holds FILE, DIR or FOLDER is completed as a path. */
#define RG_N_OPTIONS(table) ((int)(sizeof(table) / sizeof(table)[0]))

bool rg_option_takes_value(const struct rg_option *o);

/* A program of verbs has a table of these; each verb has a struct rg_command of its own. */
struct rg_verb {
    const char *name;
    const char *about;                 /* one line of the program's --help */
    int (*run)(int argc, char **argv); /* argv[1] is the verb; returns the exit code */
};
/* main of such a program: runs the verb that argv[1] names; --help, --version and --describe are those of `top`. */
int rg_cmd_run_verb(const struct rg_command *top, const struct rg_verb *verbs, int n, int argc, char **argv);

/* Once, first in main: the program's name for messages, warnings of the libraries to stderr. */
void rg_cmd_start(const char *program);
/* "2026-11-23", UTC. */
void rg_cmd_today(char out[11]);
/* This host's name; "" unknown. */
void rg_cmd_host(char *out, size_t size);
/* "0.1" */
const char *rg_cmd_version(void);
/* Lets debug and info messages of the libraries through too (0 warnings, 1 info, 2 debug). */
void rg_cmd_verbosity(int level);

/* Parses argv[first..]. `--name value`, `--name=value`, `-o value`, `-ovalue`, `--` ends options; an unambiguous
 * prefix is no option (scripts would break when options are added).
 * -1: go on; else the exit code to end with (--help and --version were printed, or a usage error was). */
int rg_cmd_parse(const struct rg_command *c, int argc, char **argv, int first, struct rg_strings *args);
void rg_cmd_help(const struct rg_command *c, FILE *to);

/* `regraph-x: text` on stderr. */
void rg_cmd_message(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Prints the error with its place; returns its exit code. */
int rg_cmd_fail(const struct rg_error *err);
/* Prints the message and where help is; returns 2. */
int rg_cmd_usage(const struct rg_command *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Flushes and closes stdout: a full disk behind `> file` is an error, not a success. Returns `code`, or 3 where
 * `code` was 0 and the output is incomplete. Last in main. */
int rg_cmd_end(int code);

/* A terminal on which a line can be written over: isatty, TERM not "dumb" nor unset. */
bool rg_cmd_terminal(FILE *f);
/* Its columns (TIOCGWINSZ, else $COLUMNS, else 80), at least 20. */
int rg_cmd_columns(FILE *f);
/* Terminal with colours: isatty, TERM not "dumb", NO_COLOR unset or empty. */
bool rg_cmd_color(FILE *f);
/* "\033[..m" around, or plain: rg_cmd_paint(stdout, "1", "text"). The result lives until the fourth call after it. */
const char *rg_cmd_paint(FILE *f, const char *sgr, const char *text);

/* The same for programs that take one argument, or none: it goes to *arg, NULL without. */
int rg_cmd_parse_one(const struct rg_command *c, int argc, char **argv, const char **arg);

/* --- machine.c --- */
/* The C compiler, the words of CC or `cc`, with further words (NULL-terminated, 7 at most): the first line of what it
 * prints, or complains of where it fails; false then, or when it does not end within 10 s. */
bool rg_cmd_cc(const char *const *more, char *out, size_t size);
/* First line of what `program option` prints; false when it does not run within 10 s. */
bool rg_cmd_first_line(const char *program, const char *option, char *out, size_t size);
/* The model of the processor; "" unknown. */
void rg_cmd_processor(char *out, size_t size);
/* What compiles the user's C, with its version and flags. */
void rg_cmd_compiler(const char *flags, char *out, size_t size);

/* $XDG_CACHE_HOME/regraph, else ~/.cache/regraph; malloc'd. NULL: there is no home. It need not exist. */
char *rg_cmd_cache_dir(void);

/* 10min, 1.5h, 90, 500ms; false when it is none of these, negative or not finite. */
bool rg_cmd_seconds(const char *text, double *out);
#endif
