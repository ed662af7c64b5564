#include "frontend/read/source.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static void add_token(struct rg__source *s, enum rg__tok_kind kind, size_t at, size_t end)
{
    RG_GROW(s->toks, s->n_toks, s->cap_toks);
    s->toks[s->n_toks++] = (struct rg__tok){(uint32_t)at, (uint32_t)(end - at), kind};
}

/* Has the file been entered as one that is not the system's? Those of most markers are: the last ones are asked first.
 */
static bool is_users(const struct rg__source *s, const char *file)
{
    for (int i = s->n_marks - 1; i >= 0; i--)
        if (!strcmp(s->marks[i].file, file)) return !s->marks[i].system;
    return false;
}

/* A line marker `# 12 "file.c" 3` or a pragma; everything else that starts with '#' is dropped. */
static void directive(struct rg__source *s, size_t at, size_t end)
{
    const char *p = s->text + at + 1, *e = s->text + end;
    while (p < e && (*p == ' ' || *p == '\t')) p++;
    if (e - p > 5 && !strncmp(p, "line", 4) && isspace((unsigned char)p[4])) {
        p += 4;
        while (p < e && isspace((unsigned char)*p)) p++;
    }
    if (p < e && isdigit((unsigned char)*p)) {
        long line = 0;
        for (; p < e && isdigit((unsigned char)*p); p++)
            if (line < 100000000) line = line * 10 + (*p - '0');
        while (p < e && (*p == ' ' || *p == '\t')) p++;
        struct rg__mark m = {.at = (uint32_t)(end < s->len ? end + 1 : end), .line = (int)line};
        if (p < e && *p == '"') {
            struct rg_buf name = RG_BUF_INIT;
            for (p++; p < e && *p != '"'; p++) {
                if (*p == '\\' && p + 1 < e) p++;
                rg_buf_char(&name, *p);
            }
            if (p < e) p++;
            m.file = rg_arena_strndup(&s->arena, name.data, name.len);
            rg_buf_release(&name);
            for (; p < e; p++)
                if (*p == '3') m.system = true;
            if (m.file[0] == '<') m.system = true;
            /* a macro of a system header expanded in a file of the user's: `bool` of <stdbool.h> */
            if (m.system && is_users(s, m.file)) m.system = false;
        } else {
            m.file = s->n_marks ? s->marks[s->n_marks - 1].file : "";
            m.system = s->n_marks && s->marks[s->n_marks - 1].system;
        }
        RG_GROW(s->marks, s->n_marks, s->cap_marks);
        s->marks[s->n_marks++] = m;
    } else if (e - p > 7 && !strncmp(p, "pragma", 6) && isspace((unsigned char)p[6])) {
        p += 7;
        RG_GROW(s->pragmas, s->n_pragmas, s->cap_pragmas);
        s->pragmas[s->n_pragmas++] = (struct rg__pragma_line){
            (uint32_t)at, rg_arena_strndup(&s->arena, p, (size_t)(e - p)), (int)(p - (s->text + at)) + 1};
    }
}

static size_t number_end(const char *t, size_t i, size_t n)
{
    while (i < n) {
        unsigned char c = (unsigned char)t[i];
        if ((c == 'e' || c == 'E' || c == 'p' || c == 'P') && i + 1 < n && (t[i + 1] == '+' || t[i + 1] == '-'))
            i += 2;
        else if (isalnum(c) || c == '.' || c == '_')
            i++;
        else
            break;
    }
    return i;
}

static size_t punct_end(const char *t, size_t i, size_t n)
{
    static const char *const longer[] = {"<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=",
                                         "&&",  "||",  "*=",  "/=", "%=", "+=", "-=", "&=", "^=", "|=", "##"};
    for (size_t k = 0; k < sizeof longer / sizeof *longer; k++) {
        size_t m = strlen(longer[k]);
        if (i + m <= n && !memcmp(t + i, longer[k], m)) return i + m;
    }
    return i + 1;
}

static void tokenize(struct rg__source *s)
{
    const char *t = s->text;
    size_t n = s->len, i = 0;
    bool line_start = true;
    while (i < n) {
        unsigned char c = (unsigned char)t[i];
        if (c == '\n') {
            line_start = true;
            i++;
        } else if (isspace(c)) {
            i++;
        } else if (c == '#' && line_start) {
            size_t e = i;
            while (e < n && t[e] != '\n') e++;
            directive(s, i, e);
            i = e;
        } else if (c == '/' && i + 1 < n && t[i + 1] == '*') {
            const char *e = strstr(t + i + 2, "*/");
            i = e ? (size_t)(e - t) + 2 : n;
        } else if (c == '/' && i + 1 < n && t[i + 1] == '/') {
            while (i < n && t[i] != '\n') i++;
        } else {
            size_t at = i;
            enum rg__tok_kind kind = RG__TOK_PUNCT;
            line_start = false;
            if (isalpha(c) || c == '_' || c == '$' || c >= 0x80) {
                kind = RG__TOK_IDENT;
                while (i < n &&
                       (isalnum((unsigned char)t[i]) || t[i] == '_' || t[i] == '$' || (unsigned char)t[i] >= 0x80))
                    i++;
            } else if (isdigit(c) || (c == '.' && i + 1 < n && isdigit((unsigned char)t[i + 1]))) {
                kind = RG__TOK_NUMBER;
                i = number_end(t, i, n);
            }
            if ((c == '"' || c == '\'') || (kind == RG__TOK_IDENT && i < n && (t[i] == '"' || t[i] == '\'') &&
                                            i - at <= 2 && (c == 'L' || c == 'u' || c == 'U'))) {
                char q = t[i];
                kind = q == '"' ? RG__TOK_STRING : RG__TOK_CHAR;
                for (i++; i < n && t[i] != q && t[i] != '\n'; i++)
                    if (t[i] == '\\' && i + 1 < n) i++;
                if (i < n && t[i] == q) i++;
            } else if (kind == RG__TOK_PUNCT) {
                i = punct_end(t, i, n);
            }
            add_token(s, kind, at, i);
        }
    }
}

void rg__source_init(struct rg__source *s, char *text, size_t len)
{
    memset(s, 0, sizeof *s);
    s->text = text;
    s->len = strnlen(text, len); /* a NUL byte ends C text for every tool behind us */
    if (s->len > UINT32_MAX / 2) s->len = 0;
    tokenize(s);
}

void rg__source_release(struct rg__source *s)
{
    rg_arena_release(&s->arena);
    free(s->text);
    free(s->toks);
    free(s->marks);
    free(s->pragmas);
    memset(s, 0, sizeof *s);
}

int rg__tok_from(const struct rg__source *s, uint32_t at)
{
    int lo = 0, hi = s->n_toks;
    while (lo < hi) {
        int mid = lo + (hi - lo) / 2;
        if (s->toks[mid].at < at)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

bool rg__tok_is(const struct rg__source *s, int tok, const char *spelling)
{
    if (tok < 0 || tok >= s->n_toks) return false;
    size_t n = strlen(spelling);
    return s->toks[tok].len == n && !memcmp(s->text + s->toks[tok].at, spelling, n);
}

char *rg__tok_text(const struct rg__source *s, int tok, struct rg_arena *a)
{
    if (tok < 0 || tok >= s->n_toks) return rg_arena_strdup(a, "");
    return rg_arena_strndup(a, s->text + s->toks[tok].at, s->toks[tok].len);
}

struct rg__place rg__source_place(const struct rg__source *s, uint32_t at)
{
    int lo = 0, hi = s->n_marks;
    while (lo < hi) {
        int mid = lo + (hi - lo) / 2;
        if (s->marks[mid].at <= at)
            lo = mid + 1;
        else
            hi = mid;
    }
    struct rg__place p = {"", 1, 1, false};
    uint32_t from = 0;
    if (lo > 0) {
        const struct rg__mark *m = &s->marks[lo - 1];
        p.file = m->file;
        p.line = m->line;
        p.system = m->system;
        from = m->at;
    }
    uint32_t line_at = from;
    for (uint32_t i = from; i < at && i < s->len; i++)
        if (s->text[i] == '\n') {
            p.line++;
            line_at = i + 1;
        }
    p.column = (int)(at - line_at) + 1;
    return p;
}

void rg__source_slice(const struct rg__source *s, uint32_t from, uint32_t to, struct rg_buf *out)
{
    int prev_line = -1;
    for (int k = rg__tok_from(s, from); k < s->n_toks && s->toks[k].at < to; k++) {
        const struct rg__tok *t = &s->toks[k];
        if (prev_line >= 0) {
            const struct rg__tok *q = &s->toks[k - 1];
            uint32_t gap = q->at + q->len;
            bool newline = false;
            for (uint32_t i = gap; i < t->at; i++) newline |= s->text[i] == '\n';
            if (newline)
                rg_buf_char(out, '\n');
            else if (gap < t->at)
                rg_buf_char(out, ' ');
        }
        prev_line = k;
        rg_buf_add(out, s->text + t->at, t->len);
    }
}
