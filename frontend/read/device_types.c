/* Types of the file as CUDA C++: structures are rebuilt from their fields' types, so that kernels need no typedef of
 * the file; text that stays as C wrote it gets those as well. */
#include "frontend/read/build.h"
#include <stdlib.h>
#include <string.h>

struct struct_text {
    struct rg__build *b;
    struct rg_buf *out;
    struct rg_buf before; /* nested structures come first */
    struct rg__kids unused;
    const char **done;
    int n_done, cap_done;
};

static void one_struct(struct struct_text *s, CXType t);

static bool first_time(struct struct_text *s, const char *name)
{
    for (int i = 0; i < s->n_done; i++)
        if (!strcmp(s->done[i], name)) return false;
    RG_GROW(s->done, s->n_done, s->cap_done);
    s->done[s->n_done++] = name;
    return true;
}

struct field_text {
    struct struct_text *s;
    struct rg_buf *body;
};

static enum CXVisitorResult member_text(CXCursor c, CXClientData data)
{
    struct field_text *f = data;
    struct rg__build *b = f->s->b;
    CXType t = b->c->getCursorType(c), e = t;
    const char *name = rg__cursor_name(b->u, c, &b->p->arena);
    struct rg_buf dims = RG_BUF_INIT;
    while (rg__type_is_array(b->u, e)) {
        CXType k = b->c->getCanonicalType(e);
        rg_buf_printf(&dims, "[%lld]", (long long)b->c->getArraySize(k));
        e = b->c->getArrayElementType(k);
    }
    enum rg_scalar s;
    if (b->c->Cursor_isBitField(c) && rg__type_scalar(b->u, e, &s)) {
        rg_buf_printf(f->body, "    %s %s : %d;\n", rg_scalar_cuda(s), name, b->c->getFieldDeclBitWidth(c));
    } else if (rg__type_scalar(b->u, e, &s)) {
        rg_buf_printf(f->body, "    %s %s%s;\n", rg_scalar_cuda(s), name, dims.data);
    } else if (rg__type_is_pointer(b->u, e)) {
        CXType to = b->c->getPointeeType(b->c->getCanonicalType(e));
        const char *stars = "";
        for (; rg__type_is_pointer(b->u, to); to = b->c->getPointeeType(b->c->getCanonicalType(to)))
            stars = rg_arena_printf(&b->p->arena, "%s*", stars);
        bool known = rg__type_scalar(b->u, to, &s);
        if (!known && rg__type_is_record(b->u, to)) one_struct(f->s, to);
        known = known || rg__type_is_record(b->u, to);
        rg_buf_printf(f->body, "    %s%s *%s%s%s;\n", b->c->isConstQualifiedType(to) ? "const " : "",
                      !known                          ? "void"
                      : rg__type_scalar(b->u, to, &s) ? rg_scalar_cuda(s)
                                                      : rg__plain_type(b, to),
                      stars, name, dims.data);
    } else {
        one_struct(f->s, e);
        rg_buf_printf(f->body, "    %s %s%s;\n", rg__plain_type(b, e), name, dims.data);
    }
    rg_buf_release(&dims);
    return CXVisit_Continue;
}

/* Vector types that CUDA defines itself, with the members users give them. */
static bool cuda_has(const char *name)
{
    static const char *const bases[] = {"char", "uchar", "short",    "ushort",    "int",   "uint",
                                        "long", "ulong", "longlong", "ulonglong", "float", "double"};
    if (!strcmp(name, "dim3")) return true;
    for (size_t i = 0; i < sizeof bases / sizeof *bases; i++) {
        size_t n = strlen(bases[i]);
        if (!strncmp(name, bases[i], n) && name[n] >= '1' && name[n] <= '4' && !name[n + 1]) return true;
    }
    return false;
}

static void one_struct(struct struct_text *s, CXType t)
{
    struct rg__build *b = s->b;
    const char *name = rg__plain_type(b, t), *tag = !strncmp(name, "struct ", 7)  ? name + 7
                                                    : !strncmp(name, "union ", 6) ? name + 6
                                                                                  : name;
    if (!first_time(s, tag)) return;
    if (cuda_has(tag) || !strncmp(tag, "rg_complex", 10)) return;
    struct rg_buf body = RG_BUF_INIT;
    struct field_text f = {s, &body};
    b->c->Type_visitFields(b->c->getCanonicalType(t), member_text, &f);
    bool either = b->c->getCursorKind(b->c->getTypeDeclaration(b->c->getCanonicalType(t))) == CXCursor_UnionDecl;
    rg_buf_printf(s->out, "%s %s {\n%s};\n", either ? "union" : "struct", tag, body.data);
    rg_buf_release(&body);
}

/* A second name of a type: of a number, a structure, a pointer to one, an array of them. Types of a function's own may
 * share a name: the first is taken, and text that means another declares it itself. */
static void alias(struct struct_text *s, CXCursor c, CXType t, const char *name)
{
    struct rg__build *b = s->b;
    const struct rg_expr *dims[8];
    CXType elem = t;
    int n = rg__type_is_array(b->u, t) ? rg__array_dims(b, c, t, dims, 8, &elem) : 0;
    for (int d = 0; d < n; d++)
        if (!dims[d] || dims[d]->kind != RG_EXPR_INT) return;
    const char *type = rg__device_type(b, elem), *tag = type ? strrchr(type, ' ') : NULL;
    if (!type || n < 0 || !strcmp(tag ? tag + 1 : type, name) || cuda_has(name) || !first_time(s, name)) return;
    rg_buf_printf(s->out, "typedef %s%s %s", b->c->isConstQualifiedType(elem) ? "const " : "", type, name);
    for (int d = 0; d < n; d++) rg_buf_printf(s->out, "[%lld]", (long long)dims[d]->value);
    rg_buf_str(s->out, ";\n");
}

struct find_struct {
    struct struct_text *s;
    const char *name;
};

static enum CXChildVisitResult find_decl(CXCursor c, CXCursor parent, CXClientData data)
{
    struct find_struct *f = data;
    struct rg__build *b = f->s->b;
    enum CXCursorKind k = b->c->getCursorKind(c);
    if (k == CXCursor_FunctionDecl) return CXChildVisit_Recurse;
    if ((k == CXCursor_StructDecl || k == CXCursor_TypedefDecl)) {
        CXType t = b->c->getCursorType(c);
        if (rg__type_is_record(b->u, t) && !strcmp(rg__plain_type(b, t), f->name)) {
            one_struct(f->s, t);
            return CXChildVisit_Break;
        }
    }
    return CXChildVisit_Recurse;
}

static enum CXChildVisitResult every_type(CXCursor c, CXCursor parent, CXClientData data)
{
    struct struct_text *s = data;
    struct rg__build *b = s->b;
    enum CXCursorKind k = b->c->getCursorKind(c);
    CXType t = b->c->getCursorType(c);
    const char *name = rg__cursor_name(b->u, c, &b->p->arena);
    enum rg_scalar scalar;
    if (rg__source_place(&b->u->src, rg__decl_key(b->u, c)).system) return CXChildVisit_Continue;
    if (k == CXCursor_FunctionDecl)
        return strcmp(name, "main") ? CXChildVisit_Recurse : CXChildVisit_Continue; /* its own types */
    if ((k == CXCursor_StructDecl || k == CXCursor_UnionDecl || k == CXCursor_TypedefDecl) &&
        rg__type_is_record(b->u, t) && b->c->Type_getSizeOf(b->c->getCanonicalType(t)) > 0) {
        one_struct(s, t);
        if (k == CXCursor_TypedefDecl) alias(s, c, t, name);
    } else if (k == CXCursor_TypedefDecl && rg__type_scalar(b->u, t, &scalar)) {
        alias(s, c, t, name);
    } else if (k == CXCursor_EnumDecl && *name && !strchr(name, '(') && rg__type_scalar(b->u, t, &scalar)) {
        alias(s, c, t, name); /* its values are plain integers, as in C: device text names it without `enum` */
    } else if (k == CXCursor_TypedefDecl && rg__is_function_pointer(b, t)) {
        rg__source_slice(&b->u->src, rg__cursor_at(b->u, c), rg__cursor_end(b->u, c), s->out);
        rg_buf_str(s->out, ";\n");
        return CXChildVisit_Continue;
    } else if (k == CXCursor_TypedefDecl) {
        alias(s, c, t, name);
    } else if (k == CXCursor_EnumConstantDecl) {
        if (!first_time(s, name)) return CXChildVisit_Continue; /* an enum inside a typedef is met twice */
        rg_buf_printf(s->out, "enum { %s = %lld };\n", name, (long long)b->c->getEnumConstantDeclValue(c));
    }
    return k == CXCursor_EnumDecl || k == CXCursor_TypedefDecl || k == CXCursor_DeclStmt || k == CXCursor_CompoundStmt
               ? CXChildVisit_Recurse
               : CXChildVisit_Continue;
}

void rg__device_structs(struct rg__build *b, struct rg_buf *out)
{
    struct struct_text s = {.b = b, .out = out};
    for (int i = 0; i < b->p->n_structs; i++) {
        struct find_struct f = {&s, b->p->structs[i].c_name};
        b->c->visitChildren(b->c->getTranslationUnitCursor(b->u->tu), find_decl, &f);
    }
    /* Text without a tree may name any type of the file. */
    if (b->verbatim || b->c_text) b->c->visitChildren(b->c->getTranslationUnitCursor(b->u->tu), every_type, &s);
    free(s.done);
}
