/* The user's C, compiled as the user would and loaded into this process. */
#include "runtime/reference/reference.h"
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <rg/file.h>
#include <rg/proc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_WORDS = 64, MAX_WITH = 64, COMPILE_SECONDS = 120 };

static void remove_folder(const char *dir)
{
    DIR *d = opendir(dir);
    for (struct dirent *e; d && (e = readdir(d));)
        if (e->d_name[0] != '.') unlinkat(dirfd(d), e->d_name, 0);
    if (d) closedir(d);
    unlinkat(AT_FDCWD, dir, AT_REMOVEDIR); /* rmdir is not among the calls of a closed process */
}

/* "file:line:column: error: text" of the compiler's first complaint; the whole first line when it has another form. */
static void report(const struct rg_buf *log, struct rg_error *err)
{
    const char *p = strstr(log->data, "undefined reference"); /* only when everything compiled */
    if (!p) p = strstr(log->data, "cannot find ");            /* a linker's, without the C library's files */
    if (!p) p = strstr(log->data, "error: ");
    if (!p) p = log->data;
    const char *line = p;
    while (line > log->data && line[-1] != '\n') line--;
    size_t len = strcspn(line, "\n");
    char text[900], file[256] = "";
    int row = 0, column = 0, used = 0;
    snprintf(text, sizeof text, "%.*s", (int)(len < 800 ? len : 800), line);
    if (sscanf(text, "%255[^:]:%d:%d: error: %n", file, &row, &column, &used) == 3 && used > 0)
        rg_error_at(err, RG_INPUT, file, row, column, "%s", text + used);
    else if (strstr(text, "undefined reference"))
        rg_error_set(err, RG_INPUT, "the C file does not link: %s (give further C files with --with)",
                     strstr(text, "undefined reference"));
    else
        rg_error_set(err, RG_INPUT, "the C compiler refuses the function: %s", text[0] ? text : "no message");
}

static enum rg_status write_source(const char *dir, const char *name, const char *text, struct rg_error *err)
{
    char path[600];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *f = fopen(path, "w");
    size_t n = strlen(text);
    bool ok = f && fwrite(text, 1, n, f) == n;
    if (f && fclose(f)) ok = false;
    return ok ? RG_OK : rg_error_set(err, RG_IO, "cannot write %s: %s", path, strerror(errno));
}

/* Splits flags at blanks; quotes hold a word together. */
static int words(char *text, const char **out, int max)
{
    int n = 0;
    for (char *p = text; *p && n < max;) {
        while (*p == ' ' || *p == '\t' || *p == '\n') p++;
        if (!*p) break;
        char *to = p;
        out[n++] = to;
        char quote = 0;
        while (*p && (quote || (*p != ' ' && *p != '\t' && *p != '\n'))) {
            if (!quote && (*p == '"' || *p == '\''))
                quote = *p++;
            else if (quote && *p == quote)
                quote = 0, p++;
            else
                *to++ = *p++;
        }
        if (*p) p++;
        *to = 0;
    }
    return n;
}

/* A compiler's command line. */
struct command {
    struct rg_arena arena;
    const char *argv[2 * MAX_WORDS + 160];
    int n;
};

static void add(struct command *c, const char *const *words, size_t n)
{
    memcpy(c->argv + c->n, words, n * sizeof *words);
    c->n += (int)n;
}
#define ADD(c, words) add(c, words, sizeof(words) / sizeof *(words))

/* The frontend's compiler: headers that one has preprocessed need not suit another. */
static void begin(struct command *c)
{
    *c = (struct command){.arena = RG_ARENA_INIT};
    const char *cc = getenv("CC");
    c->n = words(rg_arena_strdup(&c->arena, cc ? cc : ""), c->argv, MAX_WORDS);
    if (!c->n) c->argv[c->n++] = "cc";
}

static void add_flags(struct command *c, const struct rg_problem *p)
{
    c->n += words(rg_arena_strdup(&c->arena, p->cflags ? p->cflags : ""), c->argv + c->n, MAX_WORDS);
}

static int n_with(const struct rg_problem *p)
{
    return p->n_with < MAX_WITH ? p->n_with : MAX_WITH;
}

/* Beside the user's files: what they free that the caller supplied stays (ref_supplied.c), and what the shim does not
 * reach (main, a report that only main prints) is not linked, nor what only that needs. */
static enum rg_status write_own(const char *dir, struct rg_error *err)
{
    enum rg_status s = write_source(dir, "supplied.c", rg__supplied_text, err);
    return s == RG_OK ? write_source(dir, "exports.map", "{ global: rg_*; local: *; };\n", err) : s;
}

static const char *const sections[] = {"-ffunction-sections", "-fdata-sections"};
static const char *const link_own[] = {
    "supplied.c",         "-Wl,--gc-sections", "-Wl,--version-script=exports.map", "-Wl,--wrap=free",
    "-Wl,--wrap=realloc", "-Wl,--wrap=malloc", "-Wl,--wrap=aligned_alloc"};

/* The texts as ref.c and with_N.c in the build's folder. */
static enum rg_status write_sources(const struct rg_problem *p, const char *c, const char *dir, struct rg_error *err)
{
    enum rg_status s = write_source(dir, "ref.c", c, err);
    for (int i = 0; i < n_with(p) && s == RG_OK; i++) {
        char name[32];
        snprintf(name, sizeof name, "with_%d.c", i);
        s = write_source(dir, name, p->with_c[i], err);
    }
    return s == RG_OK ? write_own(dir, err) : s;
}

static void add_files(struct command *c, const struct rg_problem *p, const char *suffix)
{
    c->argv[c->n++] = rg_arena_printf(&c->arena, "ref.%s", suffix);
    for (int i = 0; i < n_with(p); i++) c->argv[c->n++] = rg_arena_printf(&c->arena, "with_%d.%s", i, suffix);
}

/* Runs it in the build's folder; releases it. */
static enum rg_status end(struct command *c, const char *dir, struct rg_error *err)
{
    struct rg_buf out = RG_BUF_INIT, log = RG_BUF_INIT;
    int status = 0;
    bool late = false;
    c->argv[c->n] = NULL;
    struct rg_proc_options o = {.argv = c->argv, .cwd = dir, .pass_fd = -1};
    struct rg_error e = RG_ERROR_INIT;
    enum rg_status s = RG_OK;
    if (rg_proc_run(&o, COMPILE_SECONDS, &out, &log, &status, &late, &e) != RG_OK)
        s = rg_error_set(err, RG_UNAVAILABLE, "no C compiler: %s (install gcc or clang, or set CC)", e.text);
    else if (late)
        s = rg_error_set(err, RG_INPUT, "the C compiler did not end within %d s", COMPILE_SECONDS);
    else if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        report(&log, err);
        s = RG_INPUT;
    }
    rg_buf_release(&out);
    rg_buf_release(&log);
    rg_arena_release(&c->arena);
    return s;
}

static enum rg_status compile(const struct rg_problem *p, const char *dir, bool openmp, struct rg_error *err)
{
    static const char *const fixed[] = {"-O3", "-march=native", "-w", "-shared", "-fPIC",
                                        /* as in a program of the user's own: calls inside the file are direct */
                                        "-fno-semantic-interposition", "-Wl,-Bsymbolic", "-Wl,-z,defs", "-o", "lib.so"};
    struct command c;
    begin(&c);
    ADD(&c, fixed);
    ADD(&c, sections);
    add_files(&c, p, "c");
    ADD(&c, link_own);
    add_flags(&c, p);
    if (openmp) c.argv[c.n++] = "-fopenmp";
    c.argv[c.n++] = "-lm";
    return end(&c, dir, err);
}

/* How compilers are asked to call us before every access. The names of the checks differ; where inline functions have
 * no body of their own unless something is optimised, they are given one. */
static const char *const hooked[][6] = {
    /* clang; a read just before a write of the same place is left out unless told otherwise */
    {"-fsanitize=thread,array-bounds", "-mllvm", "-tsan-instrument-read-before-write=1"},
    {"-fsanitize=thread,bounds"}, /* gcc; with clang this one traps beside calling */
    {"-fsanitize=thread,array-bounds", "-mllvm", "-tsan-instrument-read-before-write=1", "-fgnu89-inline"},
    {"-fsanitize=thread,bounds", "-fgnu89-inline"},
};

static enum rg_status link_hooked(const struct rg_problem *p, const char *dir, bool atomics, struct rg_error *err)
{
    static const char *const last[] = {"-O0",
                                       "-w",
                                       "-fPIC",
                                       "-fno-lto",
                                       "-fno-sanitize=all",
                                       "-shared",
                                       "-Wl,-Bsymbolic",
                                       "-Wl,-z,defs",
                                       "-Wl,--wrap=memcpy",
                                       "-Wl,--wrap=memmove",
                                       "-Wl,--wrap=memset",
                                       "-Wl,--wrap=memcmp",
                                       "-Wl,--wrap=qsort",
                                       "-o",
                                       "lib.so",
                                       "-lm"};
    struct command c;
    begin(&c);
    add_files(&c, p, "o");
    c.argv[c.n++] = "hooks.c";
    if (atomics) c.argv[c.n++] = "-DRG_ATOMICS";
    ADD(&c, link_own);
    add_flags(&c, p);
    ADD(&c, last);
    return end(&c, dir, err);
}

static enum rg_status compile_hooked(const struct rg_problem *p, const char *dir, size_t how, struct rg_error *err)
{
    static const char *const first[] = {"-march=native"};
    /* DWARF 4: of 5, addr2line takes file 1 for the compiler's own input, not for the file that a marker names */
    static const char *const own[] = {"-O0",
                                      "-g1",
                                      "-gdwarf-4",
                                      "-w",
                                      "-fPIC",
                                      "-fno-lto",
                                      "-fno-builtin-memcpy",
                                      "-fno-builtin-memmove",
                                      "-fno-builtin-memset",
                                      "-fno-builtin-memcmp",
                                      "-fno-sanitize=all"};
    static const char *const last[] = {"-c"};
    struct command c;
    begin(&c);
    ADD(&c, first);
    add_flags(&c, p);
    ADD(&c, own);
    for (int i = 0; hooked[how][i]; i++) c.argv[c.n++] = hooked[how][i];
    ADD(&c, sections);
    ADD(&c, last);
    add_files(&c, p, "c");
    enum rg_status s = end(&c, dir, err);
    struct rg_error ignored = RG_ERROR_INIT;
    if (s != RG_OK || (s = link_hooked(p, dir, false, &ignored)) == RG_OK) return s;
    return link_hooked(p, dir, true, err);
}

static enum rg_status compile_rounded(const struct rg_problem *p, const char *dir, const char *const *renamed,
                                      struct rg_error *err)
{
    static const char *const each[] = {
        /* loops of a few trips unrolled: fewer calls at basic blocks, several times as fast; but no vectors, whose
         * elements would all be rounded the same way */
        "-O3", "-fno-tree-vectorize", "-ffp-contract=off", "-fsanitize-coverage=trace-pc", "-w", "-fPIC", "-fno-lto",
        "-c"};
    static const char *const last[] = {"rounding.c",
                                       "-O2",
                                       "-w",
                                       "-fPIC",
                                       "-fno-lto",
                                       "-fno-sanitize=all",
                                       "-shared",
                                       "-fno-semantic-interposition",
                                       "-Wl,-Bsymbolic",
                                       "-Wl,-z,defs",
                                       "-o",
                                       "lib.so",
                                       "-lm"};
    struct command c;
    begin(&c);
    c.argv[c.n++] = "-march=native";
    add_flags(&c, p);
    ADD(&c, each);
    ADD(&c, sections);
    for (int i = 0; renamed[i]; i++)
        c.argv[c.n++] = rg_arena_printf(&c.arena, "-D%s=rg_nearest_%s", renamed[i], renamed[i]);
    add_files(&c, p, "c");
    enum rg_status s = end(&c, dir, err);
    if (s != RG_OK) return s;
    begin(&c);
    add_files(&c, p, "o");
    ADD(&c, link_own);
    add_flags(&c, p);
    ADD(&c, last);
    return end(&c, dir, err);
}

static enum rg_status make_folder(const char *tmp, struct rg_build *out, struct rg_error *err)
{
    snprintf(out->dir, sizeof out->dir, "%.300s/reference-XXXXXX", tmp && tmp[0] ? tmp : "/tmp");
    if (mkdtemp(out->dir)) return RG_OK;
    enum rg_status s = rg_error_set(err, RG_IO, "cannot create a folder %s: %s", out->dir, strerror(errno));
    out->dir[0] = 0;
    return s;
}

enum rg_status rg__build(const struct rg_problem *p, const char *c, const char *tmp, bool openmp, struct rg_build *out,
                         struct rg_error *err)
{
    enum rg_status s = make_folder(tmp, out, err);
    if (s == RG_OK) s = write_sources(p, c, out->dir, err);
    if (s == RG_OK) s = compile(p, out->dir, openmp, err);
    if (s != RG_OK) rg__build_discard(out);
    return s;
}

enum rg_status rg__build_hooked(const struct rg_problem *p, const char *c, const char *hooks, const char *tmp,
                                struct rg_build *out, struct rg_error *err)
{
    enum rg_status s = make_folder(tmp, out, err);
    if (s == RG_OK) s = write_sources(p, c, out->dir, err);
    if (s == RG_OK) s = write_source(out->dir, "hooks.c", hooks, err);
    if (s == RG_OK) {
        for (size_t i = 0; i < sizeof hooked / sizeof *hooked; i++) {
            struct rg_error e = RG_ERROR_INIT;
            s = compile_hooked(p, out->dir, i, &e);
            if (s == RG_OK) break;
            rg_error_clear(err);
            rg_error_set(err, RG_UNAVAILABLE, "%s", e.text);
        }
        if (s != RG_OK) s = RG_UNAVAILABLE;
    }
    if (s != RG_OK) rg__build_discard(out);
    return s;
}

/* The C with a count of its rounds, in front of a body of any kind: `if (never) ; else BODY` leaves each `else` its
 * `if` and break and continue their loop. NULL: it has none. malloc'd. */
static char *counting(const struct rg_problem *p, const char *c)
{
    if (p->round_at <= 0 || (size_t)p->round_at >= strlen(c)) return NULL;
    return rg_xasprintf("extern unsigned long long rg_rounds;\n%.*s if (!++rg_rounds) ; else %s", (int)p->round_at, c,
                        c + p->round_at);
}

enum rg_status rg__build_rounded(const struct rg_problem *p, const char *c, const char *hook,
                                 const char *const *renamed, const char *tmp, struct rg_build *out,
                                 struct rg_error *err)
{
    struct rg_error e = RG_ERROR_INIT;
    char *counted = counting(p, c);
    enum rg_status s = make_folder(tmp, out, err);
    if (s == RG_OK) s = write_sources(p, counted ? counted : c, out->dir, err);
    free(counted);
    if (s == RG_OK) s = write_source(out->dir, "rounding.c", hook, err);
    if (s == RG_OK && compile_rounded(p, out->dir, renamed, &e) != RG_OK)
        s = rg_error_set(err, RG_UNAVAILABLE, "%s", e.text);
    if (s != RG_OK) rg__build_discard(out);
    return s;
}

void rg__build_path(const struct rg_build *b, char *out, size_t size)
{
    snprintf(out, size, "%s/lib.so", b->dir);
}

void rg__build_discard(struct rg_build *b)
{
    if (b->dir[0]) remove_folder(b->dir);
    b->dir[0] = 0;
}

static enum rg_status load(const struct rg_problem *p, const struct rg_build *b, struct rg_library *out,
                           struct rg_error *err)
{
    char path[600];
    rg__build_path(b, path, sizeof path);
    out->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!out->handle) return rg_error_set(err, RG_INPUT, "the compiled C file cannot be loaded: %s", dlerror());
    const int *n = dlsym(out->handle, "rg_shim_n_params"), *has_init = dlsym(out->handle, "rg_shim_has_init");
    out->params = dlsym(out->handle, "rg_shim_params");
    *(void **)&out->in = dlsym(out->handle, "rg_shim_in");
    *(void **)&out->call = dlsym(out->handle, "rg_shim_call");
    *(void **)&out->out = dlsym(out->handle, "rg_shim_out");
    *(void **)&out->place = dlsym(out->handle, "rg_shim_place");
    *(void **)&out->supplied = dlsym(out->handle, "rg_supplied");
    out->fresh = dlsym(out->handle, "rg_fresh");
    if (has_init && *has_init) *(void **)&out->init = dlsym(out->handle, "rg_shim_init");
    out->init_missed = dlsym(out->handle, "rg_shim_init_missed");
    if (!n || !out->params || !out->in || !out->call || !out->out || !out->fresh || *n != p->n_params)
        return rg_error_set(err, RG_BUG, "the shim of %s does not fit the problem", p->function);
    for (int i = 0; i < *n; i++) {
        const struct rg_param *q = &p->params[i];
        int fields = q->elem == RG_STRUCT && q->struct_index >= 0 ? p->structs[q->struct_index].n_fields : 0;
        if (strcmp(out->params[i].name, q->name) || out->params[i].elem_bytes <= 0 ||
            (fields && out->params[i].n_fields != fields))
            return rg_error_set(err, RG_BUG, "the shim's parameter %s does not fit the problem's %s",
                                out->params[i].name, q->name);
    }
    return RG_OK;
}

enum rg_status rg__library_load(const struct rg_problem *p, const struct rg_build *b, struct rg_library *out,
                                struct rg_error *err)
{
    *out = (struct rg_library){.handle = NULL};
    enum rg_status s = load(p, b, out, err);
    if (s != RG_OK) rg__library_close(out);
    return s;
}

void rg__library_close(struct rg_library *l)
{
    if (l->handle) dlclose(l->handle);
    *l = (struct rg_library){.handle = NULL};
}
