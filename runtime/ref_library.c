/* The user's C, compiled as the user would and loaded into this process. */
#include "runtime/reference.h"
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <rg/file.h>
#include <rg/proc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_WORDS = 64, COMPILE_SECONDS = 120 };

static void remove_folder(const char *dir)
{
    DIR *d = opendir(dir);
    for (struct dirent *e; d && (e = readdir(d));)
        if (e->d_name[0] != '.') unlinkat(dirfd(d), e->d_name, 0);
    if (d) closedir(d);
    rmdir(dir);
}

/* "file:line:column: error: text" of the compiler's first complaint; the whole first line when it has another form. */
static void report(const struct rg_buf *log, struct rg_error *err)
{
    const char *p = strstr(log->data, "undefined reference"); /* only when everything compiled */
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
        rg_error_set(err, RG_INPUT, "the C file does not link: %s (give further C files with --with)", strstr(text, "undefined reference"));
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
            if (!quote && (*p == '"' || *p == '\'')) quote = *p++;
            else if (quote && *p == quote) quote = 0, p++;
            else *to++ = *p++;
        }
        if (*p) p++;
        *to = 0;
    }
    return n;
}

static enum rg_status compile(const struct rg_problem *p, const char *c, const char *dir, struct rg_error *err)
{
    struct rg_arena a = RG_ARENA_INIT;
    static const char *const fixed[] = {"-O3", "-march=native", "-w", "-shared", "-fPIC",
                                        /* as in a program of the user's own: calls inside the file are direct */
                                        "-fno-semantic-interposition", "-Wl,-Bsymbolic", "-Wl,-z,defs", "-o", "lib.so", "ref.c"};
    enum { N_FIXED = sizeof fixed / sizeof *fixed };
    const char *argv[2 * MAX_WORDS + N_FIXED + 80];
    /* the frontend's: headers that one compiler has preprocessed need not suit another */
    const char *cc = getenv("CC");
    int n = words(rg_arena_strdup(&a, cc ? cc : ""), argv, MAX_WORDS);
    if (!n) argv[n++] = "cc";
    memcpy(argv + n, fixed, sizeof fixed);
    n += N_FIXED;
    enum rg_status s = write_source(dir, "ref.c", c, err);
    for (int i = 0; i < p->n_with && i < 64 && s == RG_OK; i++) {
        argv[n] = rg_arena_printf(&a, "with_%d.c", i);
        s = write_source(dir, argv[n++], p->with_c[i], err);
    }
    char *flags = rg_arena_strdup(&a, p->cflags ? p->cflags : "");
    n += words(flags, argv + n, MAX_WORDS);
    argv[n++] = "-lm";
    argv[n] = NULL;
    struct rg_buf out = RG_BUF_INIT, log = RG_BUF_INIT;
    int status = 0;
    bool late = false;
    struct rg_proc_options o = {.argv = argv, .cwd = dir, .pass_fd = -1};
    struct rg_error e = RG_ERROR_INIT;
    if (s == RG_OK && rg_proc_run(&o, COMPILE_SECONDS, &out, &log, &status, &late, &e) != RG_OK)
        s = rg_error_set(err, RG_UNAVAILABLE, "no C compiler: %s (install gcc or clang, or set CC)", e.text);
    if (s == RG_OK && late) s = rg_error_set(err, RG_INPUT, "the C compiler did not end within %d s", COMPILE_SECONDS);
    if (s == RG_OK && (!WIFEXITED(status) || WEXITSTATUS(status) != 0)) {
        report(&log, err);
        s = RG_INPUT;
    }
    rg_buf_release(&out);
    rg_buf_release(&log);
    rg_arena_release(&a);
    return s;
}

static enum rg_status load(const struct rg_problem *p, const char *dir, struct rg_library *out, struct rg_error *err)
{
    char path[600];
    snprintf(path, sizeof path, "%s/lib.so", dir);
    out->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!out->handle) return rg_error_set(err, RG_INPUT, "the compiled C file cannot be loaded: %s", dlerror());
    const int *n = dlsym(out->handle, "rg_shim_n_params"), *has_init = dlsym(out->handle, "rg_shim_has_init");
    out->params = dlsym(out->handle, "rg_shim_params");
    *(void **)&out->in = dlsym(out->handle, "rg_shim_in");
    *(void **)&out->call = dlsym(out->handle, "rg_shim_call");
    *(void **)&out->out = dlsym(out->handle, "rg_shim_out");
    if (has_init && *has_init) *(void **)&out->init = dlsym(out->handle, "rg_shim_init");
    if (!n || !out->params || !out->in || !out->call || !out->out || *n != p->n_params)
        return rg_error_set(err, RG_BUG, "the shim of %s does not fit the problem", p->function);
    for (int i = 0; i < *n; i++) {
        const struct rg_param *q = &p->params[i];
        int fields = q->elem == RG_STRUCT && q->struct_index >= 0 ? p->structs[q->struct_index].n_fields : 0;
        if (strcmp(out->params[i].name, q->name) || out->params[i].elem_bytes <= 0 ||
            (fields && out->params[i].n_fields != fields))
            return rg_error_set(err, RG_BUG, "the shim's parameter %s does not fit the problem's %s", out->params[i].name,
                                q->name);
    }
    return RG_OK;
}

enum rg_status rg__library_open(const struct rg_problem *p, const char *c, const char *tmp, struct rg_library *out,
                                struct rg_error *err)
{
    *out = (struct rg_library){.handle = NULL};
    char dir[400];
    snprintf(dir, sizeof dir, "%.300s/reference-XXXXXX", tmp && tmp[0] ? tmp : "/tmp");
    if (!mkdtemp(dir)) return rg_error_set(err, RG_IO, "cannot create a folder %s: %s", dir, strerror(errno));
    enum rg_status s = compile(p, c, dir, err);
    if (s == RG_OK) s = load(p, dir, out, err);
    remove_folder(dir);
    if (s != RG_OK) rg__library_close(out);
    return s;
}

void rg__library_close(struct rg_library *l)
{
    if (l->handle) dlclose(l->handle);
    *l = (struct rg_library){.handle = NULL};
}
