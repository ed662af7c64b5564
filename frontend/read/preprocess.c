/* The user's own compiler, as preprocessor and as judge of what is C. */
#include "frontend/read/source.h"
#include <errno.h>
#include <rg/proc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const double compiler_seconds = 120;

const char **rg__split_words(struct rg_arena *a, const char *line, int *n)
{
    size_t cap = strlen(line) / 2 + 2;
    const char **words = rg_arena_alloc(a, cap * sizeof *words);
    struct rg_buf w = RG_BUF_INIT;
    bool in_word = false;
    char quote = 0;
    *n = 0;
    for (const char *p = line;; p++) {
        char c = *p;
        if (!c || (!quote && strchr(" \t\r\n", c))) {
            if (in_word) words[(*n)++] = rg_arena_strndup(a, w.data, w.len);
            rg_buf_reset(&w);
            in_word = false;
            if (!c) break;
            continue;
        }
        in_word = true;
        if (quote ? c == quote : (c == '"' || c == '\'')) {
            quote = quote ? 0 : c;
        } else {
            if (c == '\\' && quote != '\'' && p[1]) c = *++p;
            rg_buf_char(&w, c);
        }
    }
    rg_buf_release(&w);
    words[*n] = NULL;
    return words;
}

void rg__compiler_error(const char *messages, const char *file, struct rg_error *err)
{
    const char *at = strstr(messages, " error: ");
    if (!at) at = strstr(messages, " fatal error: ");
    if (!at) {
        const char *nl = strchr(messages, '\n');
        int n = (int)(nl ? (size_t)(nl - messages) : strlen(messages));
        rg_error_at(err, RG_INPUT, file, 0, 0, "%.*s", n > 600 ? 600 : n, n ? messages : "the C compiler refuses it");
        return;
    }
    const char *line = at;
    while (line > messages && line[-1] != '\n') line--;
    const char *text = strstr(at, "error: ") + 7;
    const char *end = strchr(text, '\n');
    int n = (int)(end ? (size_t)(end - text) : strlen(text));
    char name[256];
    int row = 0, column = 0;
    size_t len = 0;
    /* file:line:column: or file:line: before the word */
    for (const char *c = line; c < at; c++)
        if (*c == ':' && sscanf(c, ":%d:%d:", &row, &column) >= 1 && row > 0) {
            len = (size_t)(c - line);
            break;
        }
    snprintf(name, sizeof name, "%.*s", (int)(len < 255 ? len : 255), line);
    const char *dot = strrchr(file, '.');
    bool other = false;
    static const char *const suffixes[] = {".cu", ".cuh", ".cpp", ".cc", ".cxx", ".C", ".hpp"};
    for (size_t i = 0; dot && i < sizeof suffixes / sizeof *suffixes; i++) other |= !strcmp(dot, suffixes[i]);
    rg_error_at(err, RG_INPUT, len ? name : file, row, column, "%.*s%s", n > 700 ? 700 : n, text,
                other ? " (the file is read as C: sequential C is what goes in)" : "");
}

/* argv of the compiler with cflags and `extra`; the file last. */
static const char **command(struct rg_arena *a, const char *file, const char *cflags, const char *const *extra)
{
    const char *cc = getenv("CC");
    int n_cc, n_flags, n_extra = 0, n = 0;
    const char **cc_words = rg__split_words(a, cc && *cc ? cc : "cc", &n_cc);
    const char **flag_words = rg__split_words(a, cflags ? cflags : "", &n_flags);
    while (extra && extra[n_extra]) n_extra++;
    const char **argv = rg_arena_alloc(a, (size_t)(n_cc + n_flags + n_extra + 4) * sizeof *argv);
    for (int i = 0; i < n_cc; i++) argv[n++] = cc_words[i];
    for (int i = 0; i < n_flags; i++) argv[n++] = flag_words[i];
    for (int i = 0; i < n_extra; i++) argv[n++] = extra[i];
    argv[n++] = "-x"; /* whatever the file is called: we read C */
    argv[n++] = "c";
    argv[n++] = file[0] == '-' ? rg_arena_printf(a, "./%s", file) : file;
    argv[n] = NULL;
    return argv;
}

enum rg_status rg__preprocess(const char *file, const char *cflags, const char *const *extra, struct rg_buf *out,
                              struct rg_error *err)
{
    FILE *f = fopen(file, "rb");
    if (!f) return rg_error_set(err, RG_IO, "cannot open '%s': %s", file, strerror(errno));
    char probe;
    size_t got = fread(&probe, 1, 1, f);
    int failed = ferror(f), why = errno;
    fclose(f);
    if (failed) return rg_error_set(err, RG_IO, "cannot read '%s': %s", file, strerror(why));
    if (!got) return rg_error_at(err, RG_INPUT, file, 0, 0, "the file is empty");

    struct rg_arena a = RG_ARENA_INIT;
    struct rg_buf errs = RG_BUF_INIT;
    const char *words[16] = {"-E"};
    int n = 1, status = 0;
    for (; extra && extra[n - 1] && n < 15; n++) words[n] = extra[n - 1];
    const char **argv = command(&a, file, cflags, words);
    bool late = false;
    enum rg_status st = rg_proc_run(&(struct rg_proc_options){.argv = argv, .pass_fd = -1}, compiler_seconds, out,
                                    &errs, &status, &late, err);
    if (st != RG_OK) {
        rg_error_prefix(err, "no C compiler: cannot run '%s' (set CC)", argv[0]);
        st = RG_UNAVAILABLE;
        if (err) err->status = st;
    } else if (late) {
        st = rg_error_set(err, RG_INPUT, "'%s -E %s' did not end within %.0f s", argv[0], file, compiler_seconds);
    } else if (!errs.len && (!out->len || !WIFEXITED(status) || WEXITSTATUS(status))) {
        const char *from = getenv("CC");
        st = rg_error_set(err, RG_UNAVAILABLE, "'%s -E %s' gave no output and no message: %s", argv[0], file,
                          from && *from ? "is that a C compiler? It comes from the variable CC"
                                        : "is that a C compiler?");
    } else if (!WIFEXITED(status) || WEXITSTATUS(status)) {
        rg__compiler_error(errs.data, file, err);
        st = RG_INPUT;
    }
    rg_buf_release(&errs);
    rg_arena_release(&a);
    return st;
}

void rg__syntax_messages(const char *file, const char *cflags, struct rg_buf *out)
{
    static const char *const words[] = {"-fsyntax-only", "-w", NULL};
    struct rg_arena a = RG_ARENA_INIT;
    struct rg_buf text = RG_BUF_INIT;
    int status = 0;
    bool late = false;
    const char **argv = command(&a, file, cflags, words);
    enum rg_status st = rg_proc_run(&(struct rg_proc_options){.argv = argv, .pass_fd = -1}, compiler_seconds, NULL,
                                    &text, &status, &late, NULL);
    if (st == RG_OK && !late && WIFEXITED(status) && WEXITSTATUS(status)) rg_buf_str(out, text.data);
    rg_buf_release(&text);
    rg_arena_release(&a);
}
