#include "frontend/emit/oracle.h"
#include "frontend/emit/oracle_scan.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_NUMBER = 200 };

/* ---- literals ---- */

static double to_half(double v)
{
    int e;
    if (v == 0 || !isfinite(v)) return v;
    frexp(v, &e); /* |v| in [2^(e-1), 2^e): 11 significant bits, fewer below 2^-14 */
    int quantum = e - 11 < -24 ? -24 : e - 11;
    return ldexp(rint(ldexp(v, -quantum)), quantum);
}

enum suffix { NO_SUFFIX, SUFFIX_F, SUFFIX_L, SUFFIX_HALF };

/* Length of the number without its suffix; -1 when the token is no real literal we know. */
static int split_suffix(const char *text, int len, enum suffix *suffix)
{
    static const struct {
        const char *spelling;
        enum suffix suffix;
    } endings[] = {{"f16", SUFFIX_HALF}, {"f32", SUFFIX_F}, {"f64", NO_SUFFIX},
                   {"f", SUFFIX_F},      {"l", SUFFIX_L},   {"", NO_SUFFIX}};
    bool hex = len > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    char *end;
    strtod(text, &end);
    int digits = (int)(end - text);
    bool real = false;
    for (int i = 0; i < digits; i++)
        real |= text[i] == '.' || (hex ? text[i] == 'p' || text[i] == 'P' : text[i] == 'e' || text[i] == 'E');
    if (!real || digits > len) return -1;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t n = strlen(endings[i].spelling), k = 0;
        while (k < n && (size_t)digits + k < (size_t)len &&
               tolower((unsigned char)text[(size_t)digits + k]) == endings[i].spelling[k])
            k++;
        if (k == n && (size_t)digits + n == (size_t)len) {
            *suffix = endings[i].suffix;
            return digits;
        }
    }
    return -1;
}

static void number(const struct rg__oracle_scan *o, const struct rg__tok *t, struct rg_buf *out)
{
    const char *at = o->s->text + t->at;
    char text[LONGEST_NUMBER + 1], value[64];
    enum suffix suffix = SUFFIX_L;
    int digits = -1;
    if (t->len <= LONGEST_NUMBER) {
        memcpy(text, at, t->len);
        text[t->len] = 0;
        digits = split_suffix(text, (int)t->len, &suffix);
    }
    bool wide = o->mode == RG__ORACLE_LONG_DOUBLE;
    if (digits < 0 || suffix == SUFFIX_L || (suffix == NO_SUFFIX && !wide)) {
        rg_buf_add(out, at, t->len);
        return;
    }
    text[digits] = 0;
    double exact = strtod(text, NULL);
    if (suffix == NO_SUFFIX) { /* a double's value as long double */
        bool same = (long double)exact == strtold(text, NULL) || !isfinite(exact);
        if (!same) snprintf(value, sizeof value, "%.21Lg", (long double)exact);
        rg_buf_printf(out, "%s%sL", same ? text : value, same || strpbrk(value, ".e") ? "" : ".0");
        return;
    }
    double v = suffix == SUFFIX_HALF ? to_half(exact) : (double)strtof(text, NULL);
    bool same = v == exact || !isfinite(v);
    if (!same) snprintf(value, sizeof value, "%.17g", v);
    rg_buf_printf(out, "%s%s", same ? text : value, same || strpbrk(value, ".e") ? "" : ".0");
}

/* ---- names ---- */

static const char *const float_words[] = {"float", "_Float16", "__fp16", "__bf16", "_Float32", "float_t", NULL};
static const char *const double_words[] = {"double", "_Float64", "double_t", "_Float32x", NULL};

/* `double` beside `long`, whatever qualifiers stand between. */
static bool long_double(const struct rg__source *s, int tok)
{
    static const char *const between[] = {"const",    "volatile", "static",  "extern", "register",
                                          "_Complex", "inline",   "typedef", NULL};
    int b = tok - 1, f = tok + 1;
    while (rg__oracle_in(s, b, between)) b--;
    while (rg__oracle_in(s, f, between)) f++;
    return rg__tok_is(s, b, "long") || rg__tok_is(s, f, "long");
}

/* A name in front of its parameters' types, or behind its own type, is being declared. */
static bool declares(const struct rg__oracle_scan *o, int tok)
{
    static const char *const before_values[] = {"return", "else", "do", "case", "goto", "sizeof", NULL};
    const struct rg__source *s = o->s;
    unsigned types, flags;
    if (tok > 0 && s->toks[tok - 1].kind == RG__TOK_IDENT && !rg__oracle_in(s, tok - 1, before_values)) return true;
    if (!rg__tok_is(s, tok + 1, "(")) return false;
    rg__oracle_specifiers(o, tok + 2, &types, &flags);
    return (flags & RG__SPEC_TYPE) != 0;
}

/* The user's own function or variable of that name. */
static bool own(const struct rg__oracle_scan *o, int tok)
{
    const struct rg__name *n = rg__oracle_meaning(o, tok);
    return n && (n->flags & RG__NAME_USER) && (n->flags & RG__NAME_DEFINED);
}

static void identifier(const struct rg__oracle_scan *o, int tok, struct rg_buf *out)
{
    const struct rg__source *s = o->s;
    const struct rg__tok *t = &s->toks[tok];
    const char *text = s->text + t->at;
    bool wide = o->mode == RG__ORACLE_LONG_DOUBLE;
    char name[40];
    int kind;
    if (rg__oracle_in(s, tok, float_words)) {
        rg_buf_str(out, "double");
    } else if (wide && rg__oracle_in(s, tok, double_words)) {
        rg_buf_str(out, long_double(s, tok) ? "double" : "long double");
    } else if ((tok > 0 && (rg__tok_is(s, tok - 1, ".") || rg__tok_is(s, tok - 1, "->"))) || own(o, tok) ||
               !(kind = rg__oracle_math(text, t->len, o->mode, name))) {
        rg_buf_add(out, text, t->len);
    } else {
        bool call = rg__tok_is(s, tok + 1, "(") && !declares(o, tok);
        rg_buf_printf(out, "%s%s", kind == 2 && call ? "__builtin_" : "", name);
    }
}

enum rg_status rg__oracle_text(const struct rg__source *src, enum rg__oracle_mode mode, const char *const *roots,
                               struct rg_buf *out, const char **why, struct rg_arena *a)
{
    struct rg__oracle_scan o;
    rg__oracle_scan_init(&o, src, mode, roots);
    *why = rg__oracle_objection(&o, a);
    size_t at = 0;
    for (int i = 0; i < src->n_toks && !*why; i++) {
        const struct rg__tok *t = &src->toks[i];
        rg_buf_add(out, src->text + at, t->at - at);
        at = t->at + t->len;
        if (!o.user[i] || o.keep[i] || (t->kind != RG__TOK_IDENT && t->kind != RG__TOK_NUMBER))
            rg_buf_add(out, src->text + t->at, t->len);
        else if (t->kind == RG__TOK_NUMBER)
            number(&o, t, out);
        else
            identifier(&o, i, out);
    }
    if (!*why) rg_buf_add(out, src->text + at, src->len - at);
    rg__oracle_scan_release(&o);
    return RG_OK;
}
