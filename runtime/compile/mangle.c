/* Itanium C++ names of kernels to signatures: what a plan's launches are checked against.
 * Source: https://itanium-cxx-abi.github.io/cxx-abi/abi.html#mangling; what NVRTC and nvcc emit of it. Types that can
 * not be passed by a plan are read past as far as substitution numbers need it. Names come from compiled foreign code:
 * depth, length and every list are bounded. */
#include "runtime/compile/mangle.h"
#include <rg/buf.h>
#include <string.h>

static struct rg__type *read_type(struct rg__mangle *r);
static struct rg__type *read_name(struct rg__mangle *r, bool own, bool *is_template);
static bool read_expression(struct rg__mangle *r);

static struct rg__type *fail(struct rg__mangle *r)
{
    r->failed = true;
    return NULL;
}

static char peek(const struct rg__mangle *r)
{
    return r->p < r->end ? *r->p : 0;
}

static char peek2(const struct rg__mangle *r)
{
    return r->p + 1 < r->end ? r->p[1] : 0;
}

static bool take(struct rg__mangle *r, const char *text)
{
    size_t n = strlen(text);
    if ((size_t)(r->end - r->p) < n || memcmp(r->p, text, n)) return false;
    r->p += n;
    return true;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static struct rg__type *new_type(struct rg__mangle *r, enum rg__type_kind kind, struct rg__type *of)
{
    struct rg__type *t = rg_arena_alloc(r->a, sizeof *t);
    t->kind = kind;
    t->of = of;
    return t;
}

static struct rg__type *named(struct rg__mangle *r, const char *prefix, const char *s, size_t n)
{
    if (n > MAX_NAME || (prefix && strlen(prefix) + n > MAX_NAME)) return fail(r);
    struct rg__type *t = new_type(r, NAMED, NULL);
    t->name = prefix && prefix[0] ? rg_arena_printf(r->a, "%s::%.*s", prefix, (int)n, s) : rg_arena_strndup(r->a, s, n);
    return t;
}

static struct rg__type *remember(struct rg__mangle *r, struct rg__type *t)
{
    if (!t) return NULL;
    if (r->n_subs == MAX_SUBSTITUTIONS) return fail(r);
    if (!(r->n_subs & (r->n_subs - 1))) { /* grows at powers of two */
        struct rg__type **more = rg_arena_alloc(r->a, (size_t)(r->n_subs ? r->n_subs * 2 : 1) * sizeof *more);
        if (r->n_subs) memcpy(more, r->subs, (size_t)r->n_subs * sizeof *more);
        r->subs = more;
    }
    r->subs[r->n_subs++] = t;
    return t;
}

/* Decimal, or -1. */
static int read_number(struct rg__mangle *r)
{
    if (!is_digit(peek(r))) return -1;
    int v = 0;
    while (is_digit(peek(r))) {
        v = v * 10 + (*r->p++ - '0');
        if (v > MAX_LOWERED) {
            fail(r);
            return -1;
        }
    }
    return v;
}

/* S_ is 0, S0_ 1, S1_ 2, ... SA_ 11, ...; behind the letter S or T, up to and with '_'. */
static int read_sequence(struct rg__mangle *r, int base)
{
    int v = 0;
    bool any = false;
    for (;; r->p++) {
        char c = peek(r);
        int d = is_digit(c) ? c - '0' : base == 36 && c >= 'A' && c <= 'Z' ? c - 'A' + 10 : -1;
        if (d < 0) break;
        v = v * base + d;
        any = true;
        if (v > MAX_SUBSTITUTIONS) {
            fail(r);
            return -1;
        }
    }
    if (!take(r, "_")) {
        fail(r);
        return -1;
    }
    return any ? v + 1 : 0;
}

static struct rg__type *read_substitution(struct rg__mangle *r)
{
    static const struct {
        char letter;
        const char *name;
    } std[] = {{'t', "std"},          {'a', "std::allocator"}, {'b', "std::basic_string"}, {'s', "std::string"},
               {'i', "std::istream"}, {'o', "std::ostream"},   {'d', "std::iostream"}};
    r->p++;
    for (size_t i = 0; i < sizeof std / sizeof *std; i++)
        if (peek(r) == std[i].letter) {
            r->p++;
            return named(r, NULL, std[i].name, strlen(std[i].name));
        }
    int i = read_sequence(r, 36);
    return i < 0 || i >= r->n_subs ? fail(r) : r->subs[i];
}

/* <source-name>, operators, constructors, lambdas and unnamed types; abi tags are dropped. */
static struct rg__type *read_unqualified(struct rg__mangle *r, const char *prefix)
{
    struct rg__type *t = NULL;
    take(r, "L"); /* internal linkage */
    if (is_digit(peek(r))) {
        int n = read_number(r);
        if (n <= 0 || n > r->end - r->p) return fail(r);
        const char *s = r->p;
        size_t len = (size_t)n;
        r->p += n;
        if (n >= 11 && !memcmp(s, "_GLOBAL__N_", 11)) s = "(anonymous namespace)", len = strlen(s);
        t = named(r, prefix, s, len);
    } else if (take(r, "Ut") || take(r, "Ul")) {
        if (r->p[-1] == 'l') {
            while (!r->failed && peek(r) && peek(r) != 'E') read_type(r);
            if (!take(r, "E")) return fail(r);
        }
        while (is_digit(peek(r))) r->p++;
        if (!take(r, "_")) return fail(r);
        t = named(r, prefix, "(unnamed)", 9);
    } else if ((peek(r) == 'C' || peek(r) == 'D') && is_digit(peek2(r))) {
        r->p += 2;
        t = named(r, prefix, "(constructor)", 13);
    } else if (take(r, "cv")) {
        if (!read_type(r)) return NULL;
        t = named(r, prefix, "operator", 8);
    } else if (peek(r) >= 'a' && peek(r) <= 'z' && peek2(r)) {
        r->p += 2;
        t = named(r, prefix, "operator", 8);
    }
    while (t && take(r, "B")) {
        int n = read_number(r);
        if (n <= 0 || n > r->end - r->p) return fail(r);
        r->p += n;
    }
    return t ? t : fail(r);
}

static struct rg__type *read_template_arg(struct rg__mangle *r)
{
    if (++r->depth > MAX_DEPTH) return fail(r);
    struct rg__type *t = NULL;
    if (take(r, "X")) {
        t = read_expression(r) && take(r, "E") ? new_type(r, LITERAL, NULL) : fail(r);
    } else if (peek(r) == 'L') {
        t = read_expression(r) ? new_type(r, LITERAL, NULL) : fail(r);
    } else if (take(r, "J")) {
        t = new_type(r, PACK, NULL);
        t->items = rg_arena_alloc(r->a, MAX_PARAMS * sizeof *t->items);
        while (!take(r, "E")) {
            if (t->n == MAX_PARAMS || !(t->items[t->n++] = read_template_arg(r))) {
                t = fail(r);
                break;
            }
        }
    } else {
        t = read_type(r);
    }
    r->depth--;
    return t;
}

/* "I ... E". own: these are the function's arguments, so T_ means them from now on. */
static bool read_template_args(struct rg__mangle *r, bool own)
{
    struct rg__type *list[64];
    int n = 0;
    if (!take(r, "I")) return false;
    while (!take(r, "E")) {
        if (n == 64 || !(list[n++] = read_template_arg(r))) {
            fail(r);
            return false;
        }
    }
    if (own) {
        r->args = rg_arena_alloc(r->a, (size_t)(n ? n : 1) * sizeof *list);
        memcpy(r->args, list, (size_t)n * sizeof *list);
        r->n_args = n;
    }
    return true;
}

static struct rg__type *with_args(struct rg__mangle *r, const struct rg__type *t)
{
    const char *base = t->name ? t->name : "(dependent)";
    size_t n = strlen(base);
    if (n + 5 > MAX_NAME) return fail(r);
    struct rg__type *u = new_type(r, t->kind == UNKNOWN ? UNKNOWN : NAMED, NULL);
    u->name = rg_arena_printf(r->a, "%s<...>", base);
    return u;
}

static struct rg__type *read_template_param(struct rg__mangle *r)
{
    r->p++;
    int i = read_sequence(r, 10);
    if (i < 0) return NULL;
    struct rg__type *t = new_type(r, TEMPLATE_PARAM, NULL);
    t->index = i;
    return t;
}

/* N [CV] prefix... E. A name that is a function's is no substitution, one that is a type's is. */
static struct rg__type *read_nested(struct rg__mangle *r, bool own, bool *is_template)
{
    r->p++;
    while (peek(r) == 'r' || peek(r) == 'V' || peek(r) == 'K') r->p++;
    struct rg__type *t = NULL;
    bool dependent = false;
    *is_template = false;
    while (!r->failed && !take(r, "E")) {
        char c = peek(r);
        bool fresh = true; /* a substitution is in the table already, and so is `std` */
        if (c == 'I') {
            if (!t || !read_template_args(r, own)) return fail(r);
            t = with_args(r, t);
            *is_template = true;
        } else if (c == 'S') {
            if (t) return fail(r);
            t = read_substitution(r);
            fresh = false;
        } else if (c == 'T') {
            if (t) return fail(r);
            t = read_template_param(r);
            dependent = true;
        } else if (c == 'D' && (peek2(r) == 't' || peek2(r) == 'T')) {
            if (t) return fail(r);
            t = read_type(r);
            dependent = true;
            fresh = false;
        } else {
            t = read_unqualified(r, t ? t->name : NULL);
            *is_template = false;
        }
        if (!t) return fail(r);
        if (fresh && peek(r) != 'E') remember(r, t);
        if (c == 'I' && own)
            dependent = false;
        else if (dependent && t->kind == NAMED)
            t->kind = UNKNOWN; /* T::type: its meaning is not in the name */
    }
    return t ? t : fail(r);
}

/* Z <function> E <entity>: something local to a function. */
static struct rg__type *read_local(struct rg__mangle *r)
{
    struct rg__type **params;
    int n;
    r->p++;
    if (!rg__mangle_encoding(r, false, &params, &n) || !take(r, "E")) return fail(r);
    bool ignored;
    struct rg__type *t = take(r, "s") ? named(r, NULL, "(string)", 8) : read_name(r, false, &ignored);
    if (t && take(r, "_")) {
        take(r, "_");
        while (is_digit(peek(r))) r->p++;
        take(r, "_");
    }
    return t;
}

static struct rg__type *read_name(struct rg__mangle *r, bool own, bool *is_template)
{
    *is_template = false;
    if (++r->depth > MAX_DEPTH) return fail(r);
    struct rg__type *t;
    bool substituted = false;
    if (peek(r) == 'N') {
        t = read_nested(r, own, is_template);
        r->depth--;
        return t;
    }
    if (peek(r) == 'Z') {
        t = read_local(r);
    } else if (peek(r) == 'S' && peek2(r) != 't') {
        t = read_substitution(r);
        substituted = true;
    } else {
        const char *prefix = take(r, "St") ? "std" : NULL;
        t = read_unqualified(r, prefix);
    }
    if (t && peek(r) == 'I') {
        if (!substituted) remember(r, t);
        t = read_template_args(r, own) ? with_args(r, t) : fail(r);
        *is_template = true;
    }
    r->depth--;
    return t;
}

static const struct {
    const char *code;
    int scalar; /* -1 void, -2 something a plan can't pass, named */
    const char *name;
} builtins[] = {
    {"v", -1, "void"},        {"b", RG_BOOL, NULL},
    {"c", RG_CHAR, NULL},     {"a", RG_I8, NULL},
    {"h", RG_U8, NULL},       {"s", RG_I16, NULL},
    {"t", RG_U16, NULL},      {"i", RG_I32, NULL},
    {"j", RG_U32, NULL},      {"l", RG_LONG, NULL},
    {"m", RG_ULONG, NULL},    {"x", RG_LLONG, NULL},
    {"y", RG_ULLONG, NULL},   {"f", RG_F32, NULL},
    {"d", RG_F64, NULL},      {"w", RG_I32, NULL},
    {"Di", RG_U32, NULL},     {"Ds", RG_U16, NULL},
    {"Du", RG_U8, NULL},      {"Dh", RG_F16, NULL},
    {"DF16_", RG_F16, NULL},  {"DF16b", -2, "__bf16"},
    {"DF32_", RG_F32, NULL},  {"DF64_", RG_F64, NULL},
    {"n", -2, "__int128"},    {"o", -2, "unsigned __int128"},
    {"e", -2, "long double"}, {"g", -2, "__float128"},
    {"z", -2, "..."},         {"Dn", -2, "std::nullptr_t"},
    {"Da", -2, "auto"},       {"Dc", -2, "decltype(auto)"},
};

static struct rg__type *read_builtin(struct rg__mangle *r)
{
    for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++) {
        if (!take(r, builtins[i].code)) continue;
        struct rg__type *t = new_type(r,
                                      builtins[i].scalar >= 0    ? BUILTIN
                                      : builtins[i].scalar == -1 ? VOID
                                                                 : NAMED,
                                      NULL);
        if (builtins[i].scalar >= 0) t->scalar = (enum rg_scalar)builtins[i].scalar;
        t->name = builtins[i].name;
        return t;
    }
    return NULL;
}

static struct rg__type *read_array(struct rg__mangle *r)
{
    r->p++;
    if (is_digit(peek(r))) {
        while (is_digit(peek(r))) r->p++;
    } else if (peek(r) != '_' && !read_expression(r)) {
        return fail(r);
    }
    if (!take(r, "_")) return fail(r);
    struct rg__type *of = read_type(r);
    return of ? new_type(r, ARRAY, of) : NULL;
}

static struct rg__type *read_function_type(struct rg__mangle *r)
{
    r->p++;
    take(r, "Y");
    int n = 0;
    while (!take(r, "E")) {
        if (++n > MAX_PARAMS || (!take(r, "R") && !read_type(r)) || r->failed) return fail(r);
    }
    return new_type(r, FUNCTION, NULL);
}

static struct rg__type *read_cv(struct rg__mangle *r)
{
    struct rg__type *t = new_type(r, CV, NULL);
    for (;; r->p++) {
        char c = peek(r);
        if (c == 'K')
            t->is_const = true;
        else if (c == 'r')
            t->is_restrict = true;
        else if (c != 'V')
            break;
    }
    t->of = read_type(r);
    return t->of ? t : NULL;
}

static struct rg__type *read_compound(struct rg__mangle *r)
{
    char c = peek(r), d = peek2(r);
    struct rg__type *t;
    switch (c) {
    case 'P':
    case 'R':
    case 'O':
        r->p++;
        t = read_type(r);
        return t ? remember(r, new_type(r, c == 'P' ? POINTER : REFERENCE, t)) : NULL;
    case 'r':
    case 'V':
    case 'K':
        return remember(r, read_cv(r));
    case 'A':
        return remember(r, read_array(r));
    case 'F':
        return remember(r, read_function_type(r));
    case 'M':
        r->p++;
        if (!read_type(r) || !read_type(r)) return NULL;
        return remember(r, named(r, NULL, "(pointer to member)", 19));
    case 'C':
    case 'G':
        r->p++;
        if (!read_type(r)) return NULL;
        return remember(r, named(r, NULL, "(complex)", 9));
    case 'u': {
        r->p++;
        int n = read_number(r);
        if (n <= 0 || n > r->end - r->p) return fail(r);
        r->p += n;
        t = named(r, NULL, r->p - n, (size_t)n);
        if (t && peek(r) == 'I' && !read_template_args(r, false)) return fail(r);
        return remember(r, t);
    }
    case 'T':
        if (d == 's' || d == 'u' || d == 'e') { /* struct, union, enum in front of a name */
            r->p += 2;
            return read_type(r);
        }
        t = remember(r, read_template_param(r));
        if (t && peek(r) == 'I') { /* a template template parameter */
            if (!read_template_args(r, false)) return fail(r);
            t = remember(r, new_type(r, UNKNOWN, NULL));
        }
        return t;
    case 'D':
        if (d == 'p') {
            r->p += 2;
            t = read_type(r);
            return t ? remember(r, new_type(r, EXPANSION, t)) : NULL;
        }
        if (d == 't' || d == 'T') {
            r->p += 2;
            if (!read_expression(r) || !take(r, "E")) return fail(r);
            return remember(r, new_type(r, UNKNOWN, NULL));
        }
        if (d == 'o') {
            r->p += 2;
            return read_type(r);
        }
        return fail(r);
    case 'S':
        if (d != 't') {
            t = read_substitution(r);
            if (t && peek(r) == 'I') {
                if (!read_template_args(r, false)) return fail(r);
                t = remember(r, with_args(r, t));
            }
            return t;
        }
        break;
    default:
        break;
    }
    bool is_template;
    return remember(r, read_name(r, false, &is_template));
}

static struct rg__type *read_type(struct rg__mangle *r)
{
    if (r->failed || ++r->depth > MAX_DEPTH) return fail(r);
    struct rg__type *t = NULL;
    char c = peek(r);
    if (c) t = read_builtin(r);
    if (!t && c) t = read_compound(r);
    r->depth--;
    return t && !r->failed ? t : fail(r);
}

static bool read_literal(struct rg__mangle *r)
{
    r->p++;
    if (take(r, "_Z") || take(r, "Z")) {
        struct rg__type **params;
        int n;
        return rg__mangle_encoding(r, false, &params, &n) && take(r, "E");
    }
    if (!read_type(r)) return false;
    take(r, "n");
    while (is_digit(peek(r)) || (peek(r) >= 'a' && peek(r) <= 'f') || peek(r) == '_') r->p++;
    return take(r, "E");
}

/* Instantiation-dependent expressions are only passed over; the commoner forms, anything else is a failure. */
static bool read_expression_here(struct rg__mangle *r)
{
    static const char unary[] = "ps ng ad de co nt pp mm sz az cv st at dl nx te ";
    static const char binary[] =
        "pl mi ml dv rm an or eo aS pL mI mL dV rM aN oR eO ls rs lS rS eq ne lt gt le ge ss aa oo cm pm pt ix dt ds ";
    char c = peek(r), d = peek2(r);
    if (c == 'L') return read_literal(r);
    if (c == 'T') return read_template_param(r) != NULL;
    if (is_digit(c)) {
        bool is_template;
        return read_name(r, false, &is_template) != NULL;
    }
    if (!c || !d) return false;
    if (c == 'f' && (d == 'p' || d == 'L')) {
        while (peek(r) && peek(r) != '_') r->p++;
        return take(r, "_");
    }
    char op[4] = {c, d, ' ', 0};
    if (!strcmp(op, "sr ")) {
        r->p += 2;
        bool is_template;
        return read_type(r) && read_name(r, false, &is_template);
    }
    if (!strcmp(op, "cl ") || !strcmp(op, "il ") || !strcmp(op, "tl ")) {
        r->p += 2;
        if (c == 't' && !read_type(r)) return false;
        while (!take(r, "E"))
            if (!read_expression(r)) return false;
        return true;
    }
    if (!strcmp(op, "sZ ") || !strcmp(op, "sp ")) {
        r->p += 2;
        return read_expression(r);
    }
    if (!strcmp(op, "cv ") || !strcmp(op, "sc ") || !strcmp(op, "rc ") || !strcmp(op, "dc ") || !strcmp(op, "cc ")) {
        r->p += 2;
        return read_type(r) && read_expression(r);
    }
    if (!strcmp(op, "st ") || !strcmp(op, "at ")) {
        r->p += 2;
        return read_type(r) != NULL;
    }
    if (strstr(unary, op)) {
        r->p += 2;
        return read_expression(r);
    }
    if (strstr(binary, op)) {
        r->p += 2;
        return read_expression(r) && read_expression(r);
    }
    if (!strcmp(op, "qu ")) {
        r->p += 2;
        return read_expression(r) && read_expression(r) && read_expression(r);
    }
    return false;
}

static bool read_expression(struct rg__mangle *r)
{
    if (r->failed || ++r->depth > MAX_DEPTH) return fail(r) != NULL;
    bool ok = read_expression_here(r);
    r->depth--;
    if (!ok) fail(r);
    return ok && !r->failed;
}

bool rg__mangle_encoding(struct rg__mangle *r, bool own, struct rg__type ***params, int *n_params)
{
    bool is_template = false;
    if (++r->depth > MAX_DEPTH) return fail(r) != NULL;
    *n_params = 0;
    *params = rg_arena_alloc(r->a, (own ? MAX_PARAMS : 1) * sizeof **params);
    bool ok = read_name(r, own, &is_template) != NULL;
    if (ok && is_template && peek(r) && peek(r) != 'E') ok = read_type(r) != NULL; /* the return type */
    int n = 0;
    while (ok && peek(r) && peek(r) != 'E' && peek(r) != '.') {
        struct rg__type *t = read_type(r);
        if (!t || n == MAX_PARAMS)
            ok = false;
        else if (own)
            (*params)[n] = t;
        n++;
    }
    *n_params = n;
    r->depth--;
    if (!ok) fail(r);
    return ok && !r->failed;
}
