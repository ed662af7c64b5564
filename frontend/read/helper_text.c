/* Pure functions that no tree is built of (strings, unions), as the file writes them. */
#include "frontend/read/helper_text.h"
#include "frontend/read/device_c.h"
#include "ir/ctree_util.h"
#include <string.h>

enum { MOST_CALLS = 8 };

struct checked {
    struct rg__build *b;
    const struct rg__function *f;
    int depth, calls[MOST_CALLS];
    bool ok;
};

/* Library functions that read and write what their pointers lead to, and nothing else. */
static bool by_pointers(const char *name)
{
    static const char *const names[] = {"memcpy", "memmove", "memset", "memcmp",  "memchr", "strlen",
                                        "strcmp", "strncmp", "strcpy", "strrchr", "strstr", "strchr"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i], name)) return true;
    return !strcmp(name, "__ctype_b_loc"); /* a constant table */
}

static bool is_literal(struct rg__build *b, CXCursor c)
{
    return b->c->getCursorKind(rg__strip_parens(b, c)) == CXCursor_StringLiteral;
}

/* C++ has string literals const. */
static bool is_loose_pointer(struct rg__build *b, CXCursor c)
{
    CXType t = b->c->getCanonicalType(b->c->getCursorType(c));
    return t.kind == CXType_Pointer && !b->c->isConstQualifiedType(b->c->getPointeeType(t));
}

/* Is it a constant of the file that device text finds under its name? */
static bool constant_of_file(struct rg__build *b, CXCursor decl)
{
    CXType t = b->c->getCursorType(decl), elem = t;
    enum rg_scalar s;
    int64_t i;
    double r;
    CXCursor init = rg__initialiser(b, decl);
    if (b->c->Cursor_isNull(init)) return false;
    if (rg__type_is_array(b->u, t)) return rg__device_state_table(b, decl);
    if (!rg__type_scalar(b->u, elem, &s) || !b->c->isConstQualifiedType(t)) return false;
    bool whole = rg__scalar_is_int(s) && rg__eval_int(b->u, init, &i),
         real = s == RG_F64 && rg__eval_real(b->u, init, &r) && r - r == 0; /* a float's value may be rounded twice */
    if (!whole && !real) return false;
    struct rg_buf line = RG_BUF_INIT;
    rg_buf_printf(&line, "static __device__ const %s %s = ", rg_scalar_cuda(s),
                  rg__cursor_name(b->u, decl, &b->p->arena));
    if (whole)
        rg_buf_printf(&line, "(%s)%lldll;\n", rg_scalar_cuda(s), (long long)i);
    else
        rg_buf_printf(&line, "%.17e;\n", r);
    if (!b->helper_decls->data || !strstr(b->helper_decls->data, line.data)) rg_buf_str(b->helper_decls, line.data);
    rg_buf_release(&line);
    return true;
}

static bool self_contained(struct rg__build *b, int function, struct checked *by);

static bool variable(struct checked *x, CXCursor d)
{
    struct rg__build *b = x->b;
    uint32_t key = rg__decl_key(b->u, d);
    bool own = key >= x->f->at && key < x->f->end, is_static = b->c->Cursor_getStorageClass(d) == CX_SC_Static;
    if (!own) return constant_of_file(b, d);
    if (!is_static) return b->c->Cursor_getStorageClass(d) != CX_SC_Extern;
    CXType elem = b->c->getCursorType(d);
    while (rg__type_is_array(b->u, elem)) elem = b->c->getArrayElementType(elem); /* qualified, as it is written */
    return b->c->isConstQualifiedType(elem);
}

static bool function_called(struct checked *x, CXCursor d)
{
    struct rg__build *b = x->b;
    const char *name = rg__cursor_name(b->u, d, &b->p->arena), *why;
    int f = rg__unit_function(b->u, d);
    bool own = f >= 0 && !rg__source_place(&b->u->src, b->u->functions[f].at).system;
    if (!own) return rg__c_pure_library(name) || by_pointers(name);
    if (!self_contained(b, f, x)) return false;
    return b->helper_of[f] >= 0 || rg__build_c_function(b, f, &why);
}

/* In a switch, a declaration between cases: C++ does not jump across it. */
static bool declares_between(struct rg__build *b, CXCursor c)
{
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    for (int i = 0; i < kids.n; i++) {
        if (b->c->getCursorKind(kids.items[i]) != CXCursor_CompoundStmt) continue;
        struct rg__children in = rg__cursor_children(b->u, kids.items[i], &b->p->arena);
        for (int k = 0; k < in.n; k++)
            if (b->c->getCursorKind(in.items[k]) == CXCursor_DeclStmt) return true;
    }
    return false;
}

/* C++ takes no narrower number in braces, unless it sees that its value fits. */
static bool literals_alone(struct rg__build *b, CXCursor c)
{
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    for (int i = 0; i < kids.n; i++) {
        CXCursor v = rg__strip_parens(b, kids.items[i]);
        enum CXCursorKind k = b->c->getCursorKind(v);
        if (k != CXCursor_IntegerLiteral && k != CXCursor_FloatingLiteral && k != CXCursor_CharacterLiteral &&
            k != CXCursor_StringLiteral && k != CXCursor_InitListExpr)
            return false;
    }
    return true;
}

static void check(void *arg, CXCursor c)
{
    struct checked *x = arg;
    struct rg__build *b = x->b;
    struct rg__children kids;
    if (!x->ok) return;
    switch (b->c->getCursorKind(c)) {
    case CXCursor_DeclRefExpr: {
        CXCursor d = b->c->getCursorReferenced(c);
        enum CXCursorKind k = b->c->getCursorKind(d);
        x->ok = k == CXCursor_ParmDecl || k == CXCursor_EnumConstantDecl || (k == CXCursor_VarDecl && variable(x, d)) ||
                (k == CXCursor_FunctionDecl && function_called(x, d));
        break;
    }
    case CXCursor_CallExpr: /* by its name */
        x->ok = b->c->getCursorKind(b->c->getCursorReferenced(c)) == CXCursor_FunctionDecl;
        break;
    case CXCursor_VarDecl: {
        CXCursor init = rg__initialiser(b, c);
        CXType t = b->c->getCanonicalType(b->c->getCursorType(c));
        x->ok = t.kind != CXType_VariableArray && !b->c->isVolatileQualifiedType(t) &&
                (b->c->Cursor_isNull(init) || !is_loose_pointer(b, c) || !is_literal(b, init));
        break;
    }
    case CXCursor_BinaryOperator:
        kids = rg__cursor_children(b->u, c, &b->p->arena);
        x->ok = kids.n != 2 || !is_literal(b, kids.items[1]) || !is_loose_pointer(b, kids.items[0]);
        break;
    case CXCursor_InitListExpr:
        x->ok = literals_alone(b, c);
        break;
    case CXCursor_SwitchStmt:
        x->ok = !declares_between(b, c);
        break;
    case CXCursor_GotoStmt:
    case CXCursor_IndirectGotoStmt:
    case CXCursor_LabelStmt:
    case CXCursor_AsmStmt:
    case CXCursor_StmtExpr:
    case CXCursor_AddrLabelExpr:
    case CXCursor_GenericSelectionExpr:
    case CXCursor_CompoundLiteralExpr:
        x->ok = false;
        break;
    default:
        break;
    }
}

/* Pointers in or out are what `by` hands on: memory of its own, or a constant of the file. */
static bool self_contained(struct rg__build *b, int function, struct checked *by)
{
    const struct rg__function *f = &b->u->functions[function];
    struct checked x = {.b = b, .f = f, .depth = by ? by->depth + 1 : 0, .ok = true};
    if (b->c->Cursor_isNull(f->body) || x.depth >= MOST_CALLS) return false;
    for (int i = 0; by && i <= by->depth; i++) {
        if (by->calls[i] == function) return false;
        x.calls[i] = by->calls[i];
    }
    x.calls[x.depth] = function;
    rg__cursor_walk(b->u, f->body, check, &x);
    return x.ok;
}

/* Its first token behind the storage class; -1: there is more than names in front of its body. */
static int behind_storage(struct rg__build *b, const struct rg__function *f)
{
    static const char *const words[] = {"static", "inline", "extern", "__inline", "__inline__", "_Noreturn"};
    const struct rg__source *s = &b->u->src;
    int k = rg__tok_from(s, f->at), body = rg__tok_from(s, rg__cursor_at(b->u, f->body));
    for (bool again = true; again && k < body; k += again) {
        again = false;
        for (size_t i = 0; i < sizeof words / sizeof *words; i++) again |= rg__tok_is(s, k, words[i]);
    }
    for (int i = k; i < body; i++)
        if (rg__tok_is(s, i, "__attribute__") || rg__tok_is(s, i, "static") || rg__tok_is(s, i, "inline")) return -1;
    return k < body ? k : -1;
}

struct leads {
    struct rg__build *b;
    bool away;
};

static bool plain(struct rg__build *b, CXType t);

static enum CXVisitorResult member(CXCursor c, CXClientData data)
{
    struct leads *l = data;
    CXType t = l->b->c->getCursorType(c);
    while (rg__type_is_array(l->b->u, t)) t = l->b->c->getArrayElementType(l->b->c->getCanonicalType(t));
    l->away = l->away || !plain(l->b, t);
    return l->away ? CXVisit_Break : CXVisit_Continue;
}

/* A number, or a structure of such: nothing in it leads to other memory. */
static bool plain(struct rg__build *b, CXType t)
{
    enum rg_scalar s;
    struct leads l = {b, false};
    if (rg__type_scalar(b->u, t, &s)) return true;
    if (!rg__type_is_record(b->u, t)) return false;
    b->c->Type_visitFields(b->c->getCanonicalType(t), member, &l);
    return !l.away;
}

bool rg__helper_text(struct rg__build *root, int function, struct rg_buf *out)
{
    struct rg__build *b = root;
    const struct rg__function *f = &b->u->functions[function];
    if (b->verbatim || b->c_written[function] || b->c->Cursor_isNull(f->body)) return false;
    struct rg__children kids = rg__cursor_children(b->u, f->cursor, &b->p->arena);
    bool ok = plain(b, b->c->getResultType(b->c->getCursorType(f->cursor)));
    for (int i = 0; i < kids.n && ok; i++)
        ok = b->c->getCursorKind(kids.items[i]) != CXCursor_ParmDecl || plain(b, b->c->getCursorType(kids.items[i]));
    int first = ok ? behind_storage(b, f) : -1;
    if (first < 0 || !self_contained(b, function, NULL)) return false;
    rg__build_c_slice(b, f->body, b->u->src.toks[first].at, f->end, out);
    rg_buf_char(out, '\n');
    b->c_text = true;
    return true;
}
