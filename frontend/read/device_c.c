/* C text as CUDA C++. What C++ takes another way round is put right token by token; everything else stays as it is. */
#include "frontend/read/device_c.h"
#include "frontend/read/build.h"
#include "frontend/read/source.h"
#include <stdlib.h>
#include <string.h>

static bool is(const struct rg__source *s, int k, const char *word)
{
    return k >= 0 && k < s->n_toks && rg__tok_is(s, k, word);
}

/* [const] void [const] * [const], not behind another *: tokens taken, 0 when it is something else. */
static int any_pointer(const struct rg__source *s, int k)
{
    int i = k;
    while (is(s, i, "const") || is(s, i, "volatile")) i++;
    if (!is(s, i, "void")) return 0;
    i++;
    while (is(s, i, "const") || is(s, i, "volatile")) i++;
    if (!is(s, i, "*")) return 0;
    i++;
    while (is(s, i, "const") || is(s, i, "restrict") || is(s, i, "__restrict") || is(s, i, "__restrict__")) i++;
    return is(s, i, "*") ? 0 : i - k;
}

/* glibc's constants of that table. */
static const char *ctype_bit(const char *word)
{
    static const char *const bits[][2] = {{"_ISupper", "256"},   {"_ISlower", "512"},   {"_ISalpha", "1024"},
                                          {"_ISdigit", "2048"},  {"_ISxdigit", "4096"}, {"_ISspace", "8192"},
                                          {"_ISprint", "16384"}, {"_ISgraph", "32768"}, {"_ISblank", "1"},
                                          {"_IScntrl", "2"},     {"_ISpunct", "4"},     {"_ISalnum", "8"}};
    for (size_t i = 0; i < sizeof bits / sizeof *bits; i++)
        if (!strcmp(bits[i][0], word)) return bits[i][1];
    return NULL;
}

/* (struct name){: a compound literal. */
static int literal(const struct rg__source *s, int k)
{
    int i = k + 1;
    if (!is(s, k, "(") || k == 0 || is(s, k - 1, ")") || is(s, k - 1, "]") ||
        (s->toks[k - 1].kind == RG__TOK_IDENT && !is(s, k - 1, "return")))
        return 0;
    if (is(s, i, "struct")) i++;
    if (i + 2 >= s->n_toks || s->toks[i].kind != RG__TOK_IDENT || !is(s, i + 1, ")") || !is(s, i + 2, "{")) return 0;
    return i;
}

/* enum name, where it is not declared: the name alone stands for the integer that it is in C. */
static bool enum_use(const struct rg__source *s, int k)
{
    return is(s, k, "enum") && k + 2 < s->n_toks && s->toks[k + 1].kind == RG__TOK_IDENT && !is(s, k + 2, "{");
}

/* float or double beside _Complex, in either order and with words between that say nothing of the type: tokens taken, 0
 * when it is something else. */
static int complex_type(const struct rg__source *s, int k, bool *single)
{
    bool complex = false, real = false;
    int i = k;
    for (; i < s->n_toks; i++) {
        bool part = is(s, i, "float") || is(s, i, "double");
        if (is(s, i, "_Complex") || is(s, i, "__complex__"))
            complex = true;
        else if (part)
            real = true, *single = is(s, i, "float");
        else if (i == k || !is(s, i, "const") || (complex && real))
            break;
    }
    while (i > k && is(s, i - 1, "const")) i--;
    if (complex && !real) *single = false;
    return complex ? i - k : 0;
}

/* 1.0iF: the imaginary unit of <complex.h>, or a user's own number of that kind. Its digits' length; 0: another number.
 */
static size_t imaginary(const struct rg__source *s, int k)
{
    if (k >= s->n_toks || s->toks[k].kind != RG__TOK_NUMBER) return 0;
    const char *t = s->text + s->toks[k].at;
    size_t n = s->toks[k].len;
    bool is_imaginary = false;
    while (n && strchr("iIjJfFlL", t[n - 1])) is_imaginary |= strchr("iIjJ", t[--n]) != NULL;
    return is_imaginary ? n : 0;
}

void rg__device_c(const char *text, bool (*own)(void *arg, const char *name), void *arg, struct rg_buf *out)
{
    struct rg__source s;
    struct rg_arena a = {0};
    rg__source_init(&s, rg_xstrdup(text), strlen(text));
    uint32_t at = 0;
    for (int k = 0; k < s.n_toks; k++) {
        uint32_t from = s.toks[k].at, end = from + s.toks[k].len;
        const char *instead = NULL;
        bool single = false;
        int n = any_pointer(&s, k), name = literal(&s, k), number = complex_type(&s, k, &single);
        size_t digits = imaginary(&s, k);
        if (number) {
            instead = single ? "rg_zf" : "rg_zd";
            end = s.toks[k + number - 1].at + s.toks[k + number - 1].len;
            k += number - 1;
        } else if (digits) {
            instead = rg_arena_printf(&a, "rg_cmake_d(0, %.*s)", (int)digits, s.text + from);
        } else if (is(&s, k, "_Bool")) {
            instead = "bool";
        } else if (is(&s, k, "__extension__") || enum_use(&s, k)) {
            instead = "";
        } else if (n) {
            instead = "rg_any ";
            end = s.toks[k + n - 1].at + s.toks[k + n - 1].len;
            k += n - 1;
        } else if (name) { /* the name stays, its brackets go */
            instead = rg_arena_printf(&a, "%s", rg__tok_text(&s, name, &a));
            end = s.toks[name + 1].at + 1;
            k = name + 1;
        } else if (s.toks[k].kind == RG__TOK_IDENT && !is(&s, k - 1, ".") && !is(&s, k - 1, "->")) {
            const char *word = rg__tok_text(&s, k, &a);
            bool log2 = !strcmp(word, "log2") || !strcmp(word, "log2f");
            const char *bare = strncmp(word, "__builtin_", 10) ? word : word + 10;
            if (is(&s, k + 1, "(") && !own(arg, word) && rg__complex_function(bare) &&
                (bare != word || strcmp(bare, "complex")))
                instead = rg_arena_printf(&a, "rg_%s", bare);
            else if (log2 && is(&s, k + 1, "(") && !own(arg, word))
                instead = rg_arena_printf(&a, "rg_%s", word); /* exact, where it becomes an integer */
            else if (!strcmp(word, "__ctype_b_loc"))
                instead = "rg_ctype_b_loc";
            else if (!strncmp(word, "_IS", 3))
                instead = ctype_bit(word);
            else if ((is(&s, k + 1, "(") || !strncmp(word, "std", 3)) && !own(arg, word))
                instead = rg__device_name(word, &a);
        }
        if (!instead) continue;
        rg_buf_add(out, s.text + at, from - at);
        rg_buf_str(out, instead);
        at = end;
    }
    rg_buf_add(out, s.text + at, s.len - at);
    rg__source_release(&s);
    rg_arena_release(&a);
}
