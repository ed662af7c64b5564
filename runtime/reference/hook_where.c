/* Places in the user's files: an address of the instrumented library to its line, a compiler's column to the expression
 * there. */
#include "runtime/reference/hooks.h"
#include <ctype.h>
#include <errno.h>
#include <poll.h>
#include <rg/proc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ANSWER_MS = 3000 };

/* addr2line of the compiler's own binutils, or LLVM's under another name: started before the doors close, asked when
 * something is wrong. */
static struct {
    struct rg_proc proc;
    const void *base;
    char folder[400]; /* of the library, with '/' at the end: what relative names of files were made absolute with */
} resolver;

void rg__where_open(const char *library)
{
    static const char *const programs[] = {"addr2line", "llvm-addr2line", "eu-addr2line"};
    rg__where_close();
    const char *slash = strrchr(library, '/');
    snprintf(resolver.folder, sizeof resolver.folder, "%.*s", slash ? (int)(slash - library + 1) : 0, library);
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        const char *argv[] = {programs[i], "-e", library, NULL};
        struct rg_proc_options o = {.argv = argv, .pass_fd = -1};
        struct rg_error none = RG_ERROR_INIT;
        if (rg_proc_start(&resolver.proc, &o, &none) == RG_OK) return;
    }
}

void rg__where_base(const void *base)
{
    resolver.base = base;
}

/* It ends by itself at the end of its input: a process that is closed off can neither kill nor wait. */
void rg__where_close(void)
{
    if (resolver.proc.pid > 0) {
        close(resolver.proc.in);
        close(resolver.proc.out);
        close(resolver.proc.errf);
        rg_buf_release(&resolver.proc.out_buf);
        rg_buf_release(&resolver.proc.err_tail);
    }
    memset(&resolver, 0, sizeof resolver);
}

static bool answer(char *line, size_t size)
{
    size_t n = 0;
    while (n + 1 < size) {
        struct pollfd f = {resolver.proc.out, POLLIN, 0};
        if (poll(&f, 1, ANSWER_MS) <= 0) return false;
        ssize_t got = read(resolver.proc.out, line + n, 1);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        if (line[n] == '\n') break;
        n++;
    }
    line[n] = 0;
    return true;
}

bool rg__where(const void *pc, char *file, size_t size, int *line)
{
    char text[1200];
    if (resolver.proc.pid <= 0 || !resolver.base || !pc) return false;
    /* one byte back: the call, not what follows it */
    int n = snprintf(text, sizeof text, "0x%llx\n",
                     (unsigned long long)((const char *)pc - (const char *)resolver.base - 1));
    if (write(resolver.proc.in, text, (size_t)n) != n || !answer(text, sizeof text)) return false;
    char *extra = strstr(text, " (discriminator");
    if (extra) *extra = 0;
    char *colon = strrchr(text, ':');
    if (!colon || text[0] == '?' || text[0] == '<') return false;
    *line = atoi(colon + 1);
    *colon = 0;
    size_t own = strlen(resolver.folder);
    const char *name = strncmp(text, resolver.folder, own) ? text : text + own;
    snprintf(file, size, "%s", name);
    return *line > 0;
}

/* The end of a marker's file name; NULL: no marker `# 12 "file.c"`. */
static const char *marker(const char *p, const char *end, int *line, const char **file)
{
    if (*p != '#') return NULL;
    p++;
    while (p < end && *p == ' ') p++;
    if (end - p > 4 && !strncmp(p, "line", 4)) p += 4;
    while (p < end && *p == ' ') p++;
    if (p == end || !isdigit((unsigned char)*p)) return NULL;
    *line = atoi(p);
    while (p < end && isdigit((unsigned char)*p)) p++;
    while (p < end && *p == ' ') p++;
    if (p == end || *p != '"') return NULL;
    *file = ++p;
    while (p < end && *p != '"') p += *p == '\\' && p + 1 < end ? 2 : 1;
    return p <= end ? p : end;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Behind the bracket that closes the one at `at`; n when there is none. */
static size_t closing(const char *s, size_t n, size_t at)
{
    int depth = 0;
    for (; at < n; at++) {
        depth += s[at] == '[' || s[at] == '(';
        depth -= s[at] == ']' || s[at] == ')';
        if (!depth) return at + 1;
    }
    return n;
}

/* Where the expression begins that the bracket at `at` subscripts. */
static size_t beginning(const char *s, size_t at)
{
    while (at > 0) {
        char c = s[at - 1];
        if (c == ']' || c == ')') {
            int depth = 0;
            while (at > 0) {
                at--;
                depth += s[at] == ']' || s[at] == ')';
                depth -= s[at] == '[' || s[at] == '(';
                if (!depth) break;
            }
        } else if (is_word(c) || c == '.') {
            at--;
        } else if (c == '>' && at > 1 && s[at - 2] == '-') {
            at -= 2;
        } else {
            break;
        }
    }
    return at;
}

/* Behind the last subscript of the expression that begins at `at`. */
static size_t ending(const char *s, size_t n, size_t at)
{
    size_t last = at;
    while (at < n) {
        if (s[at] == '[' || s[at] == '(') {
            bool subscript = s[at] == '[';
            at = closing(s, n, at);
            if (subscript) last = at;
        } else if (is_word(s[at]) || s[at] == '.') {
            at++;
        } else if (s[at] == '-' && at + 1 < n && s[at + 1] == '>') {
            at += 2;
        } else {
            break;
        }
    }
    return last;
}

static bool expression(const char *s, size_t n, int column, char *out, size_t size)
{
    size_t at = (size_t)column - 1, from, to;
    if (column < 1 || at >= n) return false;
    if (s[at] == '[') {
        from = beginning(s, at);
        to = closing(s, n, at);
    } else {
        from = at;
        to = ending(s, n, at);
    }
    if (to <= from + 1 || !memchr(s + from, '[', to - from)) return false;
    snprintf(out, size, "%.*s", (int)(to - from), s + from);
    return true;
}

bool rg__where_subscript(const char *text, const char *file, int line, int column, char *out, size_t size)
{
    int now = 1, next;
    const char *name = "", *named, *end;
    size_t len = strlen(file);
    bool same = false;
    for (const char *p = text; *p; p = *end ? end + 1 : end, now++) {
        end = p + strcspn(p, "\n");
        const char *stop = marker(p, end, &next, &named);
        if (stop) {
            name = named;
            same = (size_t)(stop - name) == len && !strncmp(name, file, len);
            now = next - 1;
        } else if (same && now == line && expression(p, (size_t)(end - p), column, out, size)) {
            return true;
        }
    }
    return false;
}
