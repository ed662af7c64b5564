/* Tools that look into a kernel (ncu, compute-sanitizer) run a worker of their own, which launches a plan once from
 * what stands in the memory file: the supervisor starts them, as a run worker may start nothing, and the worker beside
 * them is not closed off. */
#include "runtime/farm/farm.h"
#include "runtime/os/sandbox.h"
#include <glob.h>
#include <rg/file.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool runs(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

static bool in_folder(const char *folder, size_t len, const char *below, const char *name, char *out, size_t size)
{
    if (!len) return false;
    snprintf(out, size, "%.*s%s/%s", (int)len, folder, below, name);
    return runs(out);
}

bool rg__tool_find(const char *name, const char *elsewhere, char *out, size_t size)
{
    const char *path = getenv("PATH"),
               *homes[] = {getenv("CUDA_HOME"), getenv("CUDA_PATH"), RG_CUDA_HOME, "/usr/local/cuda"};
    for (const char *at = path ? path : ""; *at; at += strspn(at, ":")) {
        size_t len = strcspn(at, ":");
        if (in_folder(at, len, "", name, out, size)) return true;
        at += len;
    }
    for (size_t i = 0; i < sizeof homes / sizeof *homes; i++)
        if (homes[i] && in_folder(homes[i], strlen(homes[i]), "/bin", name, out, size)) return true;
    glob_t g;
    bool found = false;
    if (elsewhere && glob(elsewhere, 0, NULL, &g) == 0) {
        for (size_t i = g.gl_pathc; i-- > 0 && !found;) { /* the newest first */
            snprintf(out, size, "%s", g.gl_pathv[i]);
            found = runs(out);
        }
        globfree(&g);
    }
    return found;
}

enum rg_status rg__tool_run(const char *const *argv, double limit_s, double until, volatile int *stop,
                            struct rg_error *err)
{
    struct rg_proc p;
    char **env = rg__sandbox_environment(environ);
    struct rg_proc_options o = {.argv = argv, .env = (const char *const *)env, .pass_fd = -1};
    enum rg_status s = rg_proc_start(&p, &o, err);
    free(env);
    if (s != RG_OK) return s;
    while (s == RG_OK && !p.eof) {
        char *line = NULL;
        s = rg_proc_line(&p, 0.2, &line, err);
        free(line);
        if (rg_now() >= until)
            s = rg_error_set(err, RG_LIMIT, "it took longer than %g s", limit_s);
        else if (stop && *stop)
            s = rg_error_set(err, RG_CANCELED, "stopped");
    }
    if (s == RG_OK) rg_proc_wait(&p, 2);
    rg_proc_kill(&p);
    return s;
}

enum rg_status rg__tool_script(struct rg_farm *f, const struct farm_program *p, const struct rg_case *c,
                               const char *path, struct rg_error *err)
{
    struct rg_buf b = RG_BUF_INIT;
    struct rg_msg m;
    struct rg_case one = {.timed = true};
    if (c) one = *c;
    one.timed = true; /* that is the one which is launched */
    rg__msg_init(&m, RG_MSG_PROBLEM, 1);
    m.problem = f->problem_range;
    m.seed = (int64_t)f->o.seed;
    rg__msg_print(&b, &m);
    rg__farm_cases_msg(f, &m);
    m.id = 2;
    m.n_cases = c != NULL;
    m.cases = &one;
    rg__msg_print(&b, &m);
    rg__msg_init(&m, RG_MSG_PROFILE, 3);
    m.program = p->program;
    rg__msg_print(&b, &m);
    enum rg_status s = rg_file_write(path, b.data, b.len, err);
    rg_buf_release(&b);
    return s;
}
