/* Types as kernels' names spell them against types as C declares them. */
#include "runtime/plan/plan_internal.h"
#include <rg/scalar.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 128, MAX_CHAIN = 8 };

int rg__vector_type(const char *name, enum rg_scalar *elem)
{
    static const struct {
        const char *base;
        enum rg_scalar s;
    } bases[] = {
        {"char", RG_CHAR}, {"uchar", RG_U8},   {"short", RG_I16},   {"ushort", RG_U16},     {"int", RG_I32},
        {"uint", RG_U32},  {"long", RG_LONG},  {"ulong", RG_ULONG}, {"longlong", RG_LLONG}, {"ulonglong", RG_ULLONG},
        {"float", RG_F32}, {"double", RG_F64}, {"__half", RG_F16},  {"half", RG_F16},
    };
    if (!name) return 0;
    for (size_t i = 0; i < sizeof bases / sizeof *bases; i++) {
        size_t n = strlen(bases[i].base);
        if (strncmp(name, bases[i].base, n) || name[n] < '1' || name[n] > '4') continue;
        const char *rest = name + n + 1; /* CUDA 13 has double4_16a and double4_32a */
        if (*rest && strcmp(rest, "_16a") && strcmp(rest, "_32a")) continue;
        *elem = bases[i].s;
        return name[n] - '0';
    }
    return 0;
}

bool rg__same_scalar(enum rg_scalar a, enum rg_scalar b)
{
    if (a == b) return true;
    if (a == RG_STRUCT || b == RG_STRUCT || a == RG_BOOL || b == RG_BOOL) return false;
    if (a >= RG_N_SCALARS || b >= RG_N_SCALARS) return false;
    return rg_scalar_bytes(a) == rg_scalar_bytes(b) && rg_scalar_is_real(a) == rg_scalar_is_real(b) &&
           rg_scalar_is_signed(a) == rg_scalar_is_signed(b);
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool rg__scan_next(struct rg__scan *s)
{
    for (;;) {
        s->p += strspn(s->p, " \t\r\n\f\v");
        if (s->p[0] == '/' && s->p[1] == '*') {
            const char *end = strstr(s->p + 2, "*/");
            s->p = end ? end + 2 : s->p + strlen(s->p);
        } else if (*s->p == '#' || (s->p[0] == '/' && s->p[1] == '/')) {
            s->p += strcspn(s->p, "\n");
        } else if (*s->p == '"' || *s->p == '\'') {
            char q = *s->p++;
            while (*s->p && *s->p != q) s->p += *s->p == '\\' && s->p[1] ? 2 : 1;
            if (*s->p) s->p++;
        } else {
            break;
        }
    }
    size_t n = 0;
    while (is_word(s->p[n])) n++;
    if (!n && *s->p) n = 1;
    size_t keep = n < NAME_BYTES - 1 ? n : NAME_BYTES - 1;
    memcpy(s->word, s->p, keep);
    s->word[keep] = 0;
    s->p += n;
    return n > 0;
}

static bool is(const struct rg__scan *s, const char *text)
{
    return !strcmp(s->word, text);
}

static void skip_braces(struct rg__scan *s)
{
    int depth = 1;
    while (depth && rg__scan_next(s)) depth += is(s, "{") ? 1 : is(s, "}") ? -1 : 0;
}

/* The tag (or type name) that typedef `name` stands for, into out; "" for one without a tag. is_enum: it is an enum.
 * False: no such typedef. */
static bool typedef_of(const char *text, const char *name, char out[NAME_BYTES], bool *is_enum)
{
    struct rg__scan s = {text ? text : "", ""};
    while (rg__scan_next(&s)) {
        if (!is(&s, "typedef")) continue;
        bool tagged, enumeration;
        char target[NAME_BYTES] = "", last[NAME_BYTES] = "";
        if (!rg__scan_next(&s)) break;
        while (is(&s, "const") || is(&s, "volatile"))
            if (!rg__scan_next(&s)) return false;
        enumeration = is(&s, "enum");
        tagged = enumeration || is(&s, "struct") || is(&s, "union");
        if (tagged && !rg__scan_next(&s)) break;
        if (is_word(s.word[0])) {
            strcpy(target, s.word);
            if (!rg__scan_next(&s)) break;
        }
        if (is(&s, "{")) {
            skip_braces(&s);
            if (!rg__scan_next(&s)) break;
        }
        bool plain = true; /* `typedef struct a *b` and `typedef float v[4]` name other types */
        for (; !is(&s, ";");) {
            if (is_word(s.word[0]))
                strcpy(last, s.word);
            else
                plain = false;
            if (!rg__scan_next(&s)) break;
        }
        if (!plain || strcmp(last, name)) continue;
        strcpy(out, target);
        *is_enum = enumeration;
        return true;
    }
    return false;
}

static bool look_up(const struct rg_problem *p, const char *name, char out[NAME_BYTES], bool *is_enum)
{
    return typedef_of(p->device_decls, name, out, is_enum) || typedef_of(p->host_decls, name, out, is_enum) ||
           typedef_of(p->context_source, name, out, is_enum);
}

/* The last name of a chain of typedefs. */
static void canonical(const struct rg_problem *p, const char *name, char out[NAME_BYTES], bool *is_enum)
{
    static const char *const heads[] = {"const ", "struct ", "union ", "enum "};
    char to[NAME_BYTES];
    *is_enum = false;
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        if (!strncmp(name, heads[i], strlen(heads[i]))) name += strlen(heads[i]);
    size_t n = strlen(name);
    if (n > NAME_BYTES - 1) n = NAME_BYTES - 1;
    memcpy(out, name, n);
    out[n] = 0;
    for (int i = 0; i < MAX_CHAIN && look_up(p, out, to, is_enum) && to[0] && strcmp(to, out); i++) strcpy(out, to);
}

bool rg__same_struct(const struct rg_problem *p, const char *c_name, const char *mangled)
{
    char a[NAME_BYTES], b[NAME_BYTES];
    bool e;
    if (!c_name || !mangled) return false;
    canonical(p, c_name, a, &e);
    canonical(p, mangled, b, &e);
    size_t n = strlen(a);
    if (!strncmp(a, b, n) && !strcmp(b + n, "_")) return true; /* `struct class` is class_ in C++ */
    return !strcmp(a, b);
}

static bool has_enum(const char *text, const char *tag)
{
    struct rg__scan s = {text ? text : "", ""};
    while (rg__scan_next(&s))
        if (is(&s, "enum") && rg__scan_next(&s) && is(&s, tag)) return true;
    return false;
}

bool rg__is_enum(const struct rg_problem *p, const char *mangled)
{
    char name[NAME_BYTES];
    bool e;
    canonical(p, mangled, name, &e);
    return e || has_enum(p->device_decls, name) || has_enum(p->host_decls, name) || has_enum(p->context_source, name);
}

int rg__find_struct(const struct rg_problem *p, const char *words)
{
    for (int i = 0; i < p->n_structs; i++)
        if (!strcmp(p->structs[i].c_name, words)) return i;
    for (int i = 0; i < p->n_structs; i++)
        if (rg__same_struct(p, p->structs[i].c_name, words)) return i;
    return -1;
}
