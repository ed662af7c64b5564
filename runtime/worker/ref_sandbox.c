#include "runtime/worker/ref_sandbox.h"

void rg__reference_close_build(const struct rg_worker *w)
{
    static const char *const everything[] = {"/", NULL};
    if (!w->foreign) return;
    const char *write[] = {w->tmp, "/dev/null", NULL};
    const struct rg_sandbox box = {.run = everything, .write = write};
    rg__sandbox_enter(&box);
}

const char *rg__reference_close(const struct rg_worker *w)
{
    static const char *const system[] = {
        "/usr",       "/lib",          "/lib32",        "/lib64",     "/etc/ld.so.cache",    "/etc/localtime",
        "/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/sys/devices/system", "/sys/fs/cgroup",
        "/dev/null",  "/dev/zero",     "/dev/urandom"};
    enum { N_SYSTEM = sizeof system / sizeof *system };
    const struct rg_problem *p = w->problem;
    struct rg_arena a = RG_ARENA_INIT;
    const char **read = rg_arena_alloc(&a, (size_t)(N_SYSTEM + 2 * p->n_params + 2) * sizeof *read),
               *write[] = {w->tmp, "/dev/null",
                           w->foreign ? NULL : "/dev/shm" /* LLVM's OpenMP registers itself there */, NULL};
    int n = 0;
    if (!w->foreign) read[n++] = "/";
    for (int i = 0; i < N_SYSTEM && w->foreign; i++) read[n++] = system[i];
    for (int i = 0; i < p->n_params && w->foreign; i++) {
        if (p->params[i].input.kind == RG_INPUT_FILE && p->params[i].input.file) read[n++] = p->params[i].input.file;
        if (p->params[i].expect_file) read[n++] = p->params[i].expect_file;
    }
    const struct rg_sandbox box = {.read = read, .write = write, .timed = true};
    const char *words = rg__sandbox_words(rg__sandbox_enter(&box));
    rg_arena_release(&a);
    return words;
}
