/* Types of C declarations as far as the oracle needs them: which scalars are behind each name. */
#include "frontend/emit/oracle_scan.h"
#include <stdlib.h>
#include <string.h>

enum {
    FLAT_SCAN = 1000, /* tokens looked over for the end of one declarator's initialiser or parameters */
    MAX_NESTING = 30  /* of types in types, values in casts, braces with declarations */
};

static int skip_attribute(const struct rg__oracle_scan *o, int i)
{
    while (rg__oracle_in(o->s, i, rg__oracle_attributes) && rg__tok_is(o->s, i + 1, "(") && o->match[i + 1] > 0)
        i = o->match[i + 1] + 1;
    return i;
}

static const struct {
    const char *word;
    unsigned types;
} type_words[] = {
    {"float", RG__T_FLOAT},
    {"_Float16", RG__T_FLOAT},
    {"__fp16", RG__T_FLOAT},
    {"__bf16", RG__T_FLOAT},
    {"_Float32", RG__T_FLOAT},
    {"double", RG__T_DOUBLE},
    {"_Float64", RG__T_DOUBLE},
    {"_Float32x", RG__T_DOUBLE},
    {"_Float128", RG__T_LONG_DOUBLE},
    {"__float128", RG__T_LONG_DOUBLE},
    {"_Float64x", RG__T_LONG_DOUBLE},
    {"void", RG__T_VOID},
    {"int", RG__T_INT},
    {"char", RG__T_INT},
    {"short", RG__T_INT},
    {"signed", RG__T_INT},
    {"unsigned", RG__T_INT},
    {"_Bool", RG__T_INT},
    {"__int128", RG__T_INT},
    {"__signed__", RG__T_INT},
    {"float_t", RG__T_FLOAT},
    {"double_t", RG__T_DOUBLE},
    {"__builtin_va_list", RG__T_ANY},
};
static const char *const qualifiers[] = {
    "const",         "volatile",  "restrict",      "static",     "inline",       "register",    "_Atomic",
    "auto",          "__const",   "__volatile__",  "__restrict", "__restrict__", "__inline",    "__inline__",
    "__extension__", "_Noreturn", "_Thread_local", "__thread",   "_Complex",     "__complex__", NULL};

static int skip_qualifiers(const struct rg__oracle_scan *o, int i)
{
    for (;;) {
        int k = skip_attribute(o, i);
        if (k == i && rg__oracle_in(o->s, i, qualifiers)) k = i + 1;
        if (k == i) return i;
        i = k;
    }
}

/* The scalars in struct braces, members registered on the way by declare(). */
static unsigned record_types(const struct rg__oracle_scan *o, int open)
{
    unsigned all = 0, types, flags;
    int end = o->match[open];
    for (int i = open + 1; i < end;) {
        int next = rg__oracle_specifiers(o, i, &types, &flags);
        if (flags & RG__SPEC_TYPE) all |= types;
        i = next > i ? next : i + 1;
    }
    return all;
}

static int specifiers(const struct rg__oracle_scan *o, int tok, unsigned *types, unsigned *flags)
{
    const struct rg__source *s = o->s;
    bool is_long = false;
    int i = tok;
    while (i < s->n_toks && s->toks[i].kind == RG__TOK_IDENT) {
        int k = skip_qualifiers(o, i);
        if (k > i) {
            i = k;
            continue;
        }
        if (rg__tok_is(s, i, "typedef") || rg__tok_is(s, i, "extern")) {
            *flags |= rg__tok_is(s, i, "typedef") ? RG__SPEC_TYPEDEF : RG__SPEC_EXTERN;
            i++;
            continue;
        }
        if (rg__tok_is(s, i, "long")) {
            is_long = true;
            *flags |= RG__SPEC_TYPE;
            i++;
            continue;
        }
        size_t w = 0, n_words = sizeof type_words / sizeof *type_words;
        while (w < n_words && !rg__tok_is(s, i, type_words[w].word)) w++;
        if (w < n_words) {
            *types |= type_words[w].types;
            *flags |= RG__SPEC_TYPE;
            i++;
            continue;
        }
        if (*flags & RG__SPEC_TYPE) break; /* the declared name */
        bool is_enum = rg__tok_is(s, i, "enum");
        if (is_enum || rg__tok_is(s, i, "struct") || rg__tok_is(s, i, "union")) {
            int tag = skip_qualifiers(o, i + 1), body = tag;
            if (tag < s->n_toks && s->toks[tag].kind == RG__TOK_IDENT) body = tag + 1;
            bool has_body = rg__tok_is(s, body, "{") && o->match[body] > 0;
            const struct rg__name *n = body > tag ? rg__oracle_name(o, RG__NAME_TAG, 0, tag) : NULL;
            *types |= is_enum ? RG__T_INT : n ? n->types : has_body ? record_types(o, body) : RG__T_ANY;
            *flags |= RG__SPEC_TYPE;
            i = has_body ? o->match[body] + 1 : body;
            continue;
        }
        if ((rg__tok_is(s, i, "__typeof__") || rg__tok_is(s, i, "typeof") || rg__tok_is(s, i, "__typeof")) &&
            rg__tok_is(s, i + 1, "(") && o->match[i + 1] > 0) {
            unsigned inner, inner_flags;
            rg__oracle_specifiers(o, i + 2, &inner, &inner_flags);
            *types |= inner_flags & RG__SPEC_TYPE ? inner : rg__oracle_operand(o, i + 2);
            *flags |= RG__SPEC_TYPE;
            i = o->match[i + 1] + 1;
            continue;
        }
        const struct rg__name *n = rg__oracle_name(o, RG__NAME_TYPEDEF, 0, i);
        if (!n) break;
        *types |= n->types;
        *flags |= RG__SPEC_TYPE;
        i++;
    }
    if (is_long) *types = *types & RG__T_DOUBLE ? RG__T_LONG_DOUBLE : RG__T_INT;
    return i;
}

int rg__oracle_specifiers(const struct rg__oracle_scan *o, int tok, unsigned *types, unsigned *flags)
{
    *types = *flags = 0;
    if (*o->nesting >= MAX_NESTING) return tok;
    ++*o->nesting;
    int i = specifiers(o, tok, types, flags);
    --*o->nesting;
    return i;
}

bool rg__oracle_cast(const struct rg__oracle_scan *o, int open, unsigned *types, int *stars)
{
    unsigned flags;
    int i, end = rg__tok_is(o->s, open, "(") ? o->match[open] : -1;
    *stars = 0;
    if (end < 0) return false;
    i = rg__oracle_specifiers(o, open + 1, types, &flags);
    if (!(flags & RG__SPEC_TYPE)) return false;
    while (i < end && (rg__tok_is(o->s, i, "*") || skip_qualifiers(o, i) > i)) {
        if (rg__tok_is(o->s, i, "*")) {
            ++*stars;
            i++;
        } else {
            i = skip_qualifiers(o, i);
        }
    }
    if (rg__tok_is(o->s, i, "(") && rg__tok_is(o->s, i + 1, "*")) { /* (float (*)[n]) */
        ++*stars;
        i = end;
    }
    while (i < end && rg__tok_is(o->s, i, "[") && o->match[i] > 0) i = o->match[i] + 1;
    return i == end;
}

static unsigned operand(const struct rg__oracle_scan *o, int i, int depth)
{
    static const char *const prefixes[] = {"&", "*", "+", "-", "!", "~", "++", "--", NULL};
    const struct rg__source *s = o->s;
    unsigned types = RG__T_ANY;
    while (rg__oracle_in(s, i, prefixes)) i++;
    if (i >= s->n_toks || depth > MAX_NESTING) return RG__T_ANY;
    if (rg__tok_is(s, i, "(")) {
        int stars, end = o->match[i];
        if (end < 0) return RG__T_ANY;
        if (rg__oracle_cast(o, i, &types, &stars)) {
            if (stars && !(types & RG__T_VOID)) return types;
            return operand(o, end + 1, depth + 1); /* through void * and integers of its size */
        }
        types = operand(o, i + 1, depth + 1);
        i = end + 1;
    } else if (s->toks[i].kind == RG__TOK_STRING) {
        return RG__T_INT;
    } else if (s->toks[i].kind == RG__TOK_IDENT) {
        const struct rg__name *n = rg__oracle_meaning(o, i);
        if (rg__tok_is(s, i, "sizeof")) return RG__T_INT;
        if (n && n->types) types = n->types;
        i++;
    } else {
        return RG__T_ANY;
    }
    while (i < s->n_toks) {
        if ((rg__tok_is(s, i, "[") || rg__tok_is(s, i, "(")) && o->match[i] > 0) {
            i = o->match[i] + 1;
        } else if ((rg__tok_is(s, i, ".") || rg__tok_is(s, i, "->")) && i + 1 < s->n_toks) {
            const struct rg__name *n = rg__oracle_name(o, RG__NAME_MEMBER, 0, i + 1);
            types = n ? n->types : RG__T_ANY;
            i += 2;
        } else {
            break;
        }
    }
    return types;
}

unsigned rg__oracle_operand(const struct rg__oracle_scan *o, int tok)
{
    return operand(o, tok, 0);
}

/* ---- declarations ---- */

/* Behind a declarator that starts at `i`; *name its identifier or -1, *params the '(' of a function's parameters or -1.
 */
static int declarator(const struct rg__oracle_scan *o, int i, int *name, int *params)
{
    const struct rg__source *s = o->s;
    int opened = 0;
    unsigned types, flags;
    *name = *params = -1;
    for (;;) {
        int k = skip_qualifiers(o, i);
        if (k > i) {
            i = k;
        } else if (rg__tok_is(s, i, "*") || (rg__tok_is(s, i, "(") && opened < MAX_NESTING)) {
            opened += rg__tok_is(s, i, "(");
            i++;
        } else {
            break;
        }
    }
    if (i < s->n_toks && s->toks[i].kind == RG__TOK_IDENT && rg__oracle_specifiers(o, i, &types, &flags) == i)
        *name = i++;
    for (;;) {
        if (rg__tok_is(s, i, "[") && o->match[i] > 0) {
            i = o->match[i] + 1;
        } else if (rg__tok_is(s, i, "(") && o->match[i] > 0) {
            if (!opened && *name >= 0 && *params < 0) *params = i;
            i = o->match[i] + 1;
        } else if (opened && rg__tok_is(s, i, ")")) {
            opened--;
            i++;
        } else {
            return skip_attribute(o, i);
        }
    }
}

/* From behind a declarator to the ',' before the next one; -1 when the declaration ends. */
static int next_declarator(const struct rg__oracle_scan *o, int i)
{
    const struct rg__source *s = o->s;
    for (int k = 0; i < s->n_toks && k < FLAT_SCAN; k++) {
        if (rg__tok_is(s, i, ",")) return i + 1;
        if (rg__tok_is(s, i, ";") || rg__tok_is(s, i, ")") || rg__tok_is(s, i, "}") || rg__tok_is(s, i, "]")) return -1;
        bool open = rg__tok_is(s, i, "(") || rg__tok_is(s, i, "[") || rg__tok_is(s, i, "{");
        if (open && o->match[i] < 0) return -1;
        i = open ? o->match[i] + 1 : i + 1;
    }
    return -1;
}

static unsigned prototype_flags(const struct rg__oracle_scan *o, int params)
{
    unsigned f = 0, types, flags;
    for (int i = params + 1; i < o->match[params] && i < params + FLAT_SCAN;) {
        int next = rg__oracle_specifiers(o, i, &types, &flags);
        if (next == i || !(flags & RG__SPEC_TYPE)) {
            i = next > i ? next : i + 1;
            continue;
        }
        if (types & o->changed) {
            f |= RG__NAME_WIDENED;
            for (int k = next; k < o->match[params] && !rg__tok_is(o->s, k, ","); k++)
                if (rg__tok_is(o->s, k, "*") || rg__tok_is(o->s, k, "[")) f |= RG__NAME_WIDENED_PTR;
        }
        i = next;
    }
    return f;
}

/* Where a token stands: members are those of the innermost record. */
struct level {
    int end; /* its '}' */
    bool record;
};

static void register_name(struct rg__oracle_scan *o, int name, int params, unsigned types, unsigned flags, bool member,
                          int after)
{
    const struct rg__source *s = o->s;
    bool typedef_ = flags & RG__SPEC_TYPEDEF, global = o->function[name] < 0;
    enum rg__name_space space = typedef_ ? RG__NAME_TYPEDEF
                                : member ? RG__NAME_MEMBER
                                : global ? RG__NAME_GLOBAL
                                         : RG__NAME_LOCAL;
    struct rg__name *n;
    if (!o->user[name]) { /* of system headers: types, and functions for what they do with pointers */
        if (!typedef_ && !(params >= 0 && global && !member)) return;
        n = rg__oracle_add(o, space, 0, name);
        n->types |= types;
        if (params >= 0) n->flags |= RG__NAME_FUNCTION | prototype_flags(o, params);
        return;
    }
    bool defines_function = params >= 0 && rg__tok_is(s, after, "{");
    n = rg__oracle_add(o, space, space == RG__NAME_LOCAL ? o->function[name] : 0, name);
    n->types |= types;
    n->flags |= RG__NAME_USER;
    if (params >= 0 && !member && !typedef_) {
        n->flags |= RG__NAME_FUNCTION | prototype_flags(o, params);
        if (types & o->changed) n->flags |= RG__NAME_WIDENED;
        if (defines_function) n->flags |= RG__NAME_DEFINED;
    } else if (!(flags & RG__SPEC_EXTERN) || rg__tok_is(s, after, "=")) {
        n->flags |= RG__NAME_DEFINED;
    }
}

/* A union's members differ in whether and how they widen. */
static bool puns(const struct rg__oracle_scan *o, unsigned types)
{
    types &= ~(unsigned)RG__T_VOID;
    return (types & o->changed) && (types & (types - 1));
}

static void mark_union(struct rg__oracle_scan *o, int open)
{
    for (int i = open + 1; i < o->match[open]; i++)
        if (o->s->toks[i].kind == RG__TOK_IDENT && (rg__tok_is(o->s, i + 1, ";") || rg__tok_is(o->s, i + 1, "[") ||
                                                    rg__tok_is(o->s, i + 1, ",") || rg__tok_is(o->s, i + 1, ":")))
            rg__oracle_add(o, RG__NAME_MEMBER, 0, i)->flags |= RG__NAME_PUNNED;
}

static void record(struct rg__oracle_scan *o, int tok)
{
    int tag = skip_qualifiers(o, tok + 1), body = tag;
    if (tag < o->s->n_toks && o->s->toks[tag].kind == RG__TOK_IDENT) body = tag + 1;
    if (!rg__tok_is(o->s, body, "{") || o->match[body] < 0) return;
    unsigned types = record_types(o, body);
    if (body > tag) rg__oracle_add(o, RG__NAME_TAG, 0, tag)->types |= types;
    if (o->user[tok] && rg__tok_is(o->s, tok, "union") && puns(o, types)) mark_union(o, body);
}

static bool is_record(const struct rg__source *s, int tok)
{
    return rg__tok_is(s, tok, "struct") || rg__tok_is(s, tok, "union");
}

/* The '{' opens a struct's or union's members. */
static bool opens_record(const struct rg__oracle_scan *o, int brace)
{
    const struct rg__source *s = o->s;
    int k = brace - 1;
    if (k >= 0 && s->toks[k].kind == RG__TOK_IDENT && !is_record(s, k)) k--;
    while (rg__tok_is(s, k, ")") && o->match[k] > 0 && rg__oracle_in(s, o->match[k] - 1, rg__oracle_attributes))
        k = o->match[k] - 2;
    return is_record(s, k);
}

/* The declaration that starts at `i`; returns its last specifier, or the token before a record's members, which are
 * looked at in turn. `i` when none starts here. */
static int declaration(struct rg__oracle_scan *o, int i, bool member)
{
    const struct rg__source *s = o->s;
    unsigned types, flags;
    int name, params, end = rg__oracle_specifiers(o, i, &types, &flags);
    if (!(flags & RG__SPEC_TYPE)) return i;
    int last = i;
    while (last + 1 < end && !rg__tok_is(s, last, "{")) last++;
    for (int k = i; k <= last; k++)
        if (is_record(s, k)) record(o, k);
    rg__oracle_specifiers(o, i, &types, &flags); /* a struct may have mentioned itself */
    for (int d = end; d >= 0 && d < s->n_toks;) {
        int after = declarator(o, d, &name, &params);
        if (name < 0) break;
        register_name(o, name, params, types, flags, member, after);
        if (rg__tok_is(s, after, "{")) break;
        d = next_declarator(o, after);
    }
    return rg__tok_is(s, last, "{") ? last - 1 : last;
}

/* Every declaration in the text. The innermost braces around one decide whether it declares members. */
void rg__oracle_declarations(struct rg__oracle_scan *o)
{
    const struct rg__source *s = o->s;
    struct level *levels = rg_xmalloc(((size_t)s->n_toks + 1) * sizeof *levels);
    int n = 0, assigned = -1;
    for (int i = 0; i < s->n_toks; i++) {
        while (n && i > levels[n - 1].end) n--;
        if (rg__tok_is(s, i, "{") && o->match[i] > 0) levels[n++] = (struct level){o->match[i], opens_record(o, i)};
        if (rg__tok_is(s, i, ";") || rg__tok_is(s, i, "{")) assigned = -1;
        if (rg__tok_is(s, i, "=") && i > 0 && s->toks[i - 1].kind == RG__TOK_IDENT) assigned = i - 1;
        if (rg__tok_is(s, i, "(") && o->function[i] < 0 && o->match[i] > i && !n) i = o->match[i]; /* a prototype's */
        if (s->toks[i].kind != RG__TOK_IDENT) continue;
        if (rg__tok_is(s, i, "sizeof") && assigned >= 0)
            rg__oracle_add(o, RG__NAME_GLOBAL, 0, assigned)->flags |= RG__NAME_SIZED;
        bool accessed = i > 0 && (rg__tok_is(s, i - 1, ".") || rg__tok_is(s, i - 1, "->"));
        if (!accessed && n <= MAX_NESTING) i = declaration(o, i, n && levels[n - 1].record);
    }
    free(levels);
}
