/* A suite under Slurm: a job array, one search a task, and a job behind it that collects. Slurm does the scheduling. */
#include "cmd/suite.h"

#include <rg/file.h>
#include <rg/places.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

enum { SUBMIT_S = 120 };

/* For a shell. */
static void quoted(struct rg_buf *b, const char *text)
{
    rg_buf_char(b, '\'');
    for (const char *p = text; *p; p++) {
        if (*p == '\'')
            rg_buf_str(b, "'\\''");
        else
            rg_buf_char(b, *p);
    }
    rg_buf_char(b, '\'');
}

/* What a job runs: this program, in the place of the shell, so that signals for the job's shell reach it. */
static enum rg_status script(const char *path, const char *out, const char *what, struct rg_error *err)
{
    struct rg_buf b = RG_BUF_INIT;
    char *self = rg_place_program("regraph-suite");
    rg_buf_str(&b, "#!/bin/sh\nexec ");
    quoted(&b, self);
    rg_buf_str(&b, " --out ");
    quoted(&b, out);
    rg_buf_printf(&b, " %s\n", what);
    enum rg_status st = rg_file_write(path, b.data, b.len, err);
    if (st == RG_OK) (void)chmod(path, 0777);
    free(self);
    rg_buf_release(&b);
    return st;
}

/* "0-3,7": the tasks still to be done. */
static void unfinished(const struct suite *s, const char *out, struct rg_buf *b, int *n)
{
    *n = 0;
    for (int i = 0; i < s->n;) {
        if (suite_finished(out, &s->items[i])) {
            i++;
            continue;
        }
        int last = i;
        while (last + 1 < s->n && !suite_finished(out, &s->items[last + 1])) last++;
        rg_buf_printf(b, "%s%d", b->len ? "," : "", i);
        if (last > i) rg_buf_printf(b, "-%d", last);
        *n += last - i + 1;
        i = last + 1;
    }
}

struct command {
    struct rg_strings argv;
    struct rg_arena arena;
};

static void word(struct command *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void word(struct command *c, const char *fmt, ...)
{
    struct rg_buf b = RG_BUF_INIT;
    va_list ap;
    va_start(ap, fmt);
    rg_buf_vprintf(&b, fmt, ap);
    va_end(ap);
    rg_strings_add(&c->argv, rg_arena_strdup(&c->arena, b.data));
    rg_buf_release(&b);
}

/* With --wait: until the job has ended. A signal ends the waiting, not the job. */
static enum rg_status wait_for_end(struct rg_proc *p, struct rg_error *err)
{
    char *line = NULL;
    while (!p->eof && !suite_signal) {
        enum rg_status st = rg_proc_line(p, 0.5, &line, err);
        if (st != RG_OK) return st;
        free(line);
    }
    return suite_signal ? rg_error_set(err, RG_CANCELED, "no longer waited for; the jobs go on") : RG_OK;
}

/* The id as soon as the job is accepted; sbatch itself stays until the job has ended. */
static enum rg_status submit_and_wait(struct command *c, char *id, size_t size, const char *array, struct rg_error *err)
{
    rg_strings_add(&c->argv, NULL);
    const struct rg_proc_options o = {.argv = c->argv.items, .pass_fd = -1};
    struct rg_proc p;
    char *line = NULL;
    enum rg_status st = rg_proc_start(&p, &o, err);
    if (st == RG_OK) {
        st = rg_proc_line(&p, SUBMIT_S, &line, err);
        if (st == RG_OK && !line)
            st = rg_error_set(err, RG_UNAVAILABLE, "sbatch refuses the job: %.*s",
                              (int)strcspn(p.err_tail.len ? p.err_tail.data : "", "\n"),
                              p.err_tail.len ? p.err_tail.data : "");
        snprintf(id, size, "%.*s", line ? (int)strcspn(line, ";\n") : 0, line ? line : "");
        if (st == RG_OK) rg_cmd_message("job array %s, then job %s, which collects: waiting", array, id);
        if (st == RG_OK) st = wait_for_end(&p, err);
        free(line);
        rg_proc_kill(&p);
    }
    rg_strings_release(&c->argv);
    rg_arena_release(&c->arena);
    return st;
}

/* What sbatch prints with --parsable: "ID" or "ID;CLUSTER". */
static enum rg_status submit(struct command *c, char *id, size_t size, struct rg_error *err)
{
    rg_strings_add(&c->argv, NULL);
    const struct rg_proc_options o = {.argv = c->argv.items, .pass_fd = -1};
    struct rg_buf said = RG_BUF_INIT, complaint = RG_BUF_INIT;
    int status = 0;
    bool late = false;
    enum rg_status st = rg_proc_run(&o, SUBMIT_S, &said, &complaint, &status, &late, err);
    if (st == RG_OK && (late || !WIFEXITED(status) || WEXITSTATUS(status)))
        st = rg_error_set(err, RG_UNAVAILABLE, "sbatch %s: %.*s", late ? "does not answer" : "refuses the job",
                          (int)strcspn(complaint.len ? complaint.data : "", "\n"), complaint.len ? complaint.data : "");
    snprintf(id, size, "%.*s", (int)strcspn(said.len ? said.data : "", ";\n"), said.len ? said.data : "");
    rg_buf_release(&said);
    rg_buf_release(&complaint);
    rg_strings_release(&c->argv);
    rg_arena_release(&c->arena);
    return st;
}

static void common(struct command *c, const struct suite_options *o, const char *name)
{
    word(c, "sbatch");
    word(c, "--parsable");
    word(c, "--job-name=%s", name);
    if (*o->slurm) word(c, "--partition=%s", o->slurm);
}

static enum rg_status submit_array(const struct suite_options *o, const char *out, const char *tasks, char *id,
                                   size_t size, struct rg_error *err)
{
    struct command c = {0};
    char *file = suite_path(out, NULL, "task", ".sh");
    enum rg_status st = script(file, out, "--task \"$SLURM_ARRAY_TASK_ID\"", err);
    common(&c, o, "regraph");
    if (o->jobs)
        word(&c, "--array=%s%%%lld", tasks, (long long)o->jobs);
    else
        word(&c, "--array=%s", tasks);
    if (o->gres) word(&c, "--gres=%s", o->gres);
    if (o->slurm_time) word(&c, "--time=%s", o->slurm_time);
    if (o->mem) word(&c, "--mem=%s", o->mem);
    if (o->cpus) word(&c, "--cpus-per-task=%lld", (long long)o->cpus);
    word(&c, "--requeue");
    word(&c, "--signal=B:USR1@%lld", (long long)o->warn_s);
    word(&c, "--open-mode=append");
    word(&c, "--output=%s/logs/task-%%a.log", out);
    for (int i = 0; i < o->slurm_options.n; i++) word(&c, "%s", o->slurm_options.items[i]);
    word(&c, "%s", file);
    if (st == RG_OK) {
        st = submit(&c, id, size, err);
    } else {
        rg_strings_release(&c.argv);
        rg_arena_release(&c.arena);
    }
    free(file);
    return st;
}

static enum rg_status submit_collector(const struct suite_options *o, const char *out, const char *after, char *id,
                                       size_t size, struct rg_error *err)
{
    struct command c = {0};
    char *file = suite_path(out, NULL, "collect", ".sh");
    enum rg_status st = script(file, out, "--collect --quiet", err);
    common(&c, o, "regraph-collect");
    word(&c, "--dependency=afterany:%s", after);
    word(&c, "--requeue");
    word(&c, "--open-mode=append");
    word(&c, "--output=%s/logs/collect.log", out);
    if (o->wait) word(&c, "--wait");
    word(&c, "%s", file);
    if (st == RG_OK) {
        st = o->wait ? submit_and_wait(&c, id, size, after, err) : submit(&c, id, size, err);
    } else {
        rg_strings_release(&c.argv);
        rg_arena_release(&c.arena);
    }
    free(file);
    return st;
}

enum rg_status suite_submit(const struct suite *s, const struct suite_options *o, const char *out, struct rg_error *err)
{
    struct rg_buf tasks = RG_BUF_INIT;
    char array[64] = "", collector[64] = "";
    int n;
    unfinished(s, out, &tasks, &n);
    enum rg_status st = n ? submit_array(o, out, tasks.data, array, sizeof array, err) : RG_OK;
    if (st == RG_OK && n) st = submit_collector(o, out, array, collector, sizeof collector, err);
    if (st == RG_OK && o->jsonl)
        printf("{\"event\":\"submitted\",\"tasks\":%d,\"array\":\"%s\",\"collect\":\"%s\"}\n", n, array, collector);
    else if (st == RG_OK && n && !o->wait)
        printf("job array %s: %d of %d problems; job %s collects when they have ended\n", array, n, s->n, collector);
    else if (st == RG_OK && !n)
        printf("nothing to submit: all %d problems have ended\n", s->n);
    rg_buf_release(&tasks);
    return st;
}

bool suite_requeue(void)
{
    const char *job = getenv("SLURM_JOB_ID"), *array = getenv("SLURM_ARRAY_JOB_ID"),
               *task = getenv("SLURM_ARRAY_TASK_ID");
    if (!job || !*job) return false;
    char *name = array && task ? rg_xasprintf("%s_%s", array, task) : rg_xstrdup(job);
    const char *argv[] = {"scontrol", "requeue", name, NULL};
    const struct rg_proc_options o = {.argv = argv, .pass_fd = -1};
    struct rg_error e = RG_ERROR_INIT;
    struct rg_buf complaint = RG_BUF_INIT;
    int status = 0;
    bool late = false, done = rg_proc_run(&o, SUBMIT_S, NULL, &complaint, &status, &late, &e) == RG_OK && !late &&
                              WIFEXITED(status) && !WEXITSTATUS(status);
    if (!done) rg_cmd_message("Slurm does not requeue %s: %s", name, complaint.len ? complaint.data : e.text);
    rg_buf_release(&complaint);
    free(name);
    return done;
}
