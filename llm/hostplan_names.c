/* Names, expressions and declarations of host code; see hostplan.c. */
#include "hostplan.h"
#include <ctype.h>
#include <rg/expr.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool rg__hp_refuse(struct rg__hp *t, const char *fmt, ...)
{
    va_list ap;
    if (!t->bad) {
        va_start(ap, fmt);
        vsnprintf(t->why, t->why_size, fmt, ap);
        va_end(ap);
    }
    t->bad = true;
    return false;
}

char *rg__hp_strip(struct rg_arena *a, const char *s, size_t n)
{
    while (n && isspace((unsigned char)*s)) s++, n--;
    while (n && isspace((unsigned char)s[n - 1])) n--;
    char *out = rg_arena_strndup(a, s, n);
    for (char *c = out; *c; c++)
        if (*c == '\n' || *c == '\t') *c = ' ';
    return out;
}

static bool is_word(const char *s)
{
    if (!isalpha((unsigned char)*s) && *s != '_') return false;
    while (rg__c_word_char(*s)) s++;
    return !*s;
}

struct rg__hp_name *rg__hp_find(struct rg__hp *t, const char *word)
{
    for (int i = t->n_names - 1; i >= 0; i--)
        if (!strcmp(t->names[i].name, word)) return &t->names[i];
    return NULL;
}

struct rg__hp_name *rg__hp_add(struct rg__hp *t, enum rg__hp_kind kind, const char *word)
{
    if (t->n_names == RG__HP_MAX_NAMES) {
        rg__hp_refuse(t, "too many names in the host code");
        return NULL;
    }
    struct rg__hp_name *n = &t->names[t->n_names++];
    *n = (struct rg__hp_name){.kind = kind, .name = rg_arena_strdup(&t->a, word)};
    return n;
}

int rg__hp_split(struct rg_arena *a, const char *s, char **out)
{
    size_t n = strlen(s), from = 0;
    int count = 0, depth = 0;
    if (!*rg__hp_strip(a, s, n)) return 0;
    for (size_t i = 0; i <= n; i++) {
        if (i < n && strchr("([{", s[i])) depth++;
        if (i < n && strchr(")]}", s[i])) depth--;
        if (i == n || (s[i] == ',' && depth == 0)) {
            if (count == RG__HP_MAX_ARGS) return -1;
            out[count++] = rg__hp_strip(a, s + from, i - from);
            from = i + 1;
        }
    }
    return count;
}

char *rg__hp_call_args(struct rg_arena *a, const char *s, const char *name)
{
    size_t w = strlen(name), n = strlen(s);
    if (strncmp(s, name, w)) return NULL;
    while (w < n && s[w] == ' ') w++;
    if (w >= n || s[w] != '(') return NULL;
    size_t close = rg__c_close(s, n, w);
    return close == n - 1 ? rg__hp_strip(a, s + w + 1, close - w - 1) : NULL;
}

static const char *const int_words[] = {"int",      "unsigned", "long", "short", "size_t", "int64_t", "int32_t",
                                        "uint32_t", "uint64_t", "bool", "char",  "auto",   "signed"};
static bool int_word(const char *s, size_t n)
{
    for (size_t i = 0; i < sizeof int_words / sizeof *int_words; i++)
        if (strlen(int_words[i]) == n && !memcmp(int_words[i], s, n)) return true;
    return false;
}

/* Drops casts to integer types and literal suffixes, puts known values in place of names. */
static void rewrite(struct rg__hp *t, struct rg_buf *out, const char *s, int depth)
{
    size_t n = strlen(s);
    for (size_t i = 0; i < n && out->len < RG__HP_MAX_EXPR;) {
        if (s[i] == '(') {
            size_t close = rg__c_close(s, n, i);
            bool cast = close < n && close > i + 1, any = false;
            for (size_t k = i + 1; cast && k < close;) {
                if (s[k] == ' ') {
                    k++;
                    continue;
                }
                size_t e = k;
                while (e < close && rg__c_word_char(s[e])) e++;
                cast = e > k && int_word(s + k, e - k);
                any = true;
                k = e > k ? e : k + 1;
            }
            size_t before = i;
            while (before && s[before - 1] == ' ') before--;
            if (cast && any && !(before && rg__c_word_char(s[before - 1]))) {
                i = close + 1;
                continue;
            }
        }
        if (isdigit((unsigned char)s[i])) {
            size_t e = i;
            while (e < n && (rg__c_word_char(s[e]) || s[e] == '.')) e++;
            size_t keep = e;
            if (!memchr(s + i, '.', e - i) && !(e - i > 1 && tolower((unsigned char)s[i + 1]) == 'x'))
                while (keep > i + 1 && strchr("uUlL", s[keep - 1])) keep--;
            rg_buf_add(out, s + i, keep - i);
            i = e;
        } else if (rg__c_word_char(s[i])) {
            size_t e = i;
            while (e < n && rg__c_word_char(s[e])) e++;
            char *word = rg_arena_strndup(&t->a, s + i, e - i);
            struct rg__hp_name *nm = rg__hp_find(t, word);
            size_t cast = e;
            if (!strcmp(word, "sizeof") && e < n && s[e] == '(') { /* its argument is a type */
                size_t close = rg__c_close(s, n, e);
                e = close < n ? close + 1 : n;
                rg_buf_add(out, s + i, e - i);
            } else if (!strcmp(word, "static_cast") && cast < n && s[cast] == '<' && strchr(s + cast, '>')) {
                e = (size_t)(strchr(s + cast, '>') - s) + 1;
            } else if (!strncmp(s + i, "std::", 5)) {
                e = i + 5;
            } else if (nm && nm->kind != RG__HP_NAME_DIM3 && nm->value && !nm->variable && depth < RG__HP_MAX_DEPTH) {
                bool atom = is_word(nm->value) || strspn(nm->value, "0123456789") == strlen(nm->value);
                if (!atom && nm->kind == RG__HP_NAME_INT) rg_buf_char(out, '(');
                rewrite(t, out, nm->value, depth + 1);
                if (!atom && nm->kind == RG__HP_NAME_INT) rg_buf_char(out, ')');
            } else {
                rg_buf_str(out, word);
            }
            i = e;
        } else {
            rg_buf_char(out, s[i++]);
        }
    }
}

char *rg__hp_expr(struct rg__hp *t, const char *s)
{
    struct rg_buf b = RG_BUF_INIT;
    rewrite(t, &b, s, 0);
    char *text = rg__hp_strip(&t->a, b.data, b.len);
    bool long_ = b.len >= RG__HP_MAX_EXPR;
    rg_buf_release(&b);
    const struct rg_expr *parsed;
    if (long_ || rg_expr_parse_all(&t->a, text, &parsed, NULL) != RG_OK) {
        rg__hp_refuse(t, "the host expression `%.80s` has no counterpart in the plan language", s);
        return text;
    }
    return text;
}

char *rg__hp_dims(struct rg__hp *t, const char *s)
{
    struct rg__hp_name *n = is_word(s) ? rg__hp_find(t, s) : NULL;
    if (n && n->kind == RG__HP_NAME_DIM3) s = n->value;
    char *inner = rg__hp_call_args(&t->a, s, "dim3");
    if (!inner) return rg__hp_expr(t, s);
    char *args[RG__HP_MAX_ARGS];
    int count = rg__hp_split(&t->a, inner, args);
    if (count < 1 || count > 3) {
        rg__hp_refuse(t, "dim3 of %d numbers", count);
        return inner;
    }
    struct rg_buf b = RG_BUF_INIT;
    rg_buf_str(&b, "dim3(");
    for (int i = 0; i < count; i++) rg_buf_printf(&b, "%s%s", i ? ", " : "", rg__hp_expr(t, args[i]));
    rg_buf_char(&b, ')');
    char *text = rg_arena_strdup(&t->a, b.data);
    rg_buf_release(&b);
    return text;
}

char *rg__hp_bare_call(struct rg__hp *t, char *s)
{
    if (!strncmp(s, "cudaError_t ", 12)) s += 12;
    for (int round = 0; round < 3; round++) {
        char *at = strstr(s, "cuda");
        if (!at || at == s) return s;
        char *eq = memchr(s, '=', (size_t)(at - s));
        if (eq) {
            char *rest = rg__hp_strip(&t->a, eq + 1, strlen(eq + 1));
            if (strncmp(rest, "cuda", 4)) return s;
            s = rest;
            continue;
        }
        size_t w = 0;
        while (rg__c_word_char(s[w])) w++;
        char *inner = w && s[w] == '(' ? rg__hp_call_args(&t->a, s, rg_arena_strndup(&t->a, s, w)) : NULL;
        if (!inner || strncmp(inner, "cuda", 4)) return s;
        s = inner;
    }
    return s;
}

char *rg__hp_unref(struct rg__hp *t, char *s)
{
    if (*s == '(') {
        size_t close = rg__c_close(s, strlen(s), 0);
        if (s[close] && strchr(s, '*') && strchr(s, '*') < s + close)
            s = rg__hp_strip(&t->a, s + close + 1, strlen(s + close + 1));
    }
    return *s == '&' ? rg__hp_strip(&t->a, s + 1, strlen(s + 1)) : s;
}

bool rg__hp_is_array_param(struct rg__hp *t, const char *word)
{
    for (int i = 0; t->p && i < t->p->n_params; i++)
        if (!strcmp(t->p->params[i].name, word)) return t->p->params[i].kind == RG_PARAM_ARRAY;
    return false;
}

/* Pass 1: what each device pointer stands for. `declare` runs over every statement before anything is printed. */
static void note_alias(struct rg__hp *t, const char *pointer, const char *param)
{
    struct rg__hp_name *n = rg__hp_find(t, pointer);
    if (!n || n->kind != RG__HP_NAME_POINTER || !rg__hp_is_array_param(t, param)) return;
    if (n->value && strcmp(n->value, param))
        rg__hp_refuse(t, "`%s` stands for both %s and %s", pointer, n->value, param);
    n->value = rg_arena_strdup(&t->a, param);
}

static void declare_copy(struct rg__hp *t, const char *inner)
{
    char *args[RG__HP_MAX_ARGS];
    int n = rg__hp_split(&t->a, inner, args);
    if (n < 4) return;
    if (strstr(args[3], "HostToDevice")) note_alias(t, args[0], args[1]);
    if (strstr(args[3], "DeviceToHost")) note_alias(t, args[1], args[0]);
}

static void declare_pointers(struct rg__hp *t, char *s)
{
    /* TYPE *a, *b = nullptr */
    char *star = strchr(s, '*');
    size_t type_len = (size_t)(star - s);
    char *type = rg__hp_strip(&t->a, s, type_len);
    if (!strncmp(type, "const ", 6)) type += 6;
    if (!*type || !rg__c_word_char(*type)) return;
    for (char *c = type; *c; c++)
        if (!rg__c_word_char(*c) && *c != ' ') return;
    char *parts[RG__HP_MAX_ARGS];
    int n = rg__hp_split(&t->a, star, parts);
    for (int i = 0; i < n; i++) {
        char *w = parts[i];
        while (*w == '*' || *w == ' ') w++;
        char *eq = strchr(w, '=');
        char *word = rg__hp_strip(&t->a, w, eq ? (size_t)(eq - w) : strlen(w));
        if (!is_word(word)) continue;
        struct rg__hp_name *nm = rg__hp_add(t, RG__HP_NAME_POINTER, word);
        if (nm) nm->type = type;
    }
}

static bool assigned_again(struct rg__hp *t, const char *word)
{
    int writes = 0;
    size_t w = strlen(word), at = 0;
    while ((at = rg__c_find_word(t->body, t->len, at, word)) != (size_t)-1) {
        size_t before = at, i = at + w;
        while (before && t->body[before - 1] == ' ') before--;
        while (i < t->len && t->body[i] == ' ') i++;
        char c = i < t->len ? t->body[i] : 0, d = i + 1 < t->len ? t->body[i + 1] : 0;
        if ((c == '=' && d != '=') || (strchr("+-*/%|&", c) && c && d == '=') ||
            (c && (c == '+' || c == '-') && c == d) ||
            (before >= 2 && (t->body[before - 1] == '+' || t->body[before - 1] == '-') &&
             t->body[before - 2] == t->body[before - 1]) ||
            (before && t->body[before - 1] == '&' && !(before >= 2 && t->body[before - 2] == '&')))
            writes++;
        at += w;
    }
    return writes > 1;
}

size_t rg__hp_int_prefix(const char *s)
{
    size_t at = 0, end = 0;
    for (;;) {
        while (s[at] == ' ') at++;
        size_t e = at;
        while (rg__c_word_char(s[e])) e++;
        bool qualifier = (e - at == 5 && !memcmp(s + at, "const", 5)) ||
                         (e - at == 9 && !memcmp(s + at, "constexpr", 9)) ||
                         (e - at == 6 && !memcmp(s + at, "static", 6));
        if (e == at || (!qualifier && !int_word(s + at, e - at))) break;
        if (!qualifier) end = e;
        at = e;
    }
    return end;
}

/* TYPE *name..., whatever follows */
bool rg__hp_pointer_declaration(const char *s)
{
    size_t i = 0;
    while (rg__c_word_char(s[i]) || s[i] == ' ') i++;
    if (!i || s[i] != '*') return false;
    while (s[i] == '*' || s[i] == ' ') i++;
    return rg__c_word_char(s[i]);
}

void rg__hp_declare(struct rg__hp *t, char *s)
{
    s = rg__hp_bare_call(t, s);
    char *inner, *args[RG__HP_MAX_ARGS];
    size_t ints = rg__hp_int_prefix(s);
    if ((inner = rg__hp_call_args(&t->a, s, "cudaMalloc")) ||
        (inner = rg__hp_call_args(&t->a, s, "cudaMallocManaged"))) {
        if (rg__hp_split(&t->a, inner, args) < 2) return;
        struct rg__hp_name *n = rg__hp_find(t, rg__hp_unref(t, args[0]));
        if (n && n->kind == RG__HP_NAME_POINTER) n->bytes = args[1];
    } else if ((inner = rg__hp_call_args(&t->a, s, "cudaMemcpy")) ||
               (inner = rg__hp_call_args(&t->a, s, "cudaMemcpyAsync"))) {
        declare_copy(t, inner);
    } else if (!strncmp(s, "dim3 ", 5) || !strncmp(s, "const dim3 ", 11)) {
        char *w = strstr(s, "dim3 ") + 5;
        int n = rg__hp_split(&t->a, w, args);
        for (int i = 0; i < n; i++) {
            size_t e = 0;
            while (rg__c_word_char(args[i][e])) e++;
            char *rest = rg__hp_strip(&t->a, args[i] + e, strlen(args[i] + e));
            struct rg__hp_name *nm = e ? rg__hp_add(t, RG__HP_NAME_DIM3, rg_arena_strndup(&t->a, args[i], e)) : NULL;
            if (!nm) return;
            nm->value =
                *rest == '(' || *rest == '{'
                    ? rg_arena_printf(&t->a, "dim3(%.*s)", (int)(strlen(rest) > 1 ? strlen(rest) - 2 : 0), rest + 1)
                : *rest == '=' ? rg__hp_strip(&t->a, rest + 1, strlen(rest + 1))
                               : "dim3(1)";
        }
    } else if (ints && !rg__hp_pointer_declaration(s)) {
        int n = rg__hp_split(&t->a, s + ints, args);
        for (int i = 0; i < n; i++) {
            char *eq = strchr(args[i], '=');
            char *word = rg__hp_strip(&t->a, args[i], eq ? (size_t)(eq - args[i]) : strlen(args[i]));
            if (!is_word(word)) continue;
            struct rg__hp_name *nm = rg__hp_add(t, RG__HP_NAME_INT, word);
            if (!nm) return;
            nm->variable = assigned_again(t, word) || !eq;
            if (eq) nm->value = rg__hp_strip(&t->a, eq + 1, strlen(eq + 1));
        }
    } else if (rg__hp_pointer_declaration(s)) {
        declare_pointers(t, s);
    }
}
