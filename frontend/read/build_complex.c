/* Complex numbers: structures of two reals (rg_complexf, rg_complexd), their arithmetic calls of the device library.
 * Nobody behind the frontend knows of them. */
#include "frontend/read/build.h"
#include <stdlib.h>
#include <string.h>

bool rg__type_complex(struct rg__build *b, CXType t, enum rg_scalar *part)
{
    t = b->c->getCanonicalType(t);
    if (t.kind != CXType_Complex) return false;
    /* "_Complex float", "_Complex double"; other parts have no arithmetic here */
    const char *name = rg__type_name(b->u, t, &b->p->arena);
    if (strstr(name, "float"))
        *part = RG_F32;
    else if (strstr(name, "double") && !strstr(name, "long"))
        *part = RG_F64;
    else
        return false;
    return true;
}

const char *rg__complex_name(enum rg_scalar part)
{
    return part == RG_F32 ? "rg_complexf" : "rg_complexd";
}

int rg__complex_structure(struct rg__build *b, enum rg_scalar part)
{
    const char *name = rg__complex_name(part);
    for (int i = 0; i < b->p->n_structs; i++)
        if (!strcmp(b->p->structs[i].c_name, name)) return i;
    int64_t bytes = (int64_t)rg_scalar_bytes(part);
    struct rg_struct *grown = rg_arena_alloc(&b->p->arena, (size_t)(b->p->n_structs + 1) * sizeof *grown);
    if (b->p->n_structs) memcpy(grown, b->p->structs, (size_t)b->p->n_structs * sizeof *grown);
    struct rg_field *f = rg_arena_alloc(&b->p->arena, 2 * sizeof *f);
    f[0] = (struct rg_field){.path = "re", .type = part, .count = 1};
    f[1] = (struct rg_field){.path = "im", .type = part, .offset = bytes, .count = 1};
    grown[b->p->n_structs] = (struct rg_struct){.c_name = name, .bytes = 2 * bytes, .n_fields = 2, .fields = f};
    b->p->structs = grown;
    return b->p->n_structs++;
}

int rg__complex_struct(struct rg__build *b, CXType t)
{
    enum rg_scalar part;
    return rg__type_complex(b, t, &part) ? rg__complex_structure(b, part) : -1;
}

bool rg__c_is_complex(const struct rg__build *b, const struct rg_cnode *n, enum rg_scalar *part)
{
    if (n->type != RG_STRUCT || n->pointer || n->struct_index < 0) return false;
    const char *name = b->p->structs[n->struct_index].c_name;
    bool single = !strcmp(name, "rg_complexf");
    if (!single && strcmp(name, "rg_complexd")) return false;
    *part = single ? RG_F32 : RG_F64;
    return true;
}

/* rg_cNAME_d(..): complex, or a real part's type. */
static struct rg_cnode *call(struct rg__build *b, const char *name, enum rg_scalar part, bool real, int n,
                             struct rg_cnode *x, struct rg_cnode *y)
{
    struct rg_cnode *c = rg_cnode_new(b->t, RG_C_CALL, n);
    c->text = rg_arena_printf(&b->t->arena, "rg_c%s_%s", name, part == RG_F32 ? "f" : "d");
    c->kid[0] = x;
    if (n > 1) c->kid[1] = y;
    c->type = real ? part : RG_STRUCT;
    if (!real) c->struct_index = rg__complex_structure(b, part);
    return c;
}

struct rg_cnode *rg__to_complex(struct rg__build *b, struct rg_cnode *n, enum rg_scalar part)
{
    enum rg_scalar own;
    if (rg__c_is_complex(b, n, &own)) {
        if (own == part) return n;
        if (n->kind == RG_C_CALL && !strncmp(n->text, "rg_cmake_", 9))
            return rg__to_complex(
                b,
                call(b, "make", part, false, 2, rg__c_cast(b->t, n->kid[0], part), rg__c_cast(b->t, n->kid[1], part)),
                part);
        return call(b, "from", part, false, 1, n, NULL);
    }
    return call(b, "make", part, false, 2, rg__c_cast(b->t, n, part), rg__c_cast(b->t, rg__c_int(b->t, 0), part));
}

struct rg_cnode *rg__complex_part(struct rg__build *b, struct rg_cnode *n, bool imaginary)
{
    enum rg_scalar part;
    if (!rg__c_is_complex(b, n, &part)) return imaginary ? rg__c_cast(b->t, rg__c_int(b->t, 0), n->type) : n;
    if (n->kind == RG_C_CALL && !strncmp(n->text, "rg_cmake_", 9)) return n->kid[imaginary];
    struct rg_cnode *m = rg_cnode_new(b->t, RG_C_MEMBER, 1);
    m->kid[0] = n;
    m->text = imaginary ? "im" : "re";
    m->type = part;
    return m;
}

struct rg_cnode *rg__complex_literal(struct rg__build *b, CXCursor c)
{
    enum rg_scalar part;
    const char *text = rg__tok_text(&b->u->src, rg__tok_from(&b->u->src, rg__cursor_at(b->u, c)), &b->t->arena);
    if (!rg__type_complex(b, b->c->getCursorType(c), &part))
        return rg__verbatim(b, c, "an imaginary number of an unusual type");
    struct rg_cnode *v = rg_cnode_new(b->t, RG_C_REAL, 0);
    v->rvalue = strtod(text, NULL);
    v->type = part;
    char *end;
    strtod(text, &end);
    v->text = rg_arena_printf(&b->t->arena, "%.*s%s%s", (int)(end - text), text,
                              memchr(text, '.', (size_t)(end - text)) ? "" : ".0", part == RG_F32 ? "f" : "");
    return call(b, "make", part, false, 2, rg__c_cast(b->t, rg__c_int(b->t, 0), part), v);
}

struct rg_cnode *rg__complex_binary(struct rg__build *b, CXCursor c, const char *op, struct rg_cnode *l,
                                    struct rg_cnode *r)
{
    enum rg_scalar lp = RG_F32, rp = RG_F32, part;
    bool lc = rg__c_is_complex(b, l, &lp), rc = rg__c_is_complex(b, r, &rp);
    if ((!lc && !rc) || l->pointer || r->pointer) return NULL;
    if (!lc) lp = l->type;
    if (!rc) rp = r->type;
    part = lp == RG_F64 || rp == RG_F64 ? RG_F64 : RG_F32;
    bool times = op[0] == '*' && !op[1], over = op[0] == '/' && !op[1];
    if (times && (!lc || !rc))
        return call(b, "scale", part, false, 2, rg__to_complex(b, lc ? l : r, part),
                    rg__c_cast(b->t, lc ? r : l, part));
    if (over && !rc) return call(b, "shrink", part, false, 2, rg__to_complex(b, l, part), rg__c_cast(b->t, r, part));
    const char *name = times ? "mul" : over ? "div" : !strcmp(op, "+") ? "add" : !strcmp(op, "-") ? "sub" : NULL;
    l = rg__to_complex(b, l, part);
    r = rg__to_complex(b, r, part);
    if (name) return call(b, name, part, false, 2, l, r);
    bool equal = !strcmp(op, "==");
    if (!rg__c_pure(b->t, l) || !rg__c_pure(b->t, r))
        return rg__verbatim(b, c, "a comparison of complex numbers with a side effect");
    if (!equal && strcmp(op, "!=")) return rg__verbatim(b, c, "'%s' of complex numbers", op);
    struct rg_cnode *same =
        rg__c_binary(b->t, RG_COP_AND,
                     rg__c_binary(b->t, RG_COP_EQ, rg__complex_part(b, rg__c_copy(b->t, l), false),
                                  rg__complex_part(b, rg__c_copy(b->t, r), false)),
                     rg__c_binary(b->t, RG_COP_EQ, rg__complex_part(b, l, true), rg__complex_part(b, r, true)));
    same->type = RG_I32;
    return equal ? same : rg__c_unary(b->t, RG_COP_NOT, same);
}

struct rg_cnode *rg__complex_assign(struct rg__build *b, CXCursor c, const char *op, struct rg_cnode *l,
                                    struct rg_cnode *r)
{
    enum rg_scalar part, other;
    bool target = rg__c_is_complex(b, l, &part);
    if (!target && !rg__c_is_complex(b, r, &other)) return NULL;
    if (strcmp(op, "=") && !rg__c_pure(b->t, l)) /* named twice */
        return rg__verbatim(b, c, "a complex number behind a side effect");
    char plain[3] = {op[0], 0, 0};
    if (strcmp(op, "=")) r = rg__complex_binary(b, c, plain, rg__c_copy(b->t, l), r);
    if (!r) return rg__verbatim(b, c, "'%s' of complex numbers", op);
    struct rg_cnode *n =
        rg__c_assign(b->t, RG_COP_SET, l,
                     target ? rg__to_complex(b, r, part) : rg__c_cast(b->t, rg__complex_part(b, r, false), l->type));
    n->type = l->type;
    n->struct_index = l->struct_index;
    return n;
}

struct rg_cnode *rg__complex_unary(struct rg__build *b, CXCursor c, const char *op, struct rg_cnode *k)
{
    enum rg_scalar part;
    bool real = !strcmp(op, "__real__") || !strcmp(op, "__real"),
         imaginary = !strcmp(op, "__imag__") || !strcmp(op, "__imag");
    if (real || imaginary) return rg__complex_part(b, k, imaginary);
    if (!rg__c_is_complex(b, k, &part) || op[0] == '&' || op[0] == '*') return NULL;
    if (!strcmp(op, "+")) return k;
    if (!strcmp(op, "-") || !strcmp(op, "~")) return call(b, op[0] == '-' ? "neg" : "conj", part, false, 1, k, NULL);
    return rg__verbatim(b, c, "'%s' of a complex number", op);
}

static const struct {
    const char *name; /* behind its c */
    int n;
    bool real;
} known[] = {{"abs", 1, true},   {"arg", 1, true},  {"onj", 1, false}, {"exp", 1, false},
             {"sqrt", 1, false}, {"log", 1, false}, {"pow", 2, false}, {"sin", 1, false},
             {"cos", 1, false},  {"real", 1, true}, {"imag", 1, true}};

static int known_as(const char *name, bool *single)
{
    size_t len = strlen(name);
    *single = len && name[len - 1] == 'f';
    for (int i = 0; name[0] == 'c' && i < (int)(sizeof known / sizeof *known); i++)
        if (!strncmp(name + 1, known[i].name, strlen(known[i].name)) && len == strlen(known[i].name) + 1 + *single)
            return i;
    return -1;
}

bool rg__complex_function(const char *name)
{
    bool single;
    if (!strncmp(name, "__builtin_", 10)) name += 10;
    return known_as(name, &single) >= 0 || !strcmp(name, "complex");
}

struct rg_cnode *rg__complex_call(struct rg__build *b, const char *name, struct rg_cnode **args, int n)
{
    if (!strncmp(name, "__builtin_", 10)) name += 10;
    bool single;
    int i = known_as(name, &single);
    enum rg_scalar part = single ? RG_F32 : RG_F64;
    if (!strcmp(name, "complex") && n == 2) { /* CMPLX */
        part = args[0]->type == RG_F32 && args[1]->type == RG_F32 ? RG_F32 : RG_F64;
        return call(b, "make", part, false, 2, rg__c_cast(b->t, args[0], part), rg__c_cast(b->t, args[1], part));
    }
    if (i < 0 || n != known[i].n) return NULL;
    for (int k = 0; k < n; k++) args[k] = rg__to_complex(b, args[k], part);
    if (!strcmp(known[i].name, "real") || !strcmp(known[i].name, "imag"))
        return rg__complex_part(b, args[0], known[i].name[0] == 'i');
    return call(b, !strcmp(known[i].name, "onj") ? "conj" : known[i].name, part, known[i].real, n, args[0],
                n > 1 ? args[1] : NULL);
}
