/* What a candidate may include: headers of CUDA and the ones this program brings, by name. A compiler message shows
 * lines of what was included, so a path into the machine must not even be opened - also where the kernel has no
 * Landlock to forbid it. */
#include "runtime/compile/compiler.h"
#include <rg/buf.h>
#include <rg/file.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_REMARK = 2000 }; /* characters of a comment between the words of a directive */

struct scan {
    const struct rg_compiler *c;
    const char *at; /* next character of the source */
    int line;
    bool overlong; /* a comment was left before its end */
    char *message;
    size_t size;
};

/* Over spliced lines: a backslash at a line's end continues it, wherever it stands. */
static void splice(struct scan *s)
{
    while (s->at[0] == '\\' && (s->at[1] == '\n' || (s->at[1] == '\r' && s->at[2] == '\n'))) {
        s->at += s->at[1] == '\n' ? 2 : 3;
        s->line++;
    }
}

static char take(struct scan *s)
{
    splice(s);
    char c = *s->at;
    if (!c) return 0;
    s->at++;
    if (c == '\n') s->line++;
    splice(s);
    return c;
}

static char look(struct scan *s)
{
    splice(s);
    return *s->at;
}

/* True when a comment began here; it, or as much of it as there may be, is behind us then. */
static bool comment(struct scan *s)
{
    struct scan t = *s;
    if (take(&t) != '/') return false;
    char kind = look(&t);
    if (kind != '/' && kind != '*') return false;
    take(&t);
    const char *from = t.at;
    for (char last = 0, c; (c = look(&t)) != 0; last = c) {
        if (kind == '/' && c == '\n') break;
        if (t.at - from > MOST_REMARK) {
            t.overlong = true;
            break;
        }
        take(&t);
        if (kind == '*' && last == '*' && c == '/') break;
    }
    *s = t;
    return true;
}

static void blanks(struct scan *s)
{
    for (;;) {
        char c = look(s);
        if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v')
            take(s);
        else if (c != '/' || !comment(s))
            return;
    }
}

static void word(struct scan *s, char *out, size_t size)
{
    size_t n = 0;
    while (isalnum((unsigned char)look(s)) || look(s) == '_') {
        char c = take(s);
        if (n + 1 < size) out[n++] = c;
    }
    out[n] = 0;
}

static bool ours(const struct rg_compiler *c, const char *name)
{
    char path[1200];
    for (int i = 0; i < rg__n_headers; i++)
        if (!strcmp(rg__header_names[i], name)) return true;
    if (!c->include_dir[0]) return false;
    static const char *const below[] = {"", "/cccl"};
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s%s/%s", c->include_dir, below[i], name);
        if (rg_file_exists(path)) return true;
    }
    return false;
}

static bool refuse(struct scan *s, int line, const char *what, const char *name)
{
    snprintf(s->message, s->size,
             "candidate.cu(%d): error: %s%s%s: only headers of CUDA can be included, by their plain name", line, what,
             *name ? " of " : "", name);
    return false;
}

/* <name> or "name". The search path of <> has CUDA's folders alone; "" looks beside the source first, so its names must
 * be known ones. */
static bool header(struct scan *s, const char *what)
{
    char name[200];
    int line = s->line;
    size_t n = 0;
    blanks(s);
    if (s->overlong) return refuse(s, line, what, "a long comment");
    char open = look(s), close = open == '<' ? '>' : '"';
    if (open != '<' && open != '"') return refuse(s, line, what, "a macro");
    take(s);
    while (look(s) && look(s) != close && look(s) != '\n') {
        char c = take(s);
        if (n + 1 < sizeof name)
            name[n++] = c;
        else
            return refuse(s, line, what, "a long name");
    }
    name[n] = 0;
    if (look(s) != close) return refuse(s, line, what, name);
    take(s);
    bool plain = n > 0 && name[0] != '/' && !strstr(name, "..");
    for (size_t i = 0; i < n; i++) plain = plain && (isalnum((unsigned char)name[i]) || strchr("_-+./", name[i]));
    return plain && (open == '<' || ours(s->c, name)) ? true : refuse(s, line, what, name);
}

/* Both look ahead alone: what follows is read again, as if it were no comment of theirs. */
static bool directive(struct scan ahead)
{
    struct scan *s = &ahead;
    static const char *const reading[] = {"include", "include_next", "import", "embed"};
    char w[40];
    blanks(s);
    word(s, w, sizeof w);
    if (s->overlong) return refuse(s, s->line, "a directive", "a long comment");
    for (size_t i = 0; i < sizeof reading / sizeof *reading; i++) {
        char what[44];
        snprintf(what, sizeof what, "#%s", w);
        if (!strcmp(w, reading[i])) return header(s, what);
    }
    return true;
}

static bool asks(struct scan ahead, const char *w)
{
    struct scan *s = &ahead;
    if (strncmp(w, "__has_include", 13) && strcmp(w, "__has_embed")) return true;
    blanks(s);
    if (look(s) != '(' && !s->overlong) return true; /* #ifdef __has_include */
    take(s);
    return header(s, w);
}

/* Behind a line that begins with two slashes and does not end an older comment: whatever stands before it, it is a
 * comment. */
static bool skip_remark(struct scan *s)
{
    struct scan t = *s;
    while (look(&t) == ' ' || look(&t) == '\t') take(&t);
    if (take(&t) != '/' || take(&t) != '/') return false;
    for (char last = 0, c; (c = look(&t)) != 0 && c != '\n'; last = c) {
        if (last == '*' && c == '/') return false;
        take(&t);
    }
    *s = t;
    return true;
}

/* Literals and comments are not followed: a scanner that could be led to lose its place in them would be worth nothing
 * here. What looks like a directive is taken for one. */
bool rg__includes_allowed(const struct rg_compiler *c, const char *source, char *message, size_t size)
{
    struct scan s = {.c = c, .at = source, .line = 1, .message = message, .size = size};
    bool fresh = true; /* at a line's beginning */
    for (char x, w[40]; (x = look(&s)) != 0;) {
        if (fresh && skip_remark(&s)) continue;
        fresh = x == '\n';
        bool digraph = x == '%' && s.at[1] == ':';
        if (x == '#' || digraph) {
            take(&s);
            if (digraph) take(&s);
            if (!directive(s)) return false;
        } else if (isalpha((unsigned char)x) || x == '_') {
            word(&s, w, sizeof w);
            if (!asks(s, w)) return false;
        } else {
            take(&s);
        }
    }
    return true;
}
