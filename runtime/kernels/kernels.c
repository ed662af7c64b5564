/* A folder of problems, a child process for each: it writes a line when it starts a variant and one when it has its
 * result. A child that dies or hangs costs the variant it was at; another child goes on behind it. */
#include "runtime/kernels/kernels.h"
#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <rg/file.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

struct names {
    int n, cap;
    char **v;
};

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void names_release(struct names *l)
{
    for (int i = 0; i < l->n; i++) free(l->v[i]);
    free(l->v);
    memset(l, 0, sizeof *l);
}

/* Folders with a problem.json (suffix NULL), or files that end in `suffix`, sorted. */
static bool listing(const char *folder, const char *suffix, struct names *out)
{
    DIR *d = opendir(folder);
    if (!d) return false;
    for (struct dirent *e; (e = readdir(d));) {
        size_t len = strlen(e->d_name), k = suffix ? strlen(suffix) : 0;
        if (e->d_name[0] == '.' || len <= k || (suffix && strcmp(e->d_name + len - k, suffix))) continue;
        char *problem = suffix ? NULL : rg_xasprintf("%s/%s/problem.json", folder, e->d_name);
        bool fits = suffix || rg_file_exists(problem);
        free(problem);
        if (!fits) continue;
        RG_GROW(out->v, out->n, out->cap);
        out->v[out->n++] = rg_xstrdup(e->d_name);
    }
    closedir(d);
    if (out->n) qsort(out->v, (size_t)out->n, sizeof *out->v, by_name);
    return true;
}

static void say(int fd, const char *text, size_t len)
{
    while (len) {
        ssize_t n = write(fd, text, len);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) _exit(1);
        text += n;
        len -= (size_t)n;
    }
}

static void say_line(int fd, char kind, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
static void say_line(int fd, char kind, const char *fmt, ...)
{
    char text[700] = {kind, 0};
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text + 1, sizeof text - 2, fmt, ap);
    va_end(ap);
    for (char *c = text; *c; c++)
        if (*c == '\n') *c = ' ';
    size_t n = strlen(text);
    text[n] = '\n';
    say(fd, text, n + 1);
}

/* ---- the child ---- */

/* Lines: "H" the head, "P" problem is bad, "S" starts a variant, "R" its result, "E" device or compiler are missing. */
static void child(const struct rg_kernels_options *o, const char *folder, const char *problem,
                  const struct names *variants, int from, int fd)
{
    struct rg_error e = RG_ERROR_INIT;
    struct kernels_run r = {.o = o, .null_us = -1};
    struct kernels_problem *k = NULL;
    char words[600];
    bool cuda = !strncmp(o->device, "cuda:", 5);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    enum rg_status s = rg__compiler_open(&r.compiler, &e);
    if (s == RG_OK)
        s = cuda ? rg_device_open_cuda(atoi(o->device + 5), &r.d, &e)
                 : rg_device_open_sim(strncmp(o->device, "sim:", 4) ? o->device : o->device + 4, &r.d, &e);
    if (s == RG_OK && cuda) s = rg__kernels_warm(&r, &e);
    if (s != RG_OK) {
        say_line(fd, 'E', "%s", rg_error_format(&e, words, sizeof words));
        _exit(0);
    }
    struct rg_buf b = RG_BUF_INIT;
    if (!problem) { /* only to say what there is */
        rg_buf_printf(&b, "H");
        rg__kernels_head_print(&b, &r.d, &r.compiler, r.null_us);
        rg_buf_printf(&b, "\n");
        say(fd, b.data, b.len);
        _exit(0);
    }
    if (rg__kernels_problem_read(folder, problem, &k, &e) != RG_OK) {
        say_line(fd, 'P', "%s", rg_error_format(&e, words, sizeof words));
        _exit(0);
    }
    for (int i = from; i < variants->n; i++) {
        struct kernels_result out;
        memset(&out, 0, sizeof out);
        snprintf(out.name, sizeof out.name, "%.*s", (int)(strlen(variants->v[i]) - 3), variants->v[i]);
        char *file = rg_xasprintf("%s/%s", folder, variants->v[i]);
        say_line(fd, 'S', "%d", i);
        rg__kernels_variant(&r, k, file, &out);
        free(file);
        b.len = 0;
        rg_buf_printf(&b, "R%c", out.timed && (out.verified || o->no_verify) ? '1' : '0');
        rg__kernels_result_print(&b, &out);
        rg_buf_printf(&b, "\n");
        say(fd, b.data, b.len);
        /* After a fault a real device may answer nothing more, and on a simulated one a new process costs nothing. */
        if (out.outcome == RG_OUTCOME_CRASH || out.outcome == RG_OUTCOME_BOUNDS || out.outcome == RG_OUTCOME_TIMEOUT)
            break;
    }
    _exit(0);
}

/* ---- the parent ---- */

struct parent {
    const struct rg_kernels_options *o;
    bool headed; /* the document has its head */
    int failed;
    int n_results; /* of the problem at hand */
    bool bad_problem;
    char missing[600]; /* device or compiler */
};

static void put(struct parent *p, const char *text)
{
    p->o->write(p->o->arg, text);
}

static void result(struct parent *p, const char *json)
{
    put(p, p->n_results++ ? ",\n   " : "\n   ");
    put(p, json);
}

static void dead(struct parent *p, const char *file, enum rg_outcome outcome, const char *message, double seconds)
{
    struct kernels_result out = {.outcome = outcome, .max_error = -1, .seconds = seconds};
    snprintf(out.name, sizeof out.name, "%.*s", (int)(strlen(file) - 3), file);
    snprintf(out.message, sizeof out.message, "%s", message);
    struct rg_buf b = RG_BUF_INIT;
    rg__kernels_result_print(&b, &out);
    result(p, b.data);
    rg_buf_release(&b);
    p->failed++;
}

static void line(struct parent *p, char *text, int *at, bool *busy)
{
    switch (text[0]) {
    case 'H':
        put(p, "{"), put(p, text + 1), put(p, ",\n \"problems\": {"), p->headed = true;
        break;
    case 'P':
        if (p->o->complain) p->o->complain(p->o->arg, text + 1);
        p->bad_problem = true;
        p->failed++;
        break;
    case 'S':
        *at = atoi(text + 1), *busy = true;
        break;
    case 'R':
        *busy = false;
        p->failed += text[1] == '0';
        result(p, text + 2);
        break;
    case 'E':
        snprintf(p->missing, sizeof p->missing, "%s", text + 1);
        break;
    default:
        break;
    }
}

/* One child from variant `from` on. Gives the variant to go on with. */
static int watch(struct parent *p, const char *folder, const char *problem, const struct names *variants, int from,
                 struct rg_error *err)
{
    int fd[2], at = from - 1;
    bool busy = false, late = false;
    if (pipe(fd)) {
        rg_error_set(err, RG_IO, "no pipe: %s", strerror(errno));
        return -1;
    }
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        close(fd[0]);
        child(p->o, folder, problem, variants, from, fd[1]);
    }
    close(fd[1]);
    if (pid < 0) {
        close(fd[0]);
        rg_error_set(err, RG_IO, "no child process: %s", strerror(errno));
        return -1;
    }
    struct rg_buf b = RG_BUF_INIT;
    double limit = p->o->seconds > 0 ? p->o->seconds : 120, since = rg_now();
    for (;;) {
        struct pollfd q = {fd[0], POLLIN, 0};
        double left = limit - (rg_now() - since);
        int ready = poll(&q, 1, left > 0 ? (int)(left * 1000) + 1 : 0);
        if (ready < 0 && errno == EINTR) continue;
        if (ready == 0) {
            late = true;
            kill(pid, SIGKILL);
            break;
        }
        char chunk[65536];
        ssize_t n = read(fd[0], chunk, sizeof chunk);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) break;
        rg_buf_add(&b, chunk, (size_t)n);
        for (char *nl; (nl = memchr(b.data, '\n', b.len));) {
            *nl = 0;
            line(p, b.data, &at, &busy);
            since = rg_now();
            size_t len = (size_t)(nl - b.data) + 1;
            memmove(b.data, b.data + len, b.len - len);
            b.len -= len;
        }
    }
    close(fd[0]);
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
    rg_buf_release(&b);
    char why[200];
    if (late)
        snprintf(why, sizeof why, "no result within %.0f s", limit);
    else if (WIFSIGNALED(status))
        snprintf(why, sizeof why, "the process running it was ended by signal %d (%s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    else
        snprintf(why, sizeof why, "the process running it ended");
    if (busy)
        dead(p, variants->v[at], late ? RG_OUTCOME_TIMEOUT : RG_OUTCOME_CRASH, why, rg_now() - since);
    else if (at < from && !p->missing[0] && !p->bad_problem &&
             (problem || !p->headed)) { /* not even the first was begun */
        rg_error_set(err, RG_INPUT, "problem '%.60s': %.150s", problem ? problem : "none", why);
        return -1;
    }
    return at + 1;
}

static enum rg_status one_problem(struct parent *p, const char *folder, const char *problem, const char *variant,
                                  bool first, struct rg_error *err)
{
    struct names variants = {0, 0, NULL};
    listing(folder, ".cu", &variants);
    for (int i = 0; variant && i < variants.n; i++) /* keep the one that is asked for */
        if (strlen(variant) == strlen(variants.v[i]) - 3 && !strncmp(variant, variants.v[i], strlen(variant))) {
            char *t = variants.v[0];
            variants.v[0] = variants.v[i];
            variants.v[i] = t;
            while (variants.n > 1) free(variants.v[--variants.n]);
            variant = NULL;
        }
    struct rg_buf b = RG_BUF_INIT;
    rg_buf_printf(&b, first ? "\n  " : ",\n  ");
    rg__kernels_string_print(&b, problem);
    rg_buf_printf(&b, ": {\"variants\": {");
    put(p, b.data);
    rg_buf_release(&b);
    p->n_results = 0;
    p->bad_problem = false;
    char note[300] = "";
    if (variant || !variants.n)
        snprintf(note, sizeof note, "Pno variant %.60s%s in '%.200s'", variant ? variant : "*", ".cu", folder);
    if (*note) line(p, note, NULL, NULL);
    struct rg_error e = RG_ERROR_INIT;
    for (int from = 0; from >= 0 && from < variants.n && !p->bad_problem && !p->missing[0];)
        from = watch(p, folder, problem, &variants, from, &e);
    if (e.status != RG_OK) snprintf(note, sizeof note, "P%.280s", e.text), line(p, note, NULL, NULL);
    put(p, "}}");
    names_release(&variants);
    return p->missing[0] ? rg_error_set(err, RG_UNAVAILABLE, "%s", p->missing) : RG_OK;
}

enum rg_status rg_kernels_run(const struct rg_kernels_options *given, int *failed, struct rg_error *err)
{
    struct rg_kernels_options o = *given;
    if (!o.device) o.device = "sim:h200";
    struct parent p = {.o = &o};
    struct names problems = {0, 0, NULL};
    char *own = rg_xasprintf("%s/problem.json", o.folder), wanted[200] = "";
    bool single = rg_file_exists(own);
    free(own);
    if (failed) *failed = 0;
    if (!single && !listing(o.folder, NULL, &problems))
        return rg_error_set(err, RG_INPUT, "cannot open folder '%.150s': %s", o.folder, strerror(errno));
    if (single) { /* its name is its folder's */
        char *real = realpath(o.folder, NULL);
        const char *slash = real ? strrchr(real, '/') : NULL;
        int cap = 0;
        RG_GROW(problems.v, problems.n, cap);
        problems.v[problems.n++] = rg_xstrdup(slash && slash[1] ? slash + 1 : "problem");
        free(real);
    }
    const char *slash = o.only ? strchr(o.only, '/') : NULL;
    if (o.only) snprintf(wanted, sizeof wanted, "%.*s", slash ? (int)(slash - o.only) : 150, o.only);
    int n = 0;
    for (int i = 0; i < problems.n; i++) n += !*wanted || !strcmp(wanted, problems.v[i]);
    enum rg_status s = RG_OK;
    if (!n && *wanted)
        s = rg_error_set(err, RG_INPUT, "no problem '%.60s' in '%.150s'", wanted, o.folder);
    else if (!n)
        s = rg_error_set(err, RG_INPUT, "no folder with a problem.json in '%.150s'", o.folder);
    struct names none = {0, 0, NULL};
    if (s == RG_OK && watch(&p, o.folder, NULL, &none, 0, err) < 0) s = err->status;
    if (p.missing[0]) s = rg_error_set(err, RG_UNAVAILABLE, "%s", p.missing);
    bool first = true;
    for (int i = 0; i < problems.n && s == RG_OK; i++) {
        if (*wanted && strcmp(wanted, problems.v[i])) continue;
        char *folder = single ? rg_xstrdup(o.folder) : rg_xasprintf("%s/%s", o.folder, problems.v[i]);
        s = one_problem(&p, folder, problems.v[i], slash ? slash + 1 : NULL, first, err);
        first = false;
        free(folder);
    }
    if (p.headed) put(&p, "}}\n");
    if (failed) *failed = p.failed;
    names_release(&problems);
    return s;
}
