/* Reasons against an oracle: places where the program's result depends on how many bytes, or which bits, a float has.
 * They are looked for in the functions that are reached, token by token; a doubt counts as a reason, since the
 * sequential run is always there instead. */
#include "frontend/emit/oracle_scan.h"
#include <stdlib.h>
#include <string.h>

struct objecting {
    const struct rg__oracle_scan *o;
    struct rg_arena *a;
    const char *why;
};

static void object(struct objecting *b, int tok, const char *what)
{
    if (b->why) return;
    struct rg__place p = rg__source_place(b->o->s, b->o->s->toks[tok].at);
    b->why = rg_arena_printf(b->a, "%s (%s:%d), so the same code in wider types would not compute the same.", what,
                             p.file, p.line);
}

/* Two views of the same bytes that do not widen alike. ANY and void say nothing. */
static bool clash(const struct rg__oracle_scan *o, unsigned a, unsigned b)
{
    const unsigned vague = RG__T_ANY | RG__T_VOID;
    if (a == b || !(a & ~vague) || !(b & ~vague)) return false;
    unsigned both = (a | b) & ~vague;
    return (both & o->changed) && (both & (both - 1));
}

static bool call_of(const struct rg__oracle_scan *o, int tok, const char *const *names)
{
    const struct rg__source *s = o->s;
    if (!rg__tok_is(s, tok + 1, "(") || o->match[tok + 1] < 0) return false;
    if (tok > 0 && (rg__tok_is(s, tok - 1, ".") || rg__tok_is(s, tok - 1, "->"))) return false;
    for (; *names; names++) {
        size_t n = strlen(*names), len = s->toks[tok].len;
        const char *t = s->text + s->toks[tok].at;
        if (len > 10 && !memcmp(t, "__builtin_", 10)) t += 10, len -= 10;
        if (len == n && !memcmp(t, *names, n)) return true;
    }
    return false;
}

/* First tokens of a call's arguments; their number, at most `most`. */
static int arguments(const struct rg__oracle_scan *o, int open, int *at, int most)
{
    int n = 0, end = o->match[open];
    if (open + 1 == end) return 0;
    at[n++] = open + 1;
    for (int i = open + 1; i < end && n < most; i++) {
        if (o->match[i] > i)
            i = o->match[i];
        else if (rg__tok_is(o->s, i, ","))
            at[n++] = i + 1;
    }
    return n;
}

/* Does a byte count in [from, to) follow the types? *types: of what its sizeofs measure. */
static bool measured(const struct rg__oracle_scan *o, int from, int to, unsigned *types)
{
    bool any = false;
    *types = 0;
    for (int i = from; i < to; i++) {
        if (o->s->toks[i].kind != RG__TOK_IDENT) continue;
        const struct rg__name *n = rg__oracle_name(o, RG__NAME_GLOBAL, 0, i);
        if (n && n->flags & RG__NAME_SIZED) {
            any = true;
            *types |= RG__T_ANY;
        }
        if (!rg__tok_is(o->s, i, "sizeof")) continue;
        any = true;
        unsigned t;
        int stars = 0;
        if (!rg__oracle_cast(o, i + 1, &t, &stars)) t = rg__oracle_operand(o, i + 1);
        *types |= stars ? RG__T_ANY : t;
    }
    return any;
}

/* Bytes of `types` counted by [from, to). */
static void byte_count(struct objecting *b, int tok, unsigned types, int from, int to)
{
    unsigned of;
    bool ok = measured(b->o, from, to, &of);
    if (types & b->o->changed) {
        if (!ok)
            object(b, tok, "a byte count of floating-point data is no sizeof");
        else if (!(of & (b->o->changed | RG__T_ANY)))
            object(b, tok, "floating-point data is counted with the size of another type");
    } else if ((types & RG__T_INT) && ok && (of & b->o->changed) && !(of & ~b->o->changed)) {
        object(b, tok, "integers are counted with the size of a floating-point type");
    }
}

static void copies(struct objecting *b, int tok)
{
    static const char *const names[] = {"memcpy",        "memmove", "memcmp", "__memcpy_chk",
                                        "__memmove_chk", "mempcpy", NULL};
    const struct rg__oracle_scan *o = b->o;
    int at[5], n;
    if (!call_of(o, tok, names) || (n = arguments(o, tok + 1, at, 5)) < 3) return;
    unsigned to = rg__oracle_operand(o, at[0]), from = rg__oracle_operand(o, at[1]);
    if (clash(o, to, from)) object(b, tok, "memory of a floating-point type is copied into another type's");
    byte_count(b, tok, to | from, at[2], n > 3 ? at[3] : o->match[tok + 1]);
}

static void fills(struct objecting *b, int tok)
{
    static const char *const names[] = {"memset", "__memset_chk", NULL};
    const struct rg__oracle_scan *o = b->o;
    int at[5], n;
    if (!call_of(o, tok, names) || (n = arguments(o, tok + 1, at, 5)) < 3) return;
    unsigned types = rg__oracle_operand(o, at[0]);
    bool zero = at[2] == at[1] + 2 && (rg__tok_is(o->s, at[1], "0") || rg__tok_is(o->s, at[1], "'\\0'") ||
                                       rg__tok_is(o->s, at[1], "0x0") || rg__tok_is(o->s, at[1], "0x00"));
    if ((types & o->changed) && !zero) object(b, tok, "memset fills floating-point data with a pattern of bits");
    byte_count(b, tok, types, at[2], n > 3 ? at[3] : o->match[tok + 1]);
}

/* The scalars that an allocation or pointer value at `tok` is for: by a cast before it or the variable assigned. */
static unsigned receiver(const struct rg__oracle_scan *o, int tok)
{
    const struct rg__source *s = o->s;
    unsigned types = RG__T_ANY;
    int stars, k = tok - 1;
    while (rg__tok_is(s, k, "(")) k--;
    if (rg__tok_is(s, k, ")") && o->match[k] > 0 && rg__oracle_cast(o, o->match[k], &types, &stars)) {
        if (!(types & RG__T_VOID)) return types;
        k = o->match[k] - 1;
    }
    if (!rg__tok_is(s, k, "=")) return RG__T_ANY;
    k--;
    while (rg__tok_is(s, k, "]") && o->match[k] > 0) k = o->match[k] - 1;
    if (k < 0 || s->toks[k].kind != RG__TOK_IDENT) return RG__T_ANY;
    bool member = k > 0 && (rg__tok_is(s, k - 1, ".") || rg__tok_is(s, k - 1, "->"));
    const struct rg__name *n = member ? rg__oracle_name(o, RG__NAME_MEMBER, 0, k) : rg__oracle_meaning(o, k);
    return n && n->types ? n->types : RG__T_ANY;
}

static void allocations(struct objecting *b, int tok)
{
    static const char *const names[] = {"malloc", "calloc", "realloc",  "aligned_alloc",
                                        "alloca", "valloc", "memalign", NULL};
    const struct rg__oracle_scan *o = b->o;
    if (!call_of(o, tok, names)) return;
    unsigned types = receiver(o, tok);
    if (types & o->changed) byte_count(b, tok, types, tok + 2, o->match[tok + 1]);
}

static void transfers(struct objecting *b, int tok)
{
    static const char *const files[] = {"fread", "fwrite", "read", "write", "scanf", "fscanf", "sscanf", NULL};
    static const char *const sorts[] = {"qsort", "bsearch", "qsort_r", NULL};
    const struct rg__oracle_scan *o = b->o;
    int at[16], n;
    if (call_of(o, tok, files)) {
        n = arguments(o, tok + 1, at, 16);
        for (int i = 0; i < n; i++)
            if (rg__oracle_operand(o, at[i]) & o->changed)
                object(b, tok, "floating-point data is read or written as bytes");
    } else if (call_of(o, tok, sorts)) {
        unsigned types = 0, of;
        n = arguments(o, tok + 1, at, 16);
        for (int i = 0; i < n && i < 2; i++) types |= rg__oracle_operand(o, at[i]);
        if ((types & o->changed) && !measured(o, tok + 2, o->match[tok + 1], &of))
            object(b, tok, "an element size of floating-point data is no sizeof");
    }
}

static void casts(struct objecting *b, int open)
{
    const struct rg__oracle_scan *o = b->o;
    const struct rg__source *s = o->s;
    unsigned to, from;
    int stars, next;
    if (!rg__tok_is(s, open, "(") || !rg__oracle_cast(o, open, &to, &stars) || !stars) return;
    if (open > 0 && (rg__tok_is(s, open - 1, "sizeof") || rg__tok_is(s, open - 1, "_Alignof"))) return;
    next = o->match[open] + 1;
    if (next >= s->n_toks) return;
    if (s->toks[next].kind != RG__TOK_IDENT && !rg__tok_is(s, next, "(") && !rg__tok_is(s, next, "&") &&
        !rg__tok_is(s, next, "*"))
        return;
    from = rg__oracle_operand(o, next);
    if (to & RG__T_VOID) { /* int *p = (void *)x */
        if (open > 0 && rg__tok_is(s, open - 1, "=") && clash(o, receiver(o, open), from))
            object(b, open, "a pointer to floating-point data is used as another type's");
    } else if (clash(o, to, from)) {
        object(b, open, "a pointer cast looks at floating-point data as another type or back");
    }
}

static bool starts_with(const struct rg__source *s, int tok, const char *const *prefixes)
{
    for (; *prefixes; prefixes++) {
        size_t n = strlen(*prefixes);
        if (s->toks[tok].len > n && !memcmp(s->text + s->toks[tok].at, *prefixes, n)) return true;
    }
    return false;
}

static void names(struct objecting *b, int tok)
{
    static const char *const vectors[] = {"__m64",   "__m128",   "__m256",   "__m512",   "_mm_",    "_mm256_",
                                          "_mm512_", "float32x", "float64x", "float16x", "svfloat", NULL};
    static const char *const assembly[] = {"asm", "__asm__", "__asm", NULL};
    const struct rg__oracle_scan *o = b->o;
    const struct rg__source *s = o->s;
    char text[40];
    if (o->mode == RG__ORACLE_LONG_DOUBLE && (rg__tok_is(s, tok, "__builtin_va_arg") || rg__tok_is(s, tok, "va_arg")))
        object(b, tok, "a variable argument's type is that of a promoted float");
    if (rg__oracle_in(s, tok, assembly)) object(b, tok, "there is inline assembly");
    if (starts_with(s, tok, vectors)) object(b, tok, "vector intrinsics fix the size of their elements");
    bool accessed = tok > 0 && (rg__tok_is(s, tok - 1, ".") || rg__tok_is(s, tok - 1, "->"));
    const struct rg__name *n = accessed ? rg__oracle_name(o, RG__NAME_MEMBER, 0, tok) : rg__oracle_meaning(o, tok);
    if (!n) return;
    if (accessed) {
        if (n->flags & RG__NAME_PUNNED)
            object(b, tok, "a union gives the bytes of a floating-point value another type");
        return;
    }
    if (n->flags & RG__NAME_DEFINED) return;
    const struct rg__name *g = rg__oracle_name(o, RG__NAME_GLOBAL, 0, tok);
    if (g && g->flags & RG__NAME_DEFINED) return;
    if (rg__oracle_math(s->text + s->toks[tok].at, s->toks[tok].len, RG__ORACLE_LONG_DOUBLE, text)) return;
    if (n->flags & RG__NAME_FUNCTION) {
        unsigned bad = n->flags & RG__NAME_USER ? RG__NAME_WIDENED : RG__NAME_WIDENED_PTR;
        static const char *const known[] = {"strtod", "strtof", "strtold", NULL};
        if ((n->flags & bad) && rg__tok_is(s, tok + 1, "(") && !rg__oracle_in(s, tok, known))
            object(b, tok, "floating-point data goes to a function that is not defined in the file");
    } else if ((n->flags & RG__NAME_USER) && (n->types & o->changed)) {
        object(b, tok, "floating-point data is shared with another file");
    }
}

/* Adding and subtracting 1.5 * 2^23 rounds a float to an integer, and a double not. */
static void magic(struct objecting *b, int tok)
{
    const struct rg__oracle_scan *o = b->o;
    const struct rg__source *s = o->s;
    char text[64];
    if (s->toks[tok].len >= sizeof text) return;
    memcpy(text, s->text + s->toks[tok].at, s->toks[tok].len);
    text[s->toks[tok].len] = 0;
    bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    if (!strpbrk(text, hex ? "pP." : ".eE")) return;
    double v = strtod(text, NULL);
    bool wide = o->mode == RG__ORACLE_LONG_DOUBLE;
    bool shift = v == 12582912.0 || (wide && v == 6755399441055744.0);
    bool sum = rg__tok_is(s, tok - 1, "+") || rg__tok_is(s, tok + 1, "+") || rg__tok_is(s, tok - 1, "+=");
    if (shift || (sum && (v == 8388608.0 || (wide && v == 4503599627370496.0))))
        object(b, tok, "a value is rounded to an integer by adding a power of two");
}

const char *rg__oracle_objection(const struct rg__oracle_scan *o, struct rg_arena *a)
{
    static const char *const vector_types[] = {"vector_size", "__vector_size__", "ext_vector_type",
                                               "__ext_vector_type__", NULL};
    struct objecting b = {o, a, NULL};
    const struct rg__source *s = o->s;
    for (int i = 0; i < s->n_toks && !b.why; i++) {
        bool inside = o->function[i] >= 0 && o->functions[o->function[i]].reached;
        if (!o->user[i] || (o->function[i] >= 0 && !inside)) continue;
        if (s->toks[i].kind == RG__TOK_IDENT && rg__oracle_in(s, i, vector_types))
            object(&b, i, "a vector type fixes the size of its elements");
        if (!inside) continue;
        if (s->toks[i].kind == RG__TOK_IDENT) {
            names(&b, i);
            copies(&b, i);
            fills(&b, i);
            allocations(&b, i);
            transfers(&b, i);
        } else if (s->toks[i].kind == RG__TOK_NUMBER) {
            magic(&b, i);
        } else {
            casts(&b, i);
        }
    }
    return b.why;
}
