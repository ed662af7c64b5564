#include "frontend/read/unit.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint32_t rg__cursor_at(const struct rg__unit *u, CXCursor c)
{
    unsigned at = 0;
    u->c->getExpansionLocation(u->c->getRangeStart(u->c->getCursorExtent(c)), NULL, NULL, NULL, &at);
    return at;
}

uint32_t rg__cursor_end(const struct rg__unit *u, CXCursor c)
{
    unsigned at = 0;
    u->c->getExpansionLocation(u->c->getRangeEnd(u->c->getCursorExtent(c)), NULL, NULL, NULL, &at);
    return at;
}

uint32_t rg__decl_key(const struct rg__unit *u, CXCursor decl)
{
    unsigned at = 0;
    u->c->getExpansionLocation(u->c->getCursorLocation(decl), NULL, NULL, NULL, &at);
    return at;
}

static const char *take_string(const struct rg__unit *u, CXString s, struct rg_arena *a)
{
    const char *t = u->c->getCString(s);
    char *copy = rg_arena_strdup(a, t ? t : "");
    u->c->disposeString(s);
    return copy;
}

const char *rg__cursor_name(const struct rg__unit *u, CXCursor c, struct rg_arena *a)
{
    return take_string(u, u->c->getCursorSpelling(c), a);
}

const char *rg__type_name(const struct rg__unit *u, CXType t, struct rg_arena *a)
{
    return take_string(u, u->c->getTypeSpelling(t), a);
}

struct child_list {
    int n, cap;
    CXCursor *items;
};

static enum CXChildVisitResult add_child(CXCursor c, CXCursor parent, CXClientData data)
{
    struct child_list *l = data;
    RG_GROW(l->items, l->n, l->cap);
    l->items[l->n++] = c;
    return CXChildVisit_Continue;
}

struct rg__children rg__cursor_children(const struct rg__unit *u, CXCursor c, struct rg_arena *a)
{
    struct child_list l = {0};
    u->c->visitChildren(c, add_child, &l);
    struct rg__children out = {l.n, rg_arena_alloc(a, (size_t)(l.n + 1) * sizeof *out.items)};
    if (l.n) memcpy(out.items, l.items, (size_t)l.n * sizeof *l.items);
    free(l.items);
    return out;
}

struct walk {
    void (*fn)(void *arg, CXCursor c);
    void *arg;
};

static enum CXChildVisitResult walk_child(CXCursor c, CXCursor parent, CXClientData data)
{
    struct walk *w = data;
    w->fn(w->arg, c);
    return CXChildVisit_Recurse;
}

void rg__cursor_walk(const struct rg__unit *u, CXCursor c, void (*fn)(void *arg, CXCursor c), void *arg)
{
    struct walk w = {fn, arg};
    u->c->visitChildren(c, walk_child, &w);
}

int rg__unit_function(const struct rg__unit *u, CXCursor decl)
{
    CXCursor def = u->c->getCursorDefinition(decl);
    if (u->c->Cursor_isNull(def)) return -1;
    uint32_t key = rg__decl_key(u, def);
    for (int i = 0; i < u->n_functions; i++)
        if (rg__decl_key(u, u->functions[i].cursor) == key) return i;
    return -1;
}

int rg__unit_function_named(const struct rg__unit *u, const char *name)
{
    for (int i = 0; i < u->n_functions; i++)
        if (!strcmp(u->functions[i].name, name)) return i;
    return -1;
}

struct collect {
    struct rg__unit *u;
    int caller;
};

static void mark_called(void *arg, CXCursor c)
{
    struct collect *k = arg;
    if (k->u->c->getCursorKind(c) != CXCursor_DeclRefExpr) return;
    CXCursor d = k->u->c->getCursorReferenced(c);
    if (k->u->c->getCursorKind(d) != CXCursor_FunctionDecl) return;
    int f = rg__unit_function(k->u, d);
    if (f >= 0 && f != k->caller) k->u->functions[f].called = true;
}

static enum CXChildVisitResult top_level(CXCursor c, CXCursor parent, CXClientData data)
{
    struct rg__unit *u = data;
    if (u->c->getCursorKind(c) != CXCursor_FunctionDecl || !u->c->isCursorDefinition(c)) return CXChildVisit_Continue;
    uint32_t at = rg__cursor_at(u, c);
    struct rg__place place = rg__source_place(&u->src, at);
    if (place.system) return CXChildVisit_Continue;
    struct rg_arena *a = &u->src.arena;
    struct rg__children kids = rg__cursor_children(u, c, a);
    struct rg__function f = {.cursor = c,
                             .name = rg__cursor_name(u, c, a),
                             .at = at,
                             .end = rg__cursor_end(u, c),
                             .line = place.line,
                             .file = place.file,
                             .is_static = u->c->Cursor_getStorageClass(c) == CX_SC_Static};
    f.body = u->c->getNullCursor();
    for (int i = 0; i < kids.n; i++)
        if (u->c->getCursorKind(kids.items[i]) == CXCursor_CompoundStmt) f.body = kids.items[i];
    if (u->c->Cursor_isNull(f.body)) return CXChildVisit_Continue;
    RG_GROW(u->functions, u->n_functions, u->cap_functions);
    u->functions[u->n_functions++] = f;
    return CXChildVisit_Continue;
}

/* Errors of a file that the C compiler accepts are remembered: they matter only where the function uses them. */
static void diagnostics(struct rg__unit *u)
{
    unsigned n = u->c->getNumDiagnostics(u->tu);
    for (unsigned i = 0; i < n; i++) {
        CXDiagnostic d = u->c->getDiagnostic(u->tu, i);
        unsigned at = 0;
        bool bad = u->c->getDiagnosticSeverity(d) >= CXDiagnostic_Error;
        u->c->getExpansionLocation(u->c->getDiagnosticLocation(d), NULL, NULL, NULL, &at);
        if (bad) {
            RG_GROW(u->problems, u->n_problems, u->cap_problems);
            u->problems[u->n_problems++] =
                (struct rg__problem_at){at, take_string(u, u->c->getDiagnosticSpelling(d), &u->src.arena)};
        }
        u->c->disposeDiagnostic(d);
    }
}

static enum rg_status refused(const struct rg__unit *u, const char *file, const char *cflags, struct rg_error *err)
{
    if (!u->n_problems) return RG_OK;
    struct rg_buf own = RG_BUF_INIT;
    rg__syntax_messages(file, cflags, &own);
    enum rg_status st = RG_OK;
    if (own.len) {
        rg__compiler_error(own.data, file, err);
        st = RG_INPUT;
    }
    rg_buf_release(&own);
    return st;
}

const struct rg__problem_at *rg__unit_problem(const struct rg__unit *u, uint32_t at, uint32_t end)
{
    for (int i = 0; i < u->n_problems; i++)
        if (u->problems[i].at >= at && u->problems[i].at < end) return &u->problems[i];
    return NULL;
}

/* Headers behave like this for an old compiler: fewer extensions that libclang lacks. Intrinsics are the compiler's
 * own. */
static const char *const old_gnu[] = {"-U__GNUC__", "-D__GNUC__=4", "-U__GNUC_MINOR__", "-D__GNUC_MINOR__=2",
                                      "-D_IMMINTRIN_H_INCLUDED", "-D_X86INTRIN_H_INCLUDED", "-D_XMMINTRIN_H_INCLUDED",
                                      "-D_EMMINTRIN_H_INCLUDED", "-D_AVXINTRIN_H_INCLUDED",
                                      /* glibc has these for newer compilers alone */
                                      "-DCMPLX(x,y)=__builtin_complex((double)(x),(double)(y))",
                                      "-DCMPLXF(x,y)=__builtin_complex((float)(x),(float)(y))", NULL};
static const char *const as_is[] = {NULL};

/* Text for libclang: without the disguise where a header (tgmath.h) does not stand it. */
static enum rg_status preprocessed(const char *file, const char *cflags, struct rg_buf *text, struct rg_error *err)
{
    struct rg_error first = RG_ERROR_INIT, second = RG_ERROR_INIT;
    enum rg_status st = rg__preprocess(file, cflags, old_gnu, text, &first);
    if (st != RG_INPUT) {
        if (st != RG_OK && err) *err = first;
        return st;
    }
    rg_buf_reset(text);
    st = rg__preprocess(file, cflags, as_is, text, &second);
    if (st != RG_OK && err) *err = second;
    return st;
}

enum rg_status rg__unit_open(struct rg__unit *u, const char *file, const char *cflags, struct rg_error *err)
{
    struct rg_buf text = RG_BUF_INIT;
    memset(u, 0, sizeof *u);
    enum rg_status st = preprocessed(file, cflags, &text, err);
    size_t len = text.len;
    if (st == RG_OK) st = rg__unit_parse(u, rg_buf_steal(&text), len, cflags, err);
    rg_buf_release(&text);
    if (st != RG_OK) {
        if (err && err->status == RG_INPUT && !err->file[0]) snprintf(err->file, sizeof err->file, "%s", file);
        return st;
    }
    st = refused(u, file, cflags, err);
    if (st != RG_OK) rg__unit_close(u);
    return st;
}

enum rg_status rg__unit_parse(struct rg__unit *u, char *text, size_t len, const char *cflags, struct rg_error *err)
{
    memset(u, 0, sizeof *u);
    enum rg_status st = rg__clang_load(&u->c, err);
    if (st != RG_OK) {
        free(text);
        return st;
    }
    rg__source_init(&u->src, text, len);
    rg__whole_choices(&u->src);

    const char *args[16] = {"-x",
                            "cpp-output",
                            "-w",
                            "-Wno-error=implicit-function-declaration",
                            "-Wno-error=int-conversion",
                            "-Wno-error=implicit-int",
                            "-fno-spell-checking"};
    int n = 7;
#ifdef __x86_64__
    args[n++] = "-Xclang"; /* or _Float16 is no type */
    args[n++] = "-target-feature";
    args[n++] = "-Xclang";
    args[n++] = "+avx512fp16";
#endif
    int n_flags;
    const char **flags = rg__split_words(&u->src.arena, cflags ? cflags : "", &n_flags);
    for (int i = 0; i < n_flags; i++)
        if (!strncmp(flags[i], "-std=", 5) && n < 15) args[n++] = flags[i];
    static const char name[] = "regraph-input.i";
    struct CXUnsavedFile unsaved = {name, u->src.text, (unsigned long)u->src.len};
    u->index = u->c->createIndex(0, 0);
    enum CXErrorCode rc = u->c->parseTranslationUnit2(u->index, name, args, n, &unsaved, 1, 0, &u->tu);
    if (rc != CXError_Success || !u->tu) {
        rg__unit_close(u);
        return rg_error_set(err, RG_INPUT, "libclang cannot parse the file (error %d)", (int)rc);
    }
    diagnostics(u);
    u->c->visitChildren(u->c->getTranslationUnitCursor(u->tu), top_level, u);
    for (int i = 0; i < u->n_functions; i++) {
        if (!strcmp(u->functions[i].name, "main")) continue; /* a benchmark's main calls what it measures */
        struct collect k = {u, i};
        rg__cursor_walk(u, u->functions[i].body, mark_called, &k);
    }
    return RG_OK;
}

void rg__unit_close(struct rg__unit *u)
{
    if (u->tu) u->c->disposeTranslationUnit(u->tu);
    if (u->index) u->c->disposeIndex(u->index);
    free(u->functions);
    free(u->problems);
    rg__source_release(&u->src);
    memset(u, 0, sizeof *u);
}

bool rg__eval_int(const struct rg__unit *u, CXCursor c, int64_t *v)
{
    CXEvalResult r = u->c->Cursor_Evaluate(c);
    if (!r) return false;
    bool ok = u->c->EvalResult_getKind(r) == CXEval_Int;
    if (ok) *v = u->c->EvalResult_getAsLongLong(r);
    u->c->EvalResult_dispose(r);
    return ok;
}

bool rg__eval_real(const struct rg__unit *u, CXCursor c, double *v)
{
    CXEvalResult r = u->c->Cursor_Evaluate(c);
    if (!r) return false;
    CXEvalResultKind k = u->c->EvalResult_getKind(r);
    if (k == CXEval_Float)
        *v = u->c->EvalResult_getAsDouble(r);
    else if (k == CXEval_Int)
        *v = (double)u->c->EvalResult_getAsLongLong(r);
    u->c->EvalResult_dispose(r);
    return k == CXEval_Float || k == CXEval_Int;
}

bool rg__type_scalar(const struct rg__unit *u, CXType t, enum rg_scalar *out)
{
    t = u->c->getCanonicalType(t);
    switch (t.kind) {
    case CXType_Bool:
        *out = RG_BOOL;
        return true;
    case CXType_Char_S:
    case CXType_Char_U:
        *out = RG_CHAR;
        return true;
    case CXType_SChar:
        *out = RG_I8;
        return true;
    case CXType_UChar:
        *out = RG_U8;
        return true;
    case CXType_Short:
        *out = RG_I16;
        return true;
    case CXType_UShort:
        *out = RG_U16;
        return true;
    case CXType_LongDouble: /* of locals and values: what a device has instead. Parameters and members are refused
                               (build_params.c, build_types.c) */
        *out = RG_F64;
        return true;
    case CXType_Int:
        *out = RG_I32;
        return true;
    case CXType_UInt:
        *out = RG_U32;
        return true;
    case CXType_Long:
        *out = RG_LONG;
        return true;
    case CXType_ULong:
        *out = RG_ULONG;
        return true;
    case CXType_LongLong:
        *out = RG_LLONG;
        return true;
    case CXType_ULongLong:
        *out = RG_ULLONG;
        return true;
    case CXType_Half:
    case CXType_Float16:
        *out = RG_F16;
        return true;
    case CXType_Float:
        *out = RG_F32;
        return true;
    case CXType_Double:
        *out = RG_F64;
        return true;
    case CXType_Enum:
        return rg__type_scalar(u, u->c->getEnumDeclIntegerType(u->c->getTypeDeclaration(t)), out);
    default:
        return false;
    }
}

struct named {
    const struct rg__unit *u;
    const char *name;
    bool found;
};

static enum CXChildVisitResult is_named(CXCursor c, CXCursor parent, CXClientData data)
{
    struct named *n = data;
    (void)parent;
    if (n->u->c->getCursorKind(c) != CXCursor_VarDecl) return CXChildVisit_Continue;
    CXString s = n->u->c->getCursorSpelling(c);
    n->found = !strcmp(n->u->c->getCString(s), n->name);
    n->u->c->disposeString(s);
    return n->found ? CXChildVisit_Break : CXChildVisit_Continue;
}

bool rg__unit_has_variable(const struct rg__unit *u, const char *name)
{
    struct named n = {u, name, false};
    u->c->visitChildren(u->c->getTranslationUnitCursor(u->tu), is_named, &n);
    return n.found;
}

bool rg__type_is_array(const struct rg__unit *u, CXType t)
{
    t = u->c->getCanonicalType(t);
    return t.kind == CXType_ConstantArray || t.kind == CXType_IncompleteArray || t.kind == CXType_VariableArray;
}

bool rg__type_is_pointer(const struct rg__unit *u, CXType t)
{
    return u->c->getCanonicalType(t).kind == CXType_Pointer;
}

bool rg__type_is_record(const struct rg__unit *u, CXType t)
{
    t = u->c->getCanonicalType(t);
    if (t.kind != CXType_Complex) return t.kind == CXType_Record;
    int64_t bytes = u->c->Type_getSizeOf(t); /* of two floats or doubles (build_complex.c) */
    return bytes == 8 || bytes == 16;
}
