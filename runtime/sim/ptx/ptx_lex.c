#include "runtime/sim/ptx/ptx_lex.h"
#include <stdlib.h>
#include <string.h>

static bool word_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
           c == '%';
}
static bool digit(char c)
{
    return c >= '0' && c <= '9';
}
static int hex(char c)
{
    if (digit(c)) return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

void rg__ptx_lex_start(struct ptx_lexer *l, const char *text, size_t len)
{
    l->p = text;
    l->end = text + len;
    l->line = 1;
    rg__ptx_lex_next(l);
}

static void skip_space(struct ptx_lexer *l)
{
    while (l->p < l->end) {
        char c = *l->p;
        if (c == '\n')
            l->line++, l->p++;
        else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v')
            l->p++;
        else if (c == '/' && l->end - l->p > 1 && l->p[1] == '/') {
            while (l->p < l->end && *l->p != '\n') l->p++;
        } else if (c == '/' && l->end - l->p > 1 && l->p[1] == '*') {
            l->p += 2;
            while (l->p < l->end && !(*l->p == '*' && l->end - l->p > 1 && l->p[1] == '/')) {
                if (*l->p == '\n') l->line++;
                l->p++;
            }
            l->p = l->end - l->p > 2 ? l->p + 2 : l->end;
        } else
            break;
    }
}

static void hex_float(struct ptx_lexer *l, int digits, enum ptx_token_kind kind)
{
    uint64_t v = 0;
    int n = 0;
    const char *p = l->p + 2;
    while (p < l->end && n < digits && hex(*p) >= 0) v = v << 4 | (uint64_t)hex(*p), p++, n++;
    l->t.kind = kind;
    l->t.bits = v;
    l->p = p;
}

static void number(struct ptx_lexer *l)
{
    const char *p = l->p;
    ptrdiff_t left = l->end - p;
    if (left > 2 && p[0] == '0' && (p[1] == 'f' || p[1] == 'F') && hex(p[2]) >= 0) {
        hex_float(l, 8, PTX_T_F32);
        return;
    }
    if (left > 2 && p[0] == '0' && (p[1] == 'd' || p[1] == 'D') && hex(p[2]) >= 0) {
        hex_float(l, 16, PTX_T_F64);
        return;
    }
    uint64_t v = 0;
    l->t.kind = PTX_T_INT;
    if (left > 2 && p[0] == '0' && (p[1] == 'x' || p[1] == 'X')) {
        for (p += 2; p < l->end && hex(*p) >= 0; p++) v = v << 4 | (uint64_t)hex(*p);
    } else if (left > 2 && p[0] == '0' && (p[1] == 'b' || p[1] == 'B')) {
        for (p += 2; p < l->end && (*p == '0' || *p == '1'); p++) v = v << 1 | (uint64_t)(*p - '0');
    } else {
        const char *q = p;
        while (q < l->end && digit(*q)) q++;
        if (q < l->end && (*q == '.' || *q == 'e' || *q == 'E')) {
            char buf[64];
            size_t n = 0;
            while (p < l->end && n < sizeof buf - 1 &&
                   (digit(*p) || *p == '.' || *p == 'e' || *p == 'E' ||
                    ((*p == '+' || *p == '-') && n && (buf[n - 1] == 'e' || buf[n - 1] == 'E'))))
                buf[n++] = *p++;
            buf[n] = 0;
            double d = strtod(buf, NULL);
            memcpy(&v, &d, 8);
            l->t.kind = PTX_T_F64;
        } else if (*p == '0' && q - p > 1) {
            for (; p < q; p++) v = v << 3 | (uint64_t)(*p - '0');
        } else {
            for (; p < q; p++) v = v * 10 + (uint64_t)(*p - '0');
        }
    }
    if (p < l->end && (*p == 'U' || *p == 'u')) p++;
    l->t.bits = v;
    l->p = p;
}

void rg__ptx_lex_next(struct ptx_lexer *l)
{
    skip_space(l);
    struct ptx_token *t = &l->t;
    memset(t, 0, sizeof *t);
    t->line = l->line;
    t->text = l->p;
    if (l->p >= l->end) {
        t->kind = PTX_T_END;
        return;
    }
    char c = *l->p;
    if (digit(c)) {
        number(l);
        t->n = (size_t)(l->p - t->text);
    } else if (word_char(c)) {
        t->kind = PTX_T_WORD;
        while (l->p < l->end && word_char(*l->p)) l->p++;
        /* %tid.x is one word: special registers are the only words with a dot that are no opcodes. */
        if (c == '%' && l->end - l->p > 1 && *l->p == '.' && l->p[1] >= 'w' && l->p[1] <= 'z' &&
            (l->end - l->p == 2 || !word_char(l->p[2])))
            l->p += 2;
        t->n = (size_t)(l->p - t->text);
    } else if (c == '.' && l->end - l->p > 1 && word_char(l->p[1])) {
        t->kind = PTX_T_DOT;
        t->text = ++l->p;
        while (l->p < l->end && (word_char(*l->p) || (l->end - l->p > 2 && l->p[0] == ':' && l->p[1] == ':'))) {
            if (*l->p == ':') l->p++;
            l->p++;
        }
        t->n = (size_t)(l->p - t->text);
    } else if (c == '"') {
        t->kind = PTX_T_STRING;
        t->text = ++l->p;
        while (l->p < l->end && *l->p != '"' && *l->p != '\n') l->p++;
        t->n = (size_t)(l->p - t->text);
        if (l->p < l->end && *l->p == '"') l->p++;
    } else {
        t->kind = PTX_T_CHAR;
        t->c = c;
        t->n = 1;
        l->p++;
    }
}

void rg__ptx_lex_opcode(struct ptx_lexer *l)
{
    while (l->p < l->end) {
        if (l->end - l->p > 1 && l->p[0] == '.' && word_char(l->p[1]))
            l->p++;
        else if (l->end - l->p > 2 && l->p[0] == ':' && l->p[1] == ':' && word_char(l->p[2]))
            l->p += 2;
        else
            break;
        while (l->p < l->end && word_char(*l->p)) l->p++;
    }
    l->t.n = (size_t)(l->p - l->t.text);
}

bool rg__ptx_at_word(const struct ptx_lexer *l, enum ptx_token_kind kind, const char *word)
{
    size_t n = strlen(word);
    return l->t.kind == kind && l->t.n == n && memcmp(l->t.text, word, n) == 0;
}
