/* One search of a suite: started or resumed, told of signals, its result written. */
#include "cmd/suite.h"

#include <errno.h>
#include <fcntl.h>
#include <rg/file.h>
#include <rg/places.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

bool suite_finished(const char *out, const struct suite_problem *p)
{
    struct suite_row row;
    char *path = suite_path(out, "results", p->name, ".json");
    suite_result_load(path, p->name, &row);
    free(path);
    /* 6: the budget was spent and nothing verified; the same again gives the same */
    return row.exit == RG_EXIT_OK || row.exit == RG_EXIT_SLOWER || row.exit == 6;
}

/* A journal that was begun, and the graph it began with: what --resume needs. */
static bool resumable(const char *folder)
{
    char *journal = rg_xasprintf("%s/journal.jsonl", folder), *graph = rg_xasprintf("%s/graph-before.json", folder);
    struct stat st;
    bool yes = stat(journal, &st) == 0 && st.st_size > 0 && rg_file_exists(graph);
    free(journal);
    free(graph);
    return yes;
}

enum rg_status suite_run_start(struct suite_run *r, const struct suite *s, int problem, const char *out,
                               const char *device, struct rg_error *err)
{
    const struct suite_problem *p = &s->items[problem];
    char *search = rg_place_program("regraph-search"), *graph = suite_path(out, NULL, "graph-before", ".json");
    char *folder = suite_path(out, "runs", p->name, ""), *evidence = suite_path(out, "evidence", p->name, ".json");
    const char **argv = rg_xcalloc((size_t)p->n_args + 16, sizeof *argv);
    int n = 0;
    argv[n++] = search;
    for (int i = 0; i < p->n_args; i++) argv[n++] = p->args[i];
    argv[n++] = "--out", argv[n++] = folder;
    argv[n++] = "--graph", argv[n++] = graph;
    argv[n++] = "--evidence", argv[n++] = evidence;
    argv[n++] = "--json", argv[n++] = "--quiet";
    if (device) argv[n++] = "--device", argv[n++] = device;
    if (s->examples) argv[n++] = "--llm-examples", argv[n++] = s->examples;
    argv[n++] = resumable(folder) ? "--resume" : "--force";
    const struct rg_proc_options o = {.argv = argv, .cwd = p->cwd, .pass_fd = -1};
    r->problem = problem;
    r->began = rg_now();
    snprintf(r->device, sizeof r->device, "%s", device ? device : p->device);
    enum rg_status st = rg_proc_start(&r->proc, &o, err);
    free(argv);
    free(search);
    free(graph);
    free(folder);
    free(evidence);
    return st;
}

/* What it said, for people: behind what earlier tries said. */
static void keep_log(const char *out, const struct suite_problem *p, const struct rg_proc *proc)
{
    char *path = suite_path(out, "logs", p->name, ".log");
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (fd >= 0 && proc->err_tail.len) (void)!write(fd, proc->err_tail.data, proc->err_tail.len);
    if (fd >= 0) close(fd);
    free(path);
}

/* The last line on stderr, without the program's name: why it failed. */
static void last_words(const struct rg_proc *proc, char *to, size_t size)
{
    const char *text = proc->err_tail.len ? proc->err_tail.data : "", *last = "";
    size_t len = 0;
    for (const char *p = text; *p;) {
        size_t n = strcspn(p, "\n");
        if (n) last = p, len = n;
        p += n + (p[n] == '\n');
    }
    static const char program[] = "regraph-search: ";
    if (len > strlen(program) && !strncmp(last, program, strlen(program)))
        last += strlen(program), len -= strlen(program);
    snprintf(to, size, "%.*s", (int)len, last);
}

static enum rg_status ended(struct suite_run *r, const struct suite *s, const char *out, struct suite_row *row,
                            struct rg_error *err)
{
    const struct suite_problem *p = &s->items[r->problem];
    int status = rg_proc_wait(&r->proc, 30);
    struct suite_row e = {.seconds = rg_now() - r->began};
    e.exit = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    snprintf(e.name, sizeof e.name, "%s", p->name);
    snprintf(e.device, sizeof e.device, "%s", r->device);
    if (e.exit != RG_EXIT_OK) last_words(&r->proc, e.reason, sizeof e.reason);
    if (WIFSIGNALED(status))
        snprintf(e.reason, sizeof e.reason, "regraph-search was killed by signal %d (%s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    keep_log(out, p, &r->proc);
    char *path = suite_path(out, "results", p->name, ".json");
    enum rg_status st = suite_result_save(path, &e, r->out.len ? r->out.data : "", row, err);
    free(path);
    return st;
}

bool suite_run_poll(struct suite_run *r, const struct suite *s, const char *out, struct suite_row *row,
                    struct rg_error *err)
{
    char *line = NULL;
    if (suite_signal && !r->told) {
        /* it keeps its best and its journal, and ends; a second one kills it with us */
        kill(r->proc.pid, suite_signal == SIGUSR1 ? SIGUSR1 : SIGINT);
        r->told = true;
    }
    if (suite_time_to_look(r) && !suite_still_own(r, s, out)) {
        rg_proc_kill(&r->proc);
        rg_buf_release(&r->out);
        rg_error_set(err, RG_CANCELED, "'%s' was taken over by another process: its search here was ended",
                     s->items[r->problem].name);
        return false;
    }
    while (rg_proc_line(&r->proc, 0, &line, err) == RG_OK && line) {
        rg_buf_str(&r->out, line);
        rg_buf_char(&r->out, '\n');
        free(line);
    }
    if (!r->proc.eof && err->status == RG_OK) return true;
    if (err->status == RG_OK) (void)ended(r, s, out, row, err);
    rg_proc_kill(&r->proc);
    rg_buf_release(&r->out);
    return false;
}
