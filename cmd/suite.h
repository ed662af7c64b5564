/* regraph-suite in parts: the problems, one search of each, the table over all, the graph that they taught, Slurm. */
#ifndef RG_CMD_SUITE_H
#define RG_CMD_SUITE_H
#include "cmd/common.h"
#include <rg/arena.h>
#include <rg/proc.h>
#include <signal.h>
#include <sys/types.h>

struct suite_problem {
    const char *name; /* of its folders and files: letters, digits, . _ + - */
    int n_args;
    const char **
        args; /* of regraph-search, the file first; what the suite itself gives (suite_search_argv) is not among them */
    const char *device; /* --device of these; "auto" */
    const char *cwd;    /* that names of files in args are relative to; absolute */
};

/* What stands in OUT/suite.json: all that a task needs to know. */
struct suite {
    struct rg_arena arena; /* owns all text below */
    const char *graph;     /* that is learnt into at the end; absolute; NULL: none is */
    const char *examples;  /* a model's examples, read alone; NULL none */
    int n, cap;
    struct suite_problem *items;
};

struct suite_options {
    const char *out, *graph, *devices, *slurm, *gres, *slurm_time, *mem;
    struct rg_strings slurm_options;
    int64_t jobs, task, cpus, warn_s;
    bool resume, force, learn, jsonl, quiet, prepare, collect, wait;
};

/* What became of a problem: OUT/results/NAME.json. */
struct suite_row {
    char name[128],
        state[16];    /* "ok", "slower" (verified, but not faster than the C), "failed", "stopped", "open" (not run) */
    int exit;         /* of regraph-search; -1: it has not run */
    char reason[600]; /* why it failed; "" */
    double seconds;
    char device[80];
    bool estimated;
    double naive_ms, best_ms, vs_naive, vs_sequential; /* NaN unknown */
    int64_t evaluations;
    char steps[600];
};

extern volatile sig_atomic_t suite_signal; /* that asks to stop; 0 none */

/* --- suite.c --- */
char *suite_path(const char *out, const char *folder, const char *name, const char *ending); /* malloc'd */

/* --- suite_read_json.c --- */
/* Adds what a positional argument names: a suite (.toml, .json), a saved problem (.json), a folder of .c files, a .c
 * file. `more`: options of regraph-search for all, after those of the suite. */
enum rg_status suite_add(struct suite *s, const char *arg, int n_more, char **more, struct rg_error *err);
enum rg_status suite_save(const struct suite *s, const char *path, struct rg_error *err);
enum rg_status suite_load(struct suite *s, const char *path, struct rg_error *err);
void suite_release(struct suite *s);

/* --- suite_toml.cc, or suite_toml_none.c where the library is not there --- */
/* A TOML document as JSON, malloc'd; NULL with the place and the reason. */
char *suite_toml_to_json(const char *text, size_t len, int *line, int *column, char *why, size_t size);

/* --- suite_task.c: one search --- */
struct suite_run {
    int problem; /* into suite.items */
    struct rg_proc proc;
    struct rg_buf out; /* its document */
    double began;
    char device[80];
    int lane;
    char owner[100]; /* what this process wrote to say that the run is its own; "" it did not */
    double looked;   /* when that was read last */
    bool told;       /* the signal was passed on */
};
/* OUT/results has what came of it, and another try would bring nothing new. */
bool suite_finished(const char *out, const struct suite_problem *p);
enum rg_status suite_run_start(struct suite_run *r, const struct suite *s, int problem, const char *out,
                               const char *device, struct rg_error *err);
/* Reads what it says, passes a signal on. False: it has ended, and its result is written. RG_CANCELED in *err: another
 * process has taken it over, and it was killed. */
bool suite_run_poll(struct suite_run *r, const struct suite *s, const char *out, struct suite_row *row,
                    struct rg_error *err);

/* --- suite_owner.c: whose a run is, on a folder that many machines share --- */
enum rg_status suite_own(struct suite_run *r, const struct suite *s, const char *out, struct rg_error *err);
bool suite_still_own(const struct suite_run *r, const struct suite *s, const char *out);
/* Is it time to look whether it is? */
bool suite_time_to_look(struct suite_run *r);
void suite_disown(const struct suite_run *r, const struct suite *s, const char *out);

/* --- suite_result_json.c --- */
/* From the exit code, the document on stdout and the messages on stderr of a search. */
enum rg_status suite_result_save(const char *path, const struct suite_row *ended, const char *document,
                                 struct suite_row *row, struct rg_error *err);
void suite_result_load(const char *path, const char *name, struct suite_row *row); /* "open" where there is none */
enum rg_status suite_table_save(const char *path, const struct suite_row *rows, int n, struct rg_error *err);
void suite_line(const char *event, const struct suite_row *row); /* one of --jsonl, to stdout */

/* --- suite_table.c --- */
void suite_table_print(const struct suite_row *rows, int n, FILE *to);
enum rg_status suite_table_markdown(const char *path, const struct suite_row *rows, int n, struct rg_error *err);

/* --- suite_local.c: on this machine --- */
/* Every problem that is not finished. RG_CANCELED: a signal. */
enum rg_status suite_local(const struct suite *s, const struct suite_options *o, const char *out, struct rg_error *err);

/* --- suite_collect.c --- */
/* OUT/graph.json: what the searches began with, and the evidence of all; that evidence into s->graph too. */
enum rg_status suite_collect(const struct suite *s, const char *out, int *n_rows, struct rg_error *err);

/* --- suite_slurm.c --- */
/* A job array of the unfinished problems, and a job that collects once they have ended. */
enum rg_status suite_submit(const struct suite *s, const struct suite_options *o, const char *out,
                            struct rg_error *err);
/* In a task: asks Slurm to run it again later. False: this is no Slurm job, or it refuses. */
bool suite_requeue(void);
#endif
