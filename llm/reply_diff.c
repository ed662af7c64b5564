/* A unified diff where the whole code was asked for: applied to the current version when every hunk fits at exactly one
 * place. Line numbers of hunks are ignored, models get them wrong. */
#include "llm.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LINES = 20000 };

struct line {
    const char *s;
    size_t n; /* without trailing blanks */
};
struct lines {
    int n, cap;
    struct line *items;
};

static void add_line(struct lines *l, const char *s, size_t n)
{
    while (n && isspace((unsigned char)s[n - 1])) n--;
    RG_GROW(l->items, l->n, l->cap);
    l->items[l->n++] = (struct line){s, n};
}

static void split(struct lines *l, const char *s, size_t n)
{
    for (size_t at = 0; at < n && l->n < MAX_LINES;) {
        const char *end = memchr(s + at, '\n', n - at);
        size_t len = end ? (size_t)(end - (s + at)) : n - at;
        add_line(l, s + at, len);
        at += len + 1;
    }
}

static bool same(struct line a, struct line b)
{
    return a.n == b.n && !memcmp(a.s, b.s, a.n);
}

/* Where `what` stands in `in`; -1 nowhere, -2 at several places. */
static int find(const struct lines *in, const struct lines *what)
{
    int at = -1;
    for (int i = 0; i + what->n <= in->n; i++) {
        int k = 0;
        while (k < what->n && same(in->items[i + k], what->items[k])) k++;
        if (k < what->n) continue;
        if (at >= 0) return -2;
        at = i;
    }
    return at;
}

static bool apply_hunk(struct lines *text, const struct lines *old, const struct lines *new)
{
    if (!old->n && !new->n) return true;
    int at = old->n ? find(text, old) : -1;
    if (at < 0) return false;
    struct lines out = {0};
    for (int i = 0; i < at; i++) add_line(&out, text->items[i].s, text->items[i].n);
    for (int i = 0; i < new->n; i++) add_line(&out, new->items[i].s, new->items[i].n);
    for (int i = at + old->n; i < text->n; i++) add_line(&out, text->items[i].s, text->items[i].n);
    free(text->items);
    *text = out;
    return true;
}

static bool starts(const struct line *l, const char *with)
{
    size_t n = strlen(with);
    return l->n >= n && !memcmp(l->s, with, n);
}

bool rg__looks_like_diff(const char *text, size_t n)
{
    struct lines l = {0};
    split(&l, text, n);
    int hunks = 0, marked = 0, other = 0;
    for (int i = 0; i < l.n; i++) {
        const struct line *x = &l.items[i];
        if (starts(x, "@@"))
            hunks++;
        else if (x->n && (*x->s == '+' || *x->s == '-'))
            marked++;
        else if (x->n && *x->s != ' ' && *x->s != '\\' && !starts(x, "diff ") && !starts(x, "index "))
            other++;
    }
    free(l.items);
    return hunks > 0 && marked > 0 && other == 0;
}

char *rg__diff_apply(const char *current, const char *diff, size_t n)
{
    struct lines text = {0}, patch = {0}, old = {0}, new = {0};
    split(&text, current, strlen(current));
    split(&patch, diff, n);
    bool good = true, inside = false;
    int hunks = 0;
    for (int i = 0; i <= patch.n && good; i++) {
        const struct line *l = i < patch.n ? &patch.items[i] : NULL;
        /* a file's head ends a hunk; `--- x` inside one is a removed line unless `+++` follows */
        bool head = l && ((starts(l, "--- ") && i + 1 < patch.n && starts(l + 1, "+++ ")) || starts(l, "diff ") ||
                          starts(l, "index ") || (!inside && starts(l, "+++ ")));
        if (!l || head || starts(l, "@@")) {
            if (old.n || new.n) {
                good = apply_hunk(&text, &old, &new);
                hunks++;
            }
            old.n = new.n = 0;
            inside = l && starts(l, "@@");
            if (head && starts(l, "--- ")) i++;
            continue;
        }
        if (!inside && !(l->n && (*l->s == '+' || *l->s == '-' || *l->s == ' '))) continue;
        if (starts(l, "\\ No newline")) continue;
        char mark = l->n ? *l->s : ' ';
        size_t skip = l->n && (mark == '+' || mark == '-' || mark == ' ');
        if (mark != '+') add_line(&old, l->s + skip, l->n - skip);
        if (mark != '-') add_line(&new, l->s + skip, l->n - skip);
    }
    struct rg_buf out = RG_BUF_INIT;
    for (int i = 0; i < text.n; i++) {
        rg_buf_add(&out, text.items[i].s, text.items[i].n);
        rg_buf_char(&out, '\n');
    }
    free(text.items);
    free(patch.items);
    free(old.items);
    free(new.items);
    if (good && hunks) return rg_buf_steal(&out);
    rg_buf_release(&out);
    return NULL;
}
