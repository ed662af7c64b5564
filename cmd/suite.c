/* regraph-suite: a search for each of many problems, on this machine or under Slurm; one table, one graph. */
#include "cmd/report.h"
#include "cmd/suite.h"
#include "cmd/search.h"

#include <errno.h>
#include <fcntl.h>
#include <rg/file.h>
#include <rg/regraph.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

volatile sig_atomic_t suite_signal;

/* 1 of the ending codes: some problem has no verified kernel. */
enum { SOME_FAILED = 1, TRY_AGAIN = 75 };

static void on_signal(int sig)
{
    suite_signal = sig;
    signal(sig, SIG_DFL); /* a second one ends at once; the searches die with us */
}

static void catch_signals(void)
{
    const int caught[] = {SIGINT, SIGTERM, SIGUSR1, SIGHUP};
    for (size_t i = 0; i < sizeof caught / sizeof *caught; i++) {
        struct sigaction a = {.sa_handler = on_signal}, old;
        if (caught[i] == SIGHUP && sigaction(SIGHUP, NULL, &old) == 0 && old.sa_handler == SIG_IGN)
            continue; /* nohup */
        sigaction(caught[i], &a, NULL);
    }
    signal(SIGPIPE, SIG_IGN);
}

char *suite_path(const char *out, const char *folder, const char *name, const char *ending)
{
    return rg_xasprintf("%s%s%s/%s%s", out, folder ? "/" : "", folder ? folder : "", name, ending);
}

/* --- the suite's folder --- */

static enum rg_status make_folders(const char *out, struct rg_error *err)
{
    static const char *const folders[] = {"runs", "results", "evidence", "logs", "owners"};
    enum rg_status st = RG_OK;
    for (size_t i = 0; i < sizeof folders / sizeof *folders && st == RG_OK; i++) {
        char *p = suite_path(out, NULL, folders[i], "");
        st = rg_file_mkdirs(p, err);
        free(p);
    }
    return st;
}

/* The graph that all searches begin with, as it is now: OUT/graph-before.json. */
static enum rg_status copy_graph(struct suite *s, const struct suite_options *o, const char *out, struct rg_error *err)
{
    struct search_session session = {.o = {.graph = o->graph, .learn = o->learn}};
    struct rg_buf text = RG_BUF_INIT;
    char *to = suite_path(out, NULL, "graph-before", ".json");
    enum rg_status st = search_load_graph(&session, err);
    if (st == RG_OK) st = rg_regraph_print(session.graph, &text, err);
    if (st == RG_OK) st = rg_file_write(to, text.data, text.len, err);
    char *graph = session.graph_path ? realpath(session.graph_path, NULL) : NULL;
    char *examples = session.examples_path ? realpath(session.examples_path, NULL) : NULL;
    s->graph = graph && session.o.learn ? rg_arena_strdup(&s->arena, graph) : NULL;
    s->examples = examples ? rg_arena_strdup(&s->arena, examples) : NULL;
    rg_regraph_free(session.graph);
    free(session.graph_path);
    free(session.examples_path);
    free(graph);
    free(examples);
    free(to);
    rg_buf_release(&text);
    return st;
}

static bool same_problem(const struct suite_problem *a, const struct suite_problem *b)
{
    bool same = a->n_args == b->n_args && !strcmp(a->cwd, b->cwd);
    for (int i = 0; i < a->n_args && same; i++) same = !strcmp(a->args[i], b->args[i]);
    return same;
}

/* What has ended under other options is open again: its search goes on from its journal, or says why it cannot. */
static void reopen_changed(const struct suite *now, const struct suite *then, const char *out)
{
    for (int i = 0; i < now->n; i++)
        for (int k = 0; k < then->n; k++) {
            if (strcmp(now->items[i].name, then->items[k].name) || same_problem(&now->items[i], &then->items[k]))
                continue;
            char *result = suite_path(out, "results", now->items[i].name, ".json");
            unlink(result);
            free(result);
        }
}

/* A suite that was begun there knows its graph; the problems may be others by now. */
static enum rg_status take_over(struct suite *s, const char *file, const char *out, struct rg_error *err)
{
    struct suite then = {.n = 0};
    bool given = s->n > 0;
    enum rg_status st = suite_load(given ? &then : s, file, err);
    if (st == RG_OK && given) {
        reopen_changed(s, &then, out);
        s->graph = then.graph ? rg_arena_strdup(&s->arena, then.graph) : NULL;
        s->examples = then.examples ? rg_arena_strdup(&s->arena, then.examples) : NULL;
    }
    suite_release(&then);
    return st;
}

/* What the last suite in this folder found out: --force begins anew. */
static void forget(const struct suite *s, const char *out)
{
    static const struct {
        const char *folder, *ending;
    } files[] = {{"results", ".json"}, {"evidence", ".json"}, {"logs", ".log"}, {"owners", ""}};
    for (int i = 0; i < s->n; i++) {
        char *journal = suite_path(out, "runs", s->items[i].name, "/journal.jsonl");
        unlink(journal); /* a search without one begins anew and removes the rest */
        free(journal);
        for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
            char *p = suite_path(out, files[k].folder, s->items[i].name, files[k].ending);
            unlink(p);
            free(p);
        }
    }
}

static enum rg_status open_suite(struct suite *s, const struct suite_options *o, const char *out, struct rg_error *err)
{
    char *file = suite_path(out, NULL, "suite", ".json");
    bool there = rg_file_exists(file), as_it_is = o->task >= 0 || o->collect;
    enum rg_status st = RG_OK;
    if (as_it_is || o->resume)
        st = there ? take_over(s, file, out, err)
                   : rg_error_set(err, RG_INPUT, "no suite was begun in '%s': no suite.json", out);
    else if (there && !o->force)
        st = rg_error_set(err, RG_INPUT, "folder '%s' holds a suite: --resume goes on with it, --force begins anew",
                          out);
    else {
        st = make_folders(out, err);
        if (st == RG_OK && there) forget(s, out);
        if (st == RG_OK) st = copy_graph(s, o, out, err);
    }
    if (st == RG_OK && !as_it_is) st = suite_save(s, file, err);
    free(file);
    return st;
}

/* --- what is done --- */

/* report.html; that it can't be written is said, no more. */
static void page(const char *out)
{
    struct rg_buf b = RG_BUF_INIT;
    struct rg_error err = RG_ERROR_INIT;
    char *path = suite_path(out, NULL, "report", ".html"), text[1600];
    if (report_suite(out, &b, &err) != RG_OK || rg_file_write(path, b.data, b.len, &err) != RG_OK)
        rg_cmd_message("no report: %s", rg_error_format(&err, text, sizeof text));
    rg_buf_release(&b);
    free(path);
}

/* The table in its forms. The ending code: 0, or SOME_FAILED. */
static int show(const struct suite *s, const struct suite_options *o, const char *out, struct rg_error *err)
{
    struct suite_row *rows = rg_xcalloc((size_t)s->n + 1, sizeof *rows);
    int code = RG_EXIT_OK;
    for (int i = 0; i < s->n; i++) {
        char *path = suite_path(out, "results", s->items[i].name, ".json");
        suite_result_load(path, s->items[i].name, &rows[i]);
        if (rows[i].exit != RG_EXIT_OK && rows[i].exit != RG_EXIT_SLOWER) code = SOME_FAILED;
        free(path);
    }
    char *md = suite_path(out, NULL, "table", ".md"), *json = suite_path(out, NULL, "table", ".json");
    if (suite_table_markdown(md, rows, s->n, err) == RG_OK) (void)suite_table_save(json, rows, s->n, err);
    if (o->jsonl)
        for (int i = 0; i < s->n; i++) suite_line("row", &rows[i]);
    else
        suite_table_print(rows, s->n, stdout);
    page(out);
    free(md);
    free(json);
    free(rows);
    return code;
}

static int finish(const struct suite *s, const struct suite_options *o, const char *out, struct rg_error *err)
{
    int n = 0;
    struct rg_error e = RG_ERROR_INIT;
    enum rg_status st = suite_collect(s, out, &n, &e);
    int code = show(s, o, out, err);
    if (st != RG_OK)
        rg_error_set(err, st, "%s", e.text);
    else if (!o->quiet)
        rg_cmd_message("%d rows of evidence: %s/graph.json%s%s", n, out, s->graph ? ", and " : "",
                       s->graph ? s->graph : "");
    return err->status == RG_OK ? code : rg_cmd_fail(err);
}

/* One problem, as a task of a queue. Ends with 0 when it has a verified kernel, with 75 when it is to be tried again.
 */
static int task(const struct suite *s, const struct suite_options *o, const char *out, struct rg_error *err)
{
    if (o->task >= s->n)
        return rg_error_set(err, RG_INPUT, "the suite in '%s' has problems 0 to %d", out, s->n - 1), rg_cmd_fail(err);
    const struct suite_problem *p = &s->items[o->task];
    struct suite_run r = {.problem = (int)o->task};
    struct suite_row row;
    if (suite_finished(out, p)) {
        rg_cmd_message("%s has ended before", p->name);
        return RG_EXIT_OK;
    }
    const char *device = o->devices && !strcmp(p->device, "auto") ? o->devices : NULL;
    enum rg_status st = suite_own(&r, s, out, err);
    if (st == RG_OK && suite_finished(out, p))
        return suite_disown(&r, s, out), RG_EXIT_OK; /* whoever had it came to its end */
    if (st == RG_OK) st = suite_run_start(&r, s, r.problem, out, device, err);
    if (st == RG_OK) {
        while (suite_run_poll(&r, s, out, &row, err)) nanosleep(&(struct timespec){0, 50000000}, NULL);
        st = err->status;
    }
    if (st == RG_CANCELED) {
        rg_cmd_message("%s", err->text);
        return TRY_AGAIN;
    }
    suite_disown(&r, s, out);
    if (st != RG_OK) return rg_cmd_fail(err);
    if (!o->quiet) rg_cmd_message("%s: %s%s%s", row.name, row.state, *row.reason ? ": " : "", row.reason);
    if (suite_signal && !suite_finished(out, p))
        return suite_signal == SIGUSR1 && suite_requeue() ? RG_EXIT_OK : TRY_AGAIN;
    return row.exit == RG_EXIT_SLOWER ? RG_EXIT_OK : row.exit;
}

/* One suite a folder on one machine; tasks of a queue go by suite_own instead. */
static enum rg_status lock_folder(const char *out, int *fd, struct rg_error *err)
{
    *fd = open(out, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*fd < 0 || flock(*fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return RG_OK;
    return rg_error_set(err, RG_INPUT, "another regraph-suite works in folder '%s'", out);
}

static int on_this_machine(const struct suite *s, const struct suite_options *o, const char *out, struct rg_error *err)
{
    int fd;
    enum rg_status st = lock_folder(out, &fd, err);
    if (st != RG_OK) return rg_cmd_fail(err);
    struct rg_error e = RG_ERROR_INIT;
    st = suite_local(s, o, out, &e);
    if (st != RG_OK) rg_cmd_message("%s", e.text);
    int code = finish(s, o, out, err);
    if (fd >= 0) close(fd);
    return st == RG_CANCELED ? 128 + (int)suite_signal : st != RG_OK ? rg_status_exit(st) : code;
}

static int work(struct suite *s, const struct suite_options *o, const char *out, struct rg_error *err)
{
    if (open_suite(s, o, out, err) != RG_OK) return rg_cmd_fail(err);
    if (o->task >= 0) return task(s, o, out, err);
    if (o->collect) return finish(s, o, out, err);
    if (o->prepare) {
        printf("%d problems: tasks 0 to %d of --out %s\n", s->n, s->n - 1, out);
        return RG_EXIT_OK;
    }
    if (o->slurm && suite_submit(s, o, out, err) != RG_OK)
        return suite_signal ? rg_cmd_fail(err), 128 + (int)suite_signal : rg_cmd_fail(err);
    if (o->slurm) return o->wait ? show(s, o, out, err) : RG_EXIT_OK;
    return on_this_machine(s, o, out, err);
}

/* --- the command line --- */

static int check_use(const struct rg_command *c, const struct suite_options *o, const struct rg_strings *args)
{
    bool task = o->task >= 0, begun = task || o->collect;
    if (o->resume && o->force) return rg_cmd_usage(c, "--resume and --force contradict each other");
    if (task + o->collect + o->prepare + (o->slurm != NULL) > 1)
        return rg_cmd_usage(c, "--task, --collect, --prepare and --slurm exclude each other");
    if (begun && args->n)
        return rg_cmd_usage(c, "--task and --collect take the suite in --out, not '%s'", args->items[0]);
    if (begun && !o->out) return rg_cmd_usage(c, "--task and --collect need --out");
    if (begun && (o->resume || o->force))
        return rg_cmd_usage(c, "--task and --collect always go on with what is there");
    if (!begun && !args->n && !o->resume)
        return rg_cmd_usage(c, "which problems? (a suite, a folder of C files, or C files)");
    if (!args->n && !o->out) return rg_cmd_usage(c, "--resume without a suite needs --out");
    if (!o->slurm && (o->gres || o->slurm_time || o->mem || o->cpus || o->wait || o->slurm_options.n))
        return rg_cmd_usage(c, "--gres, --slurm-time, --mem, --cpus-per-task, --wait and --sbatch need --slurm");
    if (o->slurm && o->devices)
        return rg_cmd_usage(c, "--device is for this machine: a task of Slurm takes the GPU that --gres gives it");
    return -1;
}

/* out/NAME of the first suite, folder or file; absolute, as tasks run elsewhere. */
static char *out_folder(const struct suite_options *o, const struct rg_strings *args, struct rg_error *err)
{
    char *given = o->out ? rg_xstrdup(o->out) : NULL;
    if (!given) {
        char *whole = realpath(args->items[0], NULL);
        const char *slash = strrchr(whole ? whole : args->items[0], '/'), *base = slash ? slash + 1 : args->items[0],
                   *dot = strrchr(base, '.');
        given = rg_xasprintf("out/suite-%.*s", dot && dot > base ? (int)(dot - base) : (int)strlen(base), base);
        free(whole);
    }
    bool made = rg_file_exists(given) || o->task >= 0 || o->collect || o->resume || rg_file_mkdirs(given, err) == RG_OK;
    char *out = made ? realpath(given, NULL) : NULL;
    if (made && !out) rg_error_set(err, RG_INPUT, "cannot find folder '%s': %s", given, strerror(errno));
    free(given);
    return out;
}

static int run(const struct suite_options *o, const struct rg_strings *args, int n_more, char **more)
{
    struct suite s = {.n = 0};
    struct rg_error err = RG_ERROR_INIT;
    enum rg_status st = RG_OK;
    int code;
    for (int i = 0; i < args->n && st == RG_OK; i++) st = suite_add(&s, args->items[i], n_more, more, &err);
    char *out = st == RG_OK ? out_folder(o, args, &err) : NULL;
    code = out ? work(&s, o, out, &err) : rg_cmd_fail(&err);
    free(out);
    suite_release(&s);
    return code;
}

int main(int argc, char **argv)
{
    struct suite_options o = {.task = -1, .learn = true, .warn_s = 120};
    const struct rg_option table[] = {
        RG_OPTION_HEADING("The suite"),
        RG_OPTION_TEXT("out", 'o', &o.out, "DIR", "folder of all that is found (out/suite-NAME)"),
        RG_OPTION_FLAG("resume", 0, &o.resume, "go on with the suite in that folder: what has ended stays"),
        RG_OPTION_FLAG("force", 0, &o.force, "begin anew in that folder"),
        RG_OPTION_TEXT("graph", 'g', &o.graph, "FILE", "the reasoning graph (your copy under $XDG_DATA_HOME/regraph)"),
        RG_OPTION_CLEAR("no-learn", &o.learn, "leave the graph as it is: what was learnt is in DIR/graph.json alone"),
        RG_OPTION_FLAG("jsonl", 0, &o.jsonl, "JSON lines on stdout: an event each, then a row a problem"),
        RG_OPTION_FLAG("quiet", 'q', &o.quiet, "no progress"),
        RG_OPTION_HEADING("On this machine"),
        RG_OPTION_TEXT("device", 'd', &o.devices, "DEV,DEV",
                       "what problems without a device of their own run on (every GPU, else sim:h200)"),
        RG_OPTION_INT("jobs", 'j', &o.jobs, "N", 1, 64,
                      "searches at once (one a GPU, at most one for two CPUs);\nwith --slurm: tasks at once"),
        RG_OPTION_HEADING("Under Slurm"),
        RG_OPTION_TEXT_OF("slurm", 0, &o.slurm, "PARTITION",
                          "submit a job array, a search a task, and a job that collects"),
        RG_OPTION_TEXT("gres", 0, &o.gres, "gpu:1", "what each task is given"),
        RG_OPTION_TEXT("slurm-time", 0, &o.slurm_time, "T",
                       "time limit of a task, as sbatch takes it; a search that is longer is requeued"),
        RG_OPTION_INT("warn", 0, &o.warn_s, "SECONDS", 1, 65535,
                      "before that limit a task is told, saves and is requeued (120)"),
        RG_OPTION_INT("cpus-per-task", 0, &o.cpus, "N", 1, 4096, "CPUs of each task"),
        RG_OPTION_TEXT("mem", 0, &o.mem, "SIZE", "memory of each task"),
        RG_OPTION_FLAG("wait", 0, &o.wait, "wait for the jobs, and end with the table"),
        RG_OPTION_LIST("sbatch", 0, &o.slurm_options, "--OPTION=X", "a further option of sbatch; repeats"),
        RG_OPTION_HEADING("In any other queue (docs/cluster.md)"),
        RG_OPTION_FLAG("prepare", 0, &o.prepare, "write the folder and stop"),
        RG_OPTION_INT("task", 0, &o.task, "N", 0, 1e6, "run problem N, from 0, of the suite in --out"),
        RG_OPTION_FLAG("collect", 0, &o.collect, "the table and the graph of what has ended in --out"),
    };
    const struct rg_command c = {
        .name = "regraph-suite",
        .example = "regraph-suite kernels/ -- --evals 100",
        .usage = "SUITE.toml|SUITE.json|DIR|FILE.c... [options] [-- options of regraph-search for all]",
        .about =
            "A search for each of many problems, and a table over all. A suite lists them:\n\n"
            "  [defaults]\n  evals = 200\n\n  [[problem]]\n  file = \"sgemm.c\"\n  size = [\"n=1024\", \"n=100\"]\n\n"
            "with any long option of regraph-search as a member, or a file saved by --save-problem as `problem = "
            "\"P.json\"`.\n"
            "What they learnt together is DIR/graph.json, and enters the graph once all have ended.",
        .options = table,
        .n_options = RG_N_OPTIONS(table),
        .min_args = 0,
        .max_args = -1,
        .notes = "Exit: 0 every problem has a verified kernel; 1 some have none, the table says why; 2 usage; 3 bad "
                 "input or\n"
                 "a full disk; 4 no such program or library, or Slurm refuses; 70 our bug; 128+n signal (--resume goes "
                 "on).\n"
                 "A --task ends with 0, the exit code of its regraph-search, or 75: to be tried again.",
    };
    struct rg_strings args = {0};
    rg_cmd_start("regraph-suite");
    int own = 1;
    while (own < argc && strcmp(argv[own], "--")) own++;
    int code = rg_cmd_parse(&c, own, argv, 1, &args);
    if (code < 0) code = check_use(&c, &o, &args);
    catch_signals();
    if (code < 0) code = run(&o, &args, own < argc ? argc - own - 1 : 0, argv + own + 1);
    rg_strings_release(&args);
    rg_strings_release(&o.slurm_options);
    return rg_cmd_end(code);
}
